#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Message {
  /// The user id of the sender, who need not be a participant.
  public var sender: Identity.ID { envelope.sender }
  /// The place in the conversation, comparable within one conversation only; nil while unsent.
  public var position: Int64? { envelope.position }
  /// When it was sent, with the store's microseconds; see ``sentAt``.
  public var sentTimestamp: Timestamp? { envelope.sentAt }
  /// When it was received, with the store's microseconds; see ``receivedAt``.
  public var receivedTimestamp: Timestamp? { envelope.receivedAt }
  /// When it was sent.
  public var sentAt: Date? { envelope.sentAt?.date }
  /// When it was received.
  public var receivedAt: Date? { envelope.receivedAt?.date }
  /// True once the service has taken it.
  public var isSent: Bool { envelope.isSent }
  /// True until the store's user has read it.
  public var isUnread: Bool { envelope.isUnread }
  /// The contents, in order. Made at each access, O(contents): keep them for a loop.
  public var parts: [MessagePart] { envelope.parts }
  /// What the application has tagged it with.
  public var metadata: Metadata { envelope.metadata }
  /// How far it has come on its way to each recipient. Made at each access, O(recipients).
  public var recipientStatus: [Identity.ID: RecipientStatus] {
    Dictionary(envelope.recipientStatus.map { ($0.user, $0.status) }, uniquingKeysWith: { _, last in last })
  }
  /// The text of the first part that is a text, whatever its length; nil where no part is one.
  public var text: String? { envelope.text }
}
