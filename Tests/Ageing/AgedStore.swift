package import SatchelStorage

/// A store that ages: the commits of a chat's life, in a directory. The same seed gives the same file each time.
package struct AgedStore {
  package private(set) var life: ChatLife
  package let store: Store
  package let directory: String

  /// - Parameter change: Changes the options, which are those of a store that waits for its checkpoints and has no thread of its own
  ///   for what was deleted, so that its file follows from the seed.
  package init(
    at directory: String, seed: UInt64, conversations: Int = 1_500,
    _ change: (inout Store.Options) -> Void = { _ in }
  ) throws {
    var options = Store.Options()
    options.durability = .relaxed
    options.journal.commitsBefore = 0
    options.journal.waitsForCheckpoint = true
    options.purgePause = nil
    change(&options)
    self.directory = directory
    life = ChatLife(seed: seed, conversations: conversations)
    store = try Store.open(directory: directory, user: "me", options: options)
  }

  package mutating func deleteHalf() throws { try life.deleteHalf(of: store) }

  package mutating func deleteMessages() throws { try life.deleteMessages(of: store) }

  package mutating func commit(_ times: Int = 1) throws {
    for _ in 0..<times { try life.commit(to: store) }
  }
}
