import SatchelCoding
import SatchelReading
import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The record of a message in the file. Each property is read when it is asked for; nothing is copied before.
///
/// The record is lent to the closure of ``StoreSnapshot/forEachRecord(of:_:)`` and cannot leave it; the values of its
/// properties can. A property that is not at a fixed offset of the record is checked when it is read: it costs a few
/// steps more, and may throw ``SatchelError`` `corrupted`.
public struct MessageRecord: ~Copyable {
  /// Not retained: the function that lends the record keeps the snapshot alive. It is safe to use, because the record
  /// cannot leave that function's closure.
  @safe unowned(unsafe) let snapshot: Snapshot
  let head: MessageHead
  /// How many changes the snapshot's transaction had made when the record was lent.
  let changes: Int

  init(snapshot: Snapshot, head: MessageHead) {
    self.snapshot = snapshot
    self.head = head
    changes = snapshot.changes
  }

  /// The identifier of the message. Reading it allocates a string.
  public var id: Message.ID { get throws { Message.ID(try reading { try snapshot.identifier(of: head) }) } }

  /// The conversation that the message belongs to. O(1); allocates nothing for successive messages of one conversation.
  public var conversation: Conversation.ID {
    get throws { Conversation.ID(try reading { try snapshot.conversationIdentifier(head.key.conversation) }) }
  }

  /// The user id of the sender. O(1); allocates nothing for a sender that was read before.
  public var sender: Identity.ID {
    get throws { Identity.ID(try reading { try snapshot.userText(head.sender) }) }
  }

  /// The position in the conversation; nil while the message is unsent.
  public var position: Int64? { head.position }
  /// The time at which the message was sent, exact to the microsecond. Nil if unknown.
  public var sentTimestamp: Timestamp? { head.sentAt.map(Timestamp.init(microseconds:)) }
  /// The time at which the message was received, exact to the microsecond. Nil if unknown.
  public var receivedTimestamp: Timestamp? { head.receivedAt.map(Timestamp.init(microseconds:)) }
  /// The time at which the message was sent, as a `Date`; see ``sentTimestamp`` for the exact value.
  public var sentAt: Date? { sentTimestamp?.date }
  /// The time at which the message was received, as a `Date`; see ``receivedTimestamp`` for the exact value.
  public var receivedAt: Date? { receivedTimestamp?.date }
  /// The time of the last edit of the parts, exact to the microsecond. Nil if they are as they were sent.
  public var editedTimestamp: Timestamp? { head.editedAt.map(Timestamp.init(microseconds:)) }
  /// The time of the last edit of the parts, as a `Date`; see ``editedTimestamp`` for the exact value.
  public var editedAt: Date? { editedTimestamp?.date }
  /// The time at which the message was deleted for everyone, exact to the microsecond; nil if it was not.
  public var deletedTimestamp: Timestamp? { head.deletedAt.map(Timestamp.init(microseconds:)) }
  /// The time at which the message was deleted for everyone, as a `Date`; see ``deletedTimestamp`` for the exact value.
  public var deletedAt: Date? { deletedTimestamp?.date }
  /// The time of the last change of what users see, its arrival included, exact to the microsecond.
  public var updatedTimestamp: Timestamp? { head.lastChange.map(Timestamp.init(microseconds:)) }
  /// The time of the last change, as a `Date`; see ``updatedTimestamp`` for the exact value.
  public var updatedAt: Date? { updatedTimestamp?.date }
  /// True once the service has accepted the message.
  public var isSent: Bool { head.isSent }
  /// True until the store's user has read the message.
  public var isUnread: Bool { head.isUnread }

  /// The number of parts of the message.
  public var partCount: Int { get throws { try view().partCount } }

  /// The metadata that the application has attached to the message.
  public var metadata: Metadata {
    get throws {
      let view = try view()
      return view.metadata.isEmpty ? Metadata() : try reading { try snapshot.metadata(of: view) }
    }
  }

  /// The text of the first part that is a text, of any length; nil if no part is a text. See ``Message/text``.
  public var text: String? {
    get throws {
      let view = try view()
      guard let (part, index) = view.leadingText else { return nil }
      return try reading { try snapshot.text(of: part, index: index, view) }
    }
  }

  /// The beginning of ``text``, its first 256 bytes as whole scalars; nil if no part is a text. See ``Message/preview``. Reads at most
  /// one page beside the record.
  public var preview: String? {
    get throws {
      let view = try view()
      guard let (part, index) = view.leadingText else { return nil }
      return try reading { try snapshot.preview(of: part, index: index, view) }
    }
  }

  /// The number of UTF-8 bytes of ``text``; nil if no part is a text. Reads no text.
  public var textSize: Int? { get throws { try view().leadingText.map { Int(clamping: $0.part.length) } } }

  /// Calls `body` with the UTF-8 bytes of ``text``.
  ///
  /// If the text is in the record, `body` gets those bytes without a copy; otherwise it gets a copy. A record holds
  /// texts of up to 512 bytes, as long as all contents in it have at most 1,024 bytes together. The bytes are not
  /// checked to be valid UTF-8.
  /// - Returns: What `body` returns; nil if no part is a text.
  /// - Throws: ``SatchelError`` `corrupted`; what `body` throws is passed on.
  public func withTextBytes<Result>(_ body: (RawSpan) throws -> Result) throws -> Result? {
    let view = try view()
    guard let (part, index) = view.leadingText else { return nil }
    guard part.isStored else { return unsafe try body(part.inlineBytes.bytes) }
    let copy = try reading { try snapshot.content(of: part, index: index, in: view.key) }
    return unsafe try body(copy.span.bytes)
  }

  /// Returns the message as an object, which may leave the closure.
  /// - Throws: ``SatchelError`` `corrupted`.
  public func message() throws -> Message {
    let view = try view()
    return try reading { try snapshot.makeMessage(view) }
  }

  /// Returns the record with everything after the fixed fields checked.
  private func view() throws -> MessageView { try reading { try snapshot.view(of: head) } }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      // What lies outside of the record may have gone with it: that is no damage.
      try snapshot.checkUnchanged(since: changes)
      throw SatchelError.translating(error, store: snapshot.transaction.environment.path)
    }
  }
}
