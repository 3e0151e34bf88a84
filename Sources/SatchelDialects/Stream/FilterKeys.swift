public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The keys that Stream names. What each means, and which are refused, is said by the table of keys, `FilterTable`.

extension FilterKey where Scope == ChannelListFilterScope {
  /// The channel's identifier with its type: `messaging:general`.
  public static var cid: FilterKey<Scope, Conversation.ID> { "cid" }
  /// The channel's identifier without its type.
  public static var id: FilterKey<Scope, String> { "id" }
  /// The name.
  public static var name: FilterKey<Scope, String> { "name" }
  /// The picture.
  public static var imageURL: FilterKey<Scope, URL> { "image" }
  /// The type.
  public static var type: FilterKey<Scope, ChannelType> { "type" }
  /// When the last message was sent.
  public static var lastMessageAt: FilterKey<Scope, Date> { "last_message_at" }
  /// Who created the channel.
  public static var createdBy: FilterKey<Scope, Identity.ID> { "created_by_id" }
  /// When the channel was created.
  public static var createdAt: FilterKey<Scope, Date> { "created_at" }
  /// When the channel was changed last.
  public static var updatedAt: FilterKey<Scope, Date> { "updated_at" }
  /// When the channel was deleted.
  public static var deletedAt: FilterKey<Scope, Date> { "deleted_at" }
  /// Whether the user hides the channel.
  public static var hidden: FilterKey<Scope, Bool> { "hidden" }
  /// Whether nobody can send.
  public static var frozen: FilterKey<Scope, Bool> { "frozen" }
  /// Whether the channel is disabled.
  public static var disabled: FilterKey<Scope, Bool> { "disabled" }
  /// Whether the user has blocked the channel.
  public static var blocked: FilterKey<Scope, Bool> { "blocked" }
  /// Whether the user has archived the channel.
  public static var archived: FilterKey<Scope, Bool> { "archived" }
  /// Whether the user has pinned the channel.
  public static var pinned: FilterKey<Scope, Bool> { "pinned" }
  /// The members.
  public static var members: FilterKey<Scope, Identity.ID> { "members" }
  /// The number of members.
  public static var memberCount: FilterKey<Scope, Int> { "member_count" }
  /// The team.
  public static var team: FilterKey<Scope, String> { "team" }
  /// Whether the user is a member.
  public static var joined: FilterKey<Scope, Bool> { "joined" }
  /// Whether the user has muted the channel.
  public static var muted: FilterKey<Scope, Bool> { "muted" }
  /// The state of the user's invitation.
  public static var invite: FilterKey<Scope, String> { "invite" }
  /// The names of the members.
  public static var memberName: FilterKey<Scope, String> { "member.user.name" }
  /// When the last message was sent; if there is none, when the channel was created.
  public static var lastUpdatedAt: FilterKey<Scope, Date> { "last_updated" }
  /// The user's role in the channel.
  public static var channelRole: FilterKey<Scope, String> { "channel_role" }
  /// The tags.
  public static var filterTags: FilterKey<Scope, String> { "filter_tags" }
  /// Whether a message is unread.
  public static var hasUnread: FilterKey<Scope, Bool> { "has_unread" }
}

extension Filter where Scope == ChannelListFilterScope {
  /// Matches channels of which at least one of the users is a member.
  public static func containMembers(userIds: [Identity.ID]) -> Filter { .in(.members, values: userIds) }
  /// Matches channels with a message.
  public static var nonEmpty: Filter { .greater(.lastMessageAt, than: Date(timeIntervalSince1970: 0)) }
  /// Matches channels of no team.
  public static var noTeam: Filter { .equal(.team, to: nil) }
  /// Matches channels with unread messages.
  public static var hasUnread: Filter { .equal(.hasUnread, to: true) }
}

extension FilterKey where Scope: UserFilterScope {
  /// The user id.
  public static var id: FilterKey<Scope, Identity.ID> { "id" }
  /// The display name.
  public static var name: FilterKey<Scope, String> { "name" }
  /// The picture.
  public static var imageURL: FilterKey<Scope, URL> { "image" }
  /// The role that the user has everywhere.
  public static var role: FilterKey<Scope, String> { "role" }
  /// Whether the user is connected.
  public static var isOnline: FilterKey<Scope, Bool> { "online" }
  /// Whether the user is banned.
  public static var isBanned: FilterKey<Scope, Bool> { "banned" }
  /// When the user, or the membership, was created.
  public static var createdAt: FilterKey<Scope, Date> { "created_at" }
  /// When the user, or the membership, was changed last.
  public static var updatedAt: FilterKey<Scope, Date> { "updated_at" }
  /// When the user was seen last.
  public static var lastActiveAt: FilterKey<Scope, Date> { "last_active" }
  /// Whether the user is shown to others as offline.
  public static var isInvisible: FilterKey<Scope, Bool> { "invisible" }
  /// The number of channels with unread messages.
  public static var unreadChannelsCount: FilterKey<Scope, Int> { "unread_channels" }
  /// The number of unread messages.
  public static var unreadMessagesCount: FilterKey<Scope, Int> { "total_unread_count" }
  /// Whether the user is anonymous.
  public static var isAnonymous: FilterKey<Scope, Bool> { "anon" }
  /// The teams.
  public static var teams: FilterKey<Scope, String> { "teams" }
}

extension FilterKey where Scope == MemberListFilterScope {
  /// Whether the member is a moderator.
  public static var isModerator: FilterKey<Scope, Bool> { "is_moderator" }
  /// The email address.
  public static var email: FilterKey<Scope, String> { "user.email" }
  /// The role in the channel.
  public static var channelRole: FilterKey<Scope, String> { "channel_role" }
  /// Whether the member is banned from the channel.
  public static var banned: FilterKey<Scope, Bool> { "banned" }
  /// The state of the invitation.
  public static var invite: FilterKey<Scope, String> { "invite" }
  /// Whether the member has joined.
  public static var joined: FilterKey<Scope, Bool> { "joined" }
}

extension FilterKey where Scope == MessageSearchFilterScope {
  /// The text.
  public static var text: FilterKey<Scope, String> { "text" }
  /// Who sent the message.
  public static var authorId: FilterKey<Scope, Identity.ID> { "user.id" }
  /// The types of the attachments.
  public static var hasAttachmentsOfType: FilterKey<Scope, AttachmentType> { "attachments.type" }
}

extension Filter where Scope == MessageSearchFilterScope {
  /// Full-text search.
  public static func queryText(_ text: String) -> Filter { .query(.text, text: text) }
  /// Matches messages with an attachment of one of the types.
  public static func withAttachments(_ types: Set<AttachmentType>) -> Filter {
    .in(.hasAttachmentsOfType, values: types.sorted { $0.rawValue < $1.rawValue })
  }
  /// Matches messages with a part that is no text.
  public static var withAttachments: Filter { .exists("attachments") }
  /// Matches messages whose parts are all texts.
  public static var withoutAttachments: Filter { .isNil("attachments") }
}

extension FilterKey where Scope == ThreadListFilterScope {
  /// The channel.
  public static var cid: FilterKey<Scope, String> { "channel_cid" }
  /// When the thread was created.
  public static var createdAt: FilterKey<Scope, Date> { "created_at" }
  /// When it was changed last.
  public static var updatedAt: FilterKey<Scope, Date> { "updated_at" }
  /// When its last message was sent.
  public static var lastMessageAt: FilterKey<Scope, Date> { "last_message_at" }
  /// Who created it.
  public static var createdByUserId: FilterKey<Scope, Identity.ID> { "created_by_user_id" }
  /// The message that it is about.
  public static var parentMessageId: FilterKey<Scope, Message.ID> { "parent_message_id" }
  /// Whether its channel is disabled.
  public static var channelDisabled: FilterKey<Scope, Bool> { "channel.disabled" }
}

extension FilterKey where Scope == ReactionListFilterScope {
  /// The type.
  public static var reactionType: FilterKey<Scope, String> { "type" }
  /// Who reacted.
  public static var authorId: FilterKey<Scope, Identity.ID> { "user_id" }
}

extension FilterKey where Scope == MessageReminderListFilterScope {
  /// The channel.
  public static var cid: FilterKey<Scope, Conversation.ID> { "channel_cid" }
  /// When to remind of the message.
  public static var remindAt: FilterKey<Scope, Date> { "remind_at" }
  /// When the reminder was created.
  public static var createdAt: FilterKey<Scope, Date> { "created_at" }
}

extension FilterKey where Scope == VoteListFilterScope {
  /// The option.
  public static var optionId: FilterKey<Scope, String> { "option_id" }
  /// Who voted.
  public static var userId: FilterKey<Scope, Identity.ID> { "user_id" }
  /// The poll.
  public static var pollId: FilterKey<Scope, String> { "poll_id" }
  /// Whether the vote is an answer.
  public static var isAnswer: FilterKey<Scope, Bool> { "is_answer" }
}
