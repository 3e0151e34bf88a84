public import SatchelModel
public import SatchelRecords

/// That a message answers another one.
///
/// It is kept as a record: the queries of ``recordType`` are queries for replies, and `as: Reply.self` gives values.
public struct Reply: StorableRecord, Hashable {
  /// The type of the records: `_reply`.
  public static var recordType: RecordType { StoreFeature.threads.recordType }

  /// The message that answers.
  public let message: Message.ID
  /// The message that it answers, which need not be in the store yet; nil if that one was deleted.
  public let parent: Message.ID?

  init(message: Message.ID, parent: Message.ID?) {
    self.message = message
    self.parent = parent
  }

  /// The name of the record: the identifier of the message that answers.
  public var id: String { message.rawValue }

  private enum Key: String, CodingKey { case message, parent }

  /// Decodes what `encode(to:)` encodes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    message = Message.ID(try container.decode(Reference.self, forKey: .message).name)
    parent = try container.decodeIfPresent(Reference.self, forKey: .parent).map { Message.ID($0.name) }
  }

  /// Encodes the fields of the record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Reference(message), forKey: .message)
    try container.encodeIfPresent(parent.map { Reference($0) }, forKey: .parent)
  }
}
