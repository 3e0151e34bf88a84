public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The keys that Stream names. What each means, and which are refused, is said by the table of keys, `FilterTable`.

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
