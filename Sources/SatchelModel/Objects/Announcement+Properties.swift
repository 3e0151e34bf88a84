#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Announcement {
  /// The identifier that a server has given the announcement, set once; nil if it has given none. Where an identifier of
  /// an announcement is asked for, this one finds it as well.
  public var remoteID: ID? { envelope.remoteID.map { ID($0) } }
  /// The user id of the sender.
  public var sender: Identity.ID { envelope.sender }
  /// The position that the announcement was given; nil if it was given none.
  public var position: Int64? { envelope.position }
  /// The time at which the announcement was sent, exact to the microsecond. Nil if unknown.
  public var sentTimestamp: Timestamp? { envelope.sentAt }
  /// The time at which the announcement was received, exact to the microsecond. Nil if unknown.
  public var receivedTimestamp: Timestamp? { envelope.receivedAt }
  /// The time at which the announcement was sent, as a `Date`; see ``sentTimestamp`` for the exact value.
  public var sentAt: Date? { envelope.sentAt?.date }
  /// The time at which the announcement was received, as a `Date`; see ``receivedTimestamp`` for the exact value.
  public var receivedAt: Date? { envelope.receivedAt?.date }
  /// The time of the last edit of the parts, exact to the microsecond. Nil if they are as they were sent.
  public var editedTimestamp: Timestamp? { envelope.editedAt }
  /// The time of the last edit of the parts, as a `Date`; see ``editedTimestamp`` for the exact value.
  public var editedAt: Date? { envelope.editedAt?.date }
  /// The time at which the announcement was deleted for everyone, exact to the microsecond; nil if it was not. It has neither
  /// parts nor metadata then.
  public var deletedTimestamp: Timestamp? { envelope.deletedAt }
  /// The time at which the announcement was deleted for everyone, as a `Date`; see ``deletedTimestamp`` for the exact value.
  public var deletedAt: Date? { envelope.deletedAt?.date }
  /// The time of the last change of what users see of the announcement, exact to the microsecond: of its parts, metadata, position,
  /// dates, or of whether it was sent. If nothing of it has changed, when it was received or, without that, sent. Its being read or
  /// delivered does not count.
  public var updatedTimestamp: Timestamp? { envelope.updatedAt ?? envelope.receivedAt ?? envelope.sentAt }
  /// The time of the last change, as a `Date`; see ``updatedTimestamp`` for the exact value and for what counts.
  public var updatedAt: Date? { updatedTimestamp?.date }
  /// True once the service has accepted the announcement.
  public var isSent: Bool { envelope.isSent }
  /// True until the store's user has read the announcement.
  public var isUnread: Bool { envelope.isUnread }
  /// The contents, in order. Made at each access, in O(parts): in a loop, keep them in a variable.
  public var parts: [MessagePart] { envelope.parts }
  /// The metadata that the application has attached to the announcement.
  public var metadata: Metadata { envelope.metadata }
  /// How far the announcement has been delivered to each recipient. Made at each access, in O(recipients).
  public var recipientStatus: [Identity.ID: RecipientStatus] {
    Dictionary(envelope.recipientStatus.map { ($0.user, $0.status) }, uniquingKeysWith: { _, last in last })
  }
  /// The text of the first part that is a text, of any length; nil if no part is a text.
  public var text: String? { envelope.text }
  /// The beginning of the first part that is a text, its first 256 bytes as whole scalars; nil if no part is a text. See
  /// ``Message/preview``.
  public var preview: String? { envelope.preview }
}
