/// A message that all engines have, as it was loaded, and the rows that a relational program would have at hand.
public struct KnownMessage: Sendable {
  public let row: Int64
  public let conversation: ConversationKey
  public let record: MessageValues

  /// The message with another text, edited at a time: as a service delivers it again.
  public func edited(text: String, at date: Int64) -> KnownMessage {
    var record = record
    record.parts[0].text = text
    record.parts[0].size = Int64(text.utf8.count)
    record.editedAt = date
    return KnownMessage(row: row, conversation: conversation, record: record)
  }
}

/// Messages of the load for what happens in a message's life, at random by a fixed seed: none is taken twice.
public struct LivingMessages {
  private let row: SQLiteStatement
  private let message: SQLiteStatement
  private let last: Int64
  private let conversations: [Int64: ConversationKey]
  private var random = SplitMix(seed: 20_260_701)
  private var taken: Set<Int64> = []

  public init(_ data: LoadedDataset) throws {
    let connection = data.sqlite.connection
    row = try connection.prepare("SELECT conversation FROM message WHERE id = ?1")
    message = try connection.prepare(
      SQL.messages(
        """
        SELECT id FROM message
        WHERE id = ?1 AND visible = 1 AND is_sent = 1 AND position < \(Schema.unsent) AND sent_at IS NOT NULL
          AND received_at IS NOT NULL
        """))
    last = try connection.prepare("SELECT max(id) FROM message").number()
    conversations = Dictionary(uniqueKeysWithValues: data.keys.conversations.map { ($0.row, $0) })
  }

  /// Takes so many sent messages that begin with a text and have no content too large to come with them; fewer where there are few.
  public mutating func take(_ count: Int) throws -> [KnownMessage] {
    var messages: [KnownMessage] = []
    for _ in 0..<count * 20 where messages.count < count {
      let id = Int64(random.below(Int(last))) + 1
      guard !taken.contains(id), let record = try message.bind(1, id).messages().first,
        let conversation = conversations[try row.bind(1, id).number()],
        record.parts.first?.kind == .text,
        record.parts.allSatisfy({ $0.text != nil || $0.data != nil })
      else { continue }
      taken.insert(id)
      messages.append(KnownMessage(row: id, conversation: conversation, record: record))
    }
    return messages
  }
}
