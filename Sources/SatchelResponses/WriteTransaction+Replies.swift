public import Satchel
import SatchelCoding
public import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelText
import SatchelWriting

extension WriteTransaction {
  /// Adds a message that the store's user sends, as `send(_:to:id:metadata:)` does, and that answers another one, in whose conversation it is.
  /// - Parameters:
  ///   - parent: The message that it answers, by any of its identifiers.
  ///   - parts: The contents, in order.
  ///   - id: The identifier; nil to have a new one made.
  ///   - metadata: The metadata of the message.
  /// - Returns: The identifier of the reply.
  /// - Throws: ``SatchelError`` `unknownRecordType` if threads are off in the store; `unknownMessage`; and as `send(_:to:id:metadata:)`. In each
  ///   case nothing has changed.
  @discardableResult
  public func reply(
    to parent: Message.ID, with parts: [MessagePart.Draft], id: Message.ID? = nil,
    metadata: Metadata = Metadata()
  ) throws -> Message.ID {
    let (conversation, name) = try perform {
      _ = try writer.flushed.read { try $0.recordType(of: .threads) }
      let (key, fields) = try existingMessage(parent)
      return (try writer.conversation(of: key), fields.id)
    }
    let message = try send(parts, to: conversation, id: id, metadata: metadata)
    _ = try perform { try writer.save(Record(Reply(message: message, parent: name))) }
    return message
  }

  /// Says which message another one answers, such as one that was received.
  /// - Parameters:
  ///   - parent: The message that is answered, which need not be there yet, or an announcement, which may be answered from every
  ///     conversation; nil if the message answers none.
  ///   - message: The message that answers, by any of its identifiers.
  /// - Throws: ``SatchelError`` `unknownRecordType` if threads are off in the store; `unknownMessage`; `invalidIdentifier`; `invalidValue` if a
  ///   message is to answer itself, or one of another conversation. In each case nothing has changed.
  /// - Complexity: O(log n).
  public func setParent(_ parent: Message.ID?, of message: Message.ID) throws {
    try perform {
      let type = Reply.recordType.name
      _ = try writer.flushed.read { try $0.recordType(of: .threads) }
      let (key, fields) = try existingMessage(message)
      guard let parent else {
        let id = Record.ID(type: type, name: fields.id.rawValue)
        if try writer.hasRecord(id) { try writer.delete(record: id) }
        return
      }
      try Writer.check(identifier: parent.rawValue, "parent")
      let found = try writer.findMessage(parent)
      guard !fields.names.contains(where: { UTF8Order.areEqual($0, parent.rawValue) }) else {
        throw SatchelError(.invalidValue, "A message cannot answer itself", ["message": message.rawValue])
      }
      guard found.map({ $0.key.conversation == key.conversation }) ?? true else {
        throw SatchelError(
          .invalidValue, "A message answers one of its own conversation",
          ["message": message.rawValue, "parent": parent.rawValue])
      }
      try writer.save(Record(Reply(message: fields.id, parent: found?.fields.id ?? parent)))
    }
  }
}
