import RecordStore
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// A snapshot of LMDB with a tail is the state of the tail's last commit, for every way to read it.
@Suite struct TailTests {
  @Test func anOlderFileWithATailIsTheNewestState() throws {
    let seed = TestEnvironment.seed(for: "anOlderFileWithATailIsTheNewestState")
    var scene = try TailScene(seed: seed)
    for _ in 0..<TestEnvironment.rounds(8) {
      let commits = scene.operations.generator.draw(from: [1, 5, 20])
      try scene.run(commits: commits)
    }
    #expect(scene.compared > 0)
  }

  /// A tail so long that its small runs become large ones many times.
  @Test func aLongTailIsTheNewestState() throws {
    var scene = try TailScene(seed: TestEnvironment.seed(for: "aLongTailIsTheNewestState"))
    try scene.run(commits: 300, comparing: 50)
    #expect(scene.compared == 6)
  }

  /// A copy of the file catches up with the store by checkpoints of the changes, and is the same then.
  @Test func checkpointsBringACopyUpToDate() throws {
    let seed = TestEnvironment.seed(for: "checkpointsBringACopyUpToDate")
    var scene = try TailScene(seed: seed)
    let path = try TemporaryDirectory().path + "/copy"
    _ = try scene.store.backup(to: path)
    let copy = try openStore(path, user: nil)
    for commits in [1, 2, 10, 60, 200] {
      try scene.follow(commits, in: copy)
      try expectSound(copy)
      let (found, expected) = try (copy.read(StoreContents.init), scene.store.read(StoreContents.init))
      found.expectSame(as: expected)
      #expect(try copy.read { try scene.operations.model.difference($0) } == nil)
    }
    // What follows on the copy finds it as a store that has always been written by itself.
    var operations = scene.operations
    try copy.write { writer in for _ in 0..<50 { try operations.step(writer) } }
    #expect(try copy.read { try operations.model.difference($0) } == nil)
    try expectSound(copy)
  }

  @Test func aCheckpointOfAnotherCommitIsRefused() throws {
    let scene = try TailScene(seed: 4)
    let tail = try scene.store.environment.read { try scene.store.emptyTail($0) }
    try scene.store.write { try $0.setFollowed(true, "someone") }
    let bytes = try #require(scene.written.take())
    let added = try tail.adding(CommitChanges(bytes, in: tail.arena))
    #expect(throws: (any Error).self) { try scene.store.checkpoint(added) }
    try expectSound(scene.store)
  }

  @Test func aTailOfAnotherCommitIsRefused() throws {
    let scene = try TailScene(seed: 1)
    let older = try scene.store.environment.read { try scene.store.emptyTail($0) }
    try scene.store.write { try $0.setFollowed(true, "someone") }
    try scene.store.environment.read { transaction in
      _ = #expect(throws: (any Error).self) { try scene.store.snapshot(transaction, tail: older) }
    }
  }

  @Test func aTransactionIsAddedOnce() throws {
    let scene = try TailScene(seed: 2)
    let tail = try scene.store.environment.read { try scene.store.emptyTail($0) }
    try scene.store.write { try $0.setFollowed(true, "someone") }
    let bytes = try #require(scene.written.take())
    let added = try tail.adding(CommitChanges(bytes, in: tail.arena))
    #expect(added.seal.commit == tail.seal.commit + 1)
    #expect(throws: (any Error).self) { try added.adding(CommitChanges(bytes, in: tail.arena)) }
  }

  /// Whatever the bytes are, they are read or refused.
  @Test func damagedBytesAreRefused() throws {
    var random = SeededGenerator()
    let scene = try TailScene(seed: 3)
    try scene.store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.insertMessage(MessageDraft(sender: "bob", position: 1, parts: [.text("text")]), in: "c")
      try writer.deleteConversation("c")
      try writer.setFollowed(true, "carol")
    }
    let bytes = try #require(scene.written.take())
    #expect(try CommitChanges(bytes, in: RecordArena()).encode() == bytes)
    for length in 0..<bytes.count {
      #expect(throws: (any Error).self) { try CommitChanges(Array(bytes[..<length]), in: RecordArena()) }
    }
    #expect(throws: (any Error).self) { try CommitChanges(bytes + [0], in: RecordArena()) }
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? CommitChanges(damaged, in: RecordArena())
    }
  }
}
