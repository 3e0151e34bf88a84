/// The conversations that a write has deleted whose messages are still in the indexes. Those of many leave together.
struct LeavingConversations {
  /// Whether queries may return the messages, by row.
  private(set) var conversations: [UInt32: Bool] = [:]
  private(set) var messages: UInt64 = 0
  /// The messages of conversations that the write has deleted, also of those that have left.
  private var deleted: UInt64 = 0

  var isEmpty: Bool { conversations.isEmpty }

  /// Counts the messages of a conversation that is being deleted. Returns whether it is to be added: the first ones of a write leave at
  /// once.
  mutating func takes(_ messages: UInt64) -> Bool {
    deleted += messages
    return deleted > Self.mostAtOnce
  }

  mutating func add(_ row: UInt32, isVisible: Bool, messages: UInt64) {
    conversations[row] = isVisible
    self.messages += messages
  }

  /// Returns them, and forgets them.
  mutating func take() -> LeavingConversations {
    defer {
      conversations = [:]
      messages = 0
    }
    return self
  }

  private static let mostAtOnce: UInt64 = 4096
}
