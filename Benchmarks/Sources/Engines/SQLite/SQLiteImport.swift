/// Where the rows of an import go: the same work for plain SQLite and GRDB.
protocol RowSink {
  func insert(_ identity: IdentityValues) throws
  /// - Returns: The row.
  func insert(_ conversation: ConversationValues, participants: String, participates: Bool) throws -> Int64
  /// - Returns: The row; nil when there is a message of that identifier.
  func insert(_ message: MessageValues, conversation: Int64, visible: Bool) throws -> Int64?
  func insertAnnouncement(_ announcement: MessageValues) throws
  func setState(_ state: ConversationState) throws
}

/// What an import keeps of a conversation until its row can be completed.
struct ConversationState {
  let row: Int64
  let participates: Bool
  var messageCount: Int64 = 0
  var unreadCount: Int64 = 0
  var lastMessage: Int64?
  var lastPosition = Int64.min
  var lastReceivedAt: Int64?
}

/// Takes the records of a file into the tables of `Schema`.
struct RowImport<Sink: RowSink> {
  private let sink: Sink
  private let user: String
  private var conversations: [String: Int] = [:]
  private var states: [ConversationState] = []
  private(set) var messageCount = 0

  init(into sink: Sink, user: String) {
    self.sink = sink
    self.user = user
  }

  mutating func add(_ record: LineRecord) throws {
    switch record {
    case .identity(let identity): try sink.insert(identity)
    case .announcement(let announcement): try sink.insertAnnouncement(announcement)
    case .conversation(let conversation):
      if conversations[conversation.identifier] != nil { return }
      let participants = Set(conversation.participants).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let participates = participants.contains(user)
      let row = try sink.insert(
        conversation, participants: participants.joined(separator: "\n"), participates: participates)
      conversations[conversation.identifier] = states.count
      states.append(ConversationState(row: row, participates: participates))
    case .message(let message):
      guard let index = conversations[message.conversation] else { return }
      guard
        let row = try sink.insert(
          message, conversation: states[index].row, visible: states[index].participates)
      else { return }
      messageCount += 1
      states[index].add(message, row: row)
    }
  }

  /// Completes the conversations' rows.
  func finish() throws {
    for state in states where state.messageCount > 0 { try sink.setState(state) }
  }
}

extension ConversationState {
  mutating func add(_ message: MessageValues, row: Int64) {
    messageCount += 1
    if message.isUnread { unreadCount += 1 }
    let position = message.position ?? Schema.unsent
    guard position >= lastPosition else { return }
    lastMessage = row
    lastPosition = position
    lastReceivedAt = message.receivedAt
  }
}
