/// A conversation to ask for, by the name that Satchel knows and the row that a relational program would have at hand.
public struct ConversationKey: Sendable {
  public let identifier: String
  public let row: Int64
  public let messageCount: Int
  public let unreadCount: Int
}

/// A message to ask for.
public struct MessageKey: Sendable {
  public let identifier: String
  public let row: Int64
  public let position: Int64
  public let conversation: ConversationKey
}

/// What the workloads ask for, the same of every engine; chosen by a fixed seed.
public struct Keys: Sendable {
  /// Visible messages at random: a conversation by them is one by its weight.
  public private(set) var messages: [MessageKey] = []
  /// Visible conversations, the largest first.
  public private(set) var conversations: [ConversationKey] = []
  /// How many visible messages there are, and how many of them have a time at which they were sent.
  public private(set) var messageCount = 0
  public private(set) var sentCount = 0
  /// Stretches of a tenth of the sent messages, in microseconds since 1970, both ends included.
  public private(set) var tenths: [ClosedRange<Int64>] = []
  /// Places in the list of all messages by the time they were sent, with 20 rows behind them.
  public private(set) var offsets: [Int] = []
  /// What the example queries ask for: as Scripts/demo.sh chooses it.
  public private(set) var exampleConversation: ConversationKey?
  public private(set) var exampleSender = ""
  /// A week before the second in which the newest message was sent.
  public private(set) var weekStart: Int64 = 0

  init(_ connection: SQLiteConnection, user: String) throws {
    var random = SplitMix(seed: 20_260_630)
    try readConversations(connection)
    try readMessages(connection, &random)
    try readTimes(connection, &random)
    let sender = try connection.prepare(
      "SELECT sender FROM message WHERE conversation = ?1 AND sender <> ?2 ORDER BY id LIMIT 1")
    sender.bind(1, exampleConversation?.row)
    sender.bind(2, user)
    exampleSender = try sender.texts().first ?? user
  }

  private mutating func readConversations(_ connection: SQLiteConnection) throws {
    let all = try connection.prepare(
      """
      SELECT identifier, id, message_count, unread_count, last_received_at FROM conversation WHERE visible = 1
      ORDER BY message_count DESC, id
      """)
    defer { all.reset() }
    var newest = Int64.min
    while try all.step() {
      let key = ConversationKey(
        identifier: all.text(0), row: all.integer(1), messageCount: Int(all.integer(2)),
        unreadCount: Int(all.integer(3)))
      conversations.append(key)
      messageCount += key.messageCount
      // The conversation of more than twenty messages that was heard of last; of the largest one otherwise.
      if exampleConversation == nil { exampleConversation = key }
      if key.messageCount > 20, !all.isNull(4), all.integer(4) > newest {
        newest = all.integer(4)
        exampleConversation = key
      }
    }
  }

  private mutating func readMessages(_ connection: SQLiteConnection, _ random: inout SplitMix) throws {
    let byRow = Dictionary(uniqueKeysWithValues: conversations.map { ($0.row, $0) })
    let last = try connection.prepare("SELECT max(id) FROM message").number()
    let message = try connection.prepare(
      """
      SELECT identifier, id, position, conversation FROM message
      WHERE id >= ?1 AND visible = 1 AND position < \(Schema.unsent) ORDER BY id LIMIT 1
      """)
    while messages.count < 256 {
      message.bind(1, Int64(random.below(Int(last))) + 1)
      defer { message.reset() }
      guard try message.step(), let conversation = byRow[message.integer(3)] else { continue }
      messages.append(
        MessageKey(
          identifier: message.text(0), row: message.integer(1), position: message.integer(2),
          conversation: conversation))
    }
  }

  private mutating func readTimes(_ connection: SQLiteConnection, _ random: inout SplitMix) throws {
    sentCount = Int(
      try connection.prepare("SELECT count(*) FROM message WHERE visible = 1 AND sent_at IS NOT NULL")
        .number())
    let newest = try connection.prepare("SELECT max(sent_at) FROM message WHERE visible = 1").number()
    weekStart = newest / 1_000_000 * 1_000_000 - 7 * 86_400_000_000
    let time = try connection.prepare(
      """
      SELECT sent_at FROM message WHERE visible = 1 AND sent_at IS NOT NULL ORDER BY sent_at LIMIT 1 OFFSET ?1
      """)
    for _ in 0..<16 {
      let start = random.below(max(1, sentCount - sentCount / 10))
      time.bind(1, Int64(start))
      let lower = try time.number()
      time.bind(1, Int64(min(start + sentCount / 10, sentCount - 1)))
      tenths.append(lower...max(lower, try time.number()))
    }
    offsets = (0..<256).map { _ in random.below(max(1, messageCount - 20)) }
  }
}

/// A small generator of numbers that are the same everywhere.
public struct SplitMix: Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number below a bound.
  public mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
