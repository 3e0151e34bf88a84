import SatchelCoding
import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as its record lies in the file: each property is read when it is asked for, nothing is copied before.
///
/// It is lent to the closure of ``StoreSnapshot/forEachRecord(of:_:)`` and cannot leave it; values that it gives can.
/// What is not at a fixed place of the record is checked when it is read: those properties cost a few steps more, and throw
/// ``SatchelError`` `corrupted`.
public struct MessageRecord: ~Copyable {
  /// Whoever lends the record holds on to the snapshot.
  unowned(unsafe) let snapshot: Snapshot
  let head: MessageHead

  /// The identifier. Allocates a string.
  public var id: Message.ID { get throws { Message.ID(try reading { try snapshot.identifier(of: head) }) } }

  /// The conversation that the message belongs to. O(1); allocates nothing for messages of one conversation in a row.
  public var conversation: Conversation.ID {
    get throws { Conversation.ID(try reading { try snapshot.conversationIdentifier(head.key.conversation) }) }
  }

  /// The user id of the sender. O(1); allocates nothing for senders that have been met.
  public var sender: Identity.ID {
    get throws { Identity.ID(try reading { try snapshot.userText(head.sender) }) }
  }

  /// The place in the conversation; nil while unsent.
  public var position: Int64? { head.position }
  /// When it was sent, with the store's microseconds.
  public var sentTimestamp: Timestamp? { head.sentAt.map(Timestamp.init(microseconds:)) }
  /// When it was received, with the store's microseconds.
  public var receivedTimestamp: Timestamp? { head.receivedAt.map(Timestamp.init(microseconds:)) }
  /// When it was sent.
  public var sentAt: Date? { sentTimestamp?.date }
  /// When it was received.
  public var receivedAt: Date? { receivedTimestamp?.date }
  /// True once the service has taken it.
  public var isSent: Bool { head.isSent }
  /// True until the store's user has read it.
  public var isUnread: Bool { head.isUnread }

  /// How many parts the message has.
  public var partCount: Int { get throws { try view().partCount } }

  /// What the application has tagged it with.
  public var metadata: Metadata {
    get throws {
      let view = try view()
      return view.metadata.isEmpty ? Metadata() : try reading { try snapshot.metadata(of: view) }
    }
  }

  /// The text of the first part that is a text, whatever its length; see ``Message/text``.
  public var text: String? {
    get throws {
      let view = try view()
      guard let (part, index) = view.leadingText else { return nil }
      return try reading { try snapshot.text(of: part, index: index, view) }
    }
  }

  /// How many UTF-8 bytes ``text`` has; nil without one. No text is read.
  public var textSize: Int? { get throws { try view().leadingText.map { Int(clamping: $0.part.length) } } }

  /// Calls `body` with the UTF-8 bytes of ``text`` where they lie, as far as they are in the record (texts of up to 512
  /// bytes are), otherwise with a copy. They have not been checked.
  /// - Returns: What `body` returns; nil without a text.
  public func withTextBytes<Result>(_ body: (RawSpan) throws -> Result) throws -> Result? {
    let view = try view()
    guard let (part, index) = view.leadingText else { return nil }
    guard part.isStored else { return unsafe try body(part.inlineBytes.bytes) }
    let copy = try reading { try snapshot.content(of: part, index: index, in: view.key) }
    return try body(copy.span.bytes)
  }

  /// The message as an object, which may leave the closure.
  public func message() throws -> Message {
    let view = try view()
    return try reading { try snapshot.makeMessage(view) }
  }

  /// What follows the fixed fields, checked.
  private func view() throws -> MessageView { try reading { try snapshot.view(of: head) } }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw SatchelError.translating(error, store: snapshot.transaction.environment.path)
    }
  }
}
