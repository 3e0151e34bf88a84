import Satchel
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelWriting

extension FuzzTarget {
  /// A line of an interchange file. An object that is accepted is exported as a line that brings the same object, and that
  /// line is exported as itself.
  static let line = FuzzTarget("line", maximumBytes: 2048) { bytes in
    guard let record = record(in: [UInt8](bytes)) else { return false }
    guard let exported = try export(record) else { return true }
    guard let again = FuzzTarget.record(in: exported) else {
      throw Violation("an exported line is refused: \(String(decoding: exported, as: UTF8.self))")
    }
    try expect(try export(again) == exported, "an exported line is exported otherwise")
    try expect(again == record, "an exported line brings another object: \(record), \(again)")
    return true
  }

  private static func record(in line: [UInt8]) -> InterchangeRecord? {
    var decoder = RecordDecoder()
    guard case .record(let record) = try? decoder.decode(line) else { return nil }
    return record
  }

  /// The line that the object is exported as; nil for an update or a deletion, which are never exported.
  private static func export(_ record: InterchangeRecord) throws -> [UInt8]? {
    var encoder = ObjectEncoder()
    switch record {
    case .identity(let identity): try encoder.append(identity)
    case .conversation(let draft):
      try encoder.append(
        Conversation(
          id: draft.identifier ?? "", participants: draft.participants, createdTimestamp: draft.createdAt,
          isDistinct: draft.isDistinct, metadata: draft.metadata, lastMessage: nil, unreadCount: 0,
          messageCount: 0))
    case .message(let draft, let conversation):
      try encoder.append(Message(envelope(draft, in: conversation))) { _ in [] }
    case .announcement(let draft):
      try encoder.append(Announcement(envelope(draft, in: nil))) { _ in [] }
    case .index(let index): encoder.append(index)
    case .recordType(let type): encoder.append(type)
    case .record(let record): try encoder.append(record)
    case .messageUpdate, .conversationUpdate, .identityUpdate, .messageDeletion, .conversationDeletion,
      .recordUpdate, .recordDeletion:
      return nil
    }
    return encoder.writer.bytes
  }

  private static func envelope(_ draft: MessageDraft, in conversation: Conversation.ID?) -> Envelope {
    Envelope(
      identifier: draft.identifier?.rawValue ?? "", conversation: conversation,
      sender: draft.sender, position: draft.position, sentAt: draft.sentAt, receivedAt: draft.receivedAt,
      isSent: draft.isSent, isUnread: draft.isUnread,
      parts: draft.parts.enumerated().map { index, part in
        MessagePart(
          message: draft.identifier ?? "", index: index, mimeType: part.mimeType, content: part.content,
          size: part.size, transferStatus: part.transferStatus)
      }, recipientStatus: draft.recipientStatus, metadata: draft.metadata)
  }
}
