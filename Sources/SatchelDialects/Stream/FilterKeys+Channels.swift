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
