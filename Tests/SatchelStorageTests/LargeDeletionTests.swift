import RankedIndex
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// Writes that delete so many messages that their entries do not leave the indexes one conversation after another.
@Suite struct LargeDeletionTests {
  /// How the entries of the messages that do not leave at once leave the indexes.
  enum Way: CaseIterable {
    /// They are a large part of all.
    case swept
    /// They are few.
    case byTheirKeys

    var messages: Int { self == .swept ? 3000 : 10 }
  }

  private struct GivenUp: Error {}

  /// Makes `a`, whose messages leave at once if it is deleted first, `b`, and `d`, which stays.
  private func fill(_ store: Store, _ way: Way) throws {
    try PurgeScene.fill(store, "a", messages: 4090, withContents: 0)
    try PurgeScene.fill(store, "b", messages: way.messages, withContents: 5)
    try PurgeScene.fill(store, "d", messages: 600, withContents: 5)
    // Some are in the journal alone.
    for name in ["b", "d"] {
      try store.write {
        _ = try $0.send([.text("late")], to: Conversation.ID(name), identifier: Message.ID("late \(name)"))
      }
    }
  }

  private static func delete(_ writer: Writer) throws {
    try writer.deleteConversation("a")
    try writer.deleteConversation("b")
  }

  @Test(arguments: Way.allCases) func whatIsDeletedIsGoneAtOnce(_ way: Way) throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try fill(store, way)
    try store.write { writer in
      for name in ["b", "d"] {
        _ = try writer.send([.text("new")], to: Conversation.ID(name), identifier: Message.ID("new \(name)"))
      }
      try Self.delete(writer)
      for id in ["a1", "b1", "late b", "new b"] {
        #expect(code { try writer.deleteMessage(Message.ID(id)) } == .unknownMessage)
      }
      // The identifiers are free again, also those of the same write.
      for id in ["b1", "new b"] { _ = try writer.send([], to: "d", identifier: Message.ID(id)) }
      #expect(code { _ = try writer.send([], to: "d", identifier: "b1") } == .identifierExists)
      try writer.deleteMessage("d3")
      _ = try writer.createConversation(ConversationDraft(identifier: "b", participants: ["bob"]))
      _ = try writer.send([], to: "b", identifier: "b2")
      try writer.read { snapshot in
        try #expect(snapshot.forest.count(IndexCatalog.messagePlace.tree) == 604)
        try #expect(snapshot.locateMessage("b3") == nil)
        try #expect(snapshot.locateMessage("b1") != nil)
      }
      #expect(code { _ = try writer.send([], to: "d", identifier: "b2") } == .identifierExists)
    }
    try expectSound(store)
    try store.read { snapshot in
      try #expect(snapshot.forest.count(IndexCatalog.messagePlace.tree) == 604)
      #expect(snapshot.seal[.purge].count == 2)
      for id in ["a1", "b3", "late b", "d3"] { try #expect(snapshot.locateMessage(id) == nil) }
      for id in ["b1", "b2", "new b", "new d", "late d", "d4"] {
        try #expect(snapshot.locateMessage(id) != nil)
      }
    }
    while try store.read({ $0.seal[.purge].count > 0 }) { try store.write { _ = try $0.send([], to: "d") } }
    try expectSound(store)
  }

  /// What an index has lost in the transaction of others comes back if the write fails.
  @Test(arguments: Way.allCases, [false, true])
  func theOthersStay(_ way: Way, fails: Bool) async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    try fill(scene.store, way)
    let bodies: [WritersInLine.Body] = [
      { _ = try $0.send([], to: "d", identifier: "before") },
      { writer in
        try Self.delete(writer)
        // It is read, so that all of it is done.
        try writer.read { _ = try $0.locateMessage("b1") }
        if fails { throw GivenUp() }
      },
      { writer in
        #expect(
          code { _ = try writer.send([], to: "b", identifier: "after") }
            == (fails ? nil : .unknownConversation))
      },
    ]
    for (index, outcome) in try await scene.run(bodies).enumerated() {
      if case .failure(let error) = outcome { #expect(index == 1 && fails && error is GivenUp, "\(error)") }
    }
    try expectSound(scene.store)
    let count = try scene.store.read { try $0.forest.count(IndexCatalog.messagePlace.tree) }
    #expect(count == 602 + (fails ? 4090 + way.messages + 2 : 0))
  }

  /// Conversations of all sizes, of which one write deletes some.
  @Test func anyConversationsAreDeletedTogether() throws {
    let seed = TestEnvironment.seed(for: "anyConversationsAreDeletedTogether")
    var random = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    var sizes: [Int] = []
    for number in 0..<60 {
      sizes.append([0, 1, 30, 200, 1200][random.draw(below: 5)])
      try PurgeScene.fill(store, "c\(number)-", messages: sizes[number], withContents: 0)
    }
    var left = Set(0..<60)
    for _ in 0..<4 {
      let gone = left.sorted().filter { _ in random.chance(40) }
      left.subtract(gone)
      try store.write { writer in
        for number in gone { try writer.deleteConversation(Conversation.ID("c\(number)-")) }
      }
      try expectSound(store)
      let count = try store.read { try $0.forest.count(IndexCatalog.messagePlace.tree) }
      #expect(count == left.reduce(0) { $0 + sizes[$1] }, "seed \(seed)")
    }
  }
}
