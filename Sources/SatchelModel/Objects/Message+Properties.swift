#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Message {
  /// The identifier that a server has given the message, set once; nil if it has given none. Where an identifier of
  /// a message is asked for, this one finds it as well.
  public var remoteID: ID? { envelope.remoteID.map { ID($0) } }
  /// The user id of the sender, who need not be a participant of the conversation.
  public var sender: Identity.ID { envelope.sender }
  /// The position in the conversation; nil while unsent. Positions of different conversations cannot be compared.
  public var position: Int64? { envelope.position }
  /// The time at which the message was sent, exact to the microsecond. Nil if unknown.
  public var sentTimestamp: Timestamp? { envelope.sentAt }
  /// The time at which the message was received, exact to the microsecond. Nil if unknown.
  public var receivedTimestamp: Timestamp? { envelope.receivedAt }
  /// The time at which the message was sent, as a `Date`; see ``sentTimestamp`` for the exact value.
  public var sentAt: Date? { envelope.sentAt?.date }
  /// The time at which the message was received, as a `Date`; see ``receivedTimestamp`` for the exact value.
  public var receivedAt: Date? { envelope.receivedAt?.date }
  /// The time of the last edit of the parts, exact to the microsecond. Nil if they are as they were sent.
  public var editedTimestamp: Timestamp? { envelope.editedAt }
  /// The time of the last edit of the parts, as a `Date`; see ``editedTimestamp`` for the exact value.
  public var editedAt: Date? { envelope.editedAt?.date }
  /// The time at which the message was deleted for everyone, exact to the microsecond; nil if it was not. It has neither
  /// parts nor metadata then.
  public var deletedTimestamp: Timestamp? { envelope.deletedAt }
  /// The time at which the message was deleted for everyone, as a `Date`; see ``deletedTimestamp`` for the exact value.
  public var deletedAt: Date? { envelope.deletedAt?.date }
  /// The time of the last change of what users see of the message, exact to the microsecond: of its parts, metadata, position,
  /// dates, or of whether it was sent. If nothing of it has changed, when it was received or, without that, sent. Its being read or
  /// delivered does not count.
  public var updatedTimestamp: Timestamp? { envelope.updatedAt ?? envelope.receivedAt ?? envelope.sentAt }
  /// The time of the last change, as a `Date`; see ``updatedTimestamp`` for the exact value and for what counts.
  public var updatedAt: Date? { updatedTimestamp?.date }
  /// True once the service has accepted the message.
  public var isSent: Bool { envelope.isSent }
  /// True until the store's user has read the message.
  public var isUnread: Bool { envelope.isUnread }
  /// The contents, in order. Made at each access, in O(parts): in a loop, keep them in a variable.
  public var parts: [MessagePart] { envelope.parts }
  /// The metadata that the application has attached to the message.
  public var metadata: Metadata { envelope.metadata }
  /// How far the message has been delivered to each recipient. Made at each access, in O(recipients).
  public var recipientStatus: [Identity.ID: RecipientStatus] {
    Dictionary(envelope.recipientStatus.map { ($0.user, $0.status) }, uniquingKeysWith: { _, last in last })
  }
  /// The text of the first part that is a text, of any length; nil if no part is a text.
  public var text: String? { envelope.text }
  /// The beginning of the first part that is a text: its first 256 bytes in UTF-8, less a last scalar that would not be whole. Nil
  /// if no part is a text, and of a message that was deleted for everyone.
  ///
  /// It comes with every message, also with one whose ``text`` does not: one of a query `withoutContents()`, and the last
  /// message of a conversation if its text has more than ``MessagePart/inlineBytes``. Of a text that is stored outside the
  /// message's record one page is read for it, however long the text is.
  /// - Complexity: O(parts before the text). Made at each access.
  public var preview: String? { envelope.preview }
}
