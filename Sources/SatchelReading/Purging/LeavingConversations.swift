/// The conversations that a write has deleted whose messages are still in the indexes. Those of many leave together.
package struct LeavingConversations: Sendable {
  /// Whether queries may return the messages, by row.
  package private(set) var conversations: [UInt32: Bool] = [:]
  package private(set) var messages: UInt64 = 0
  /// The messages of conversations that the write has deleted, also of those that have left.
  private var deleted: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { conversations.isEmpty }

  /// Counts the messages of a conversation that is being deleted. Returns whether it is to be added: the first ones of a write leave at
  /// once.
  package mutating func takes(_ messages: UInt64) -> Bool {
    deleted += messages
    return deleted > UInt64(Self.mostAtOnce)
  }

  package mutating func add(_ row: UInt32, isVisible: Bool, messages: UInt64) {
    conversations[row] = isVisible
    self.messages += messages
  }

  /// Returns them, and forgets them.
  package mutating func take() -> LeavingConversations {
    defer {
      conversations = [:]
      messages = 0
    }
    return self
  }

  /// Of how few objects a deletion removes the entries in indexes at once, by their keys.
  package static let mostAtOnce = 4096
}
