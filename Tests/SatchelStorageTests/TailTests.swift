import LMDB
import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import StoreModel
import Synchronization
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

/// What transactions have written, one after another.
private final class WrittenChanges: Sendable {
  private let bytes = Mutex<[UInt8]?>(nil)

  /// - Parameter changes: Nil if the transaction was too large to have any: then the file has moved under the tail.
  func put(_ changes: [UInt8]?) {
    if changes == nil { Issue.record("a small transaction has no changes") }
    bytes.withLock { $0 = changes }
  }

  /// Returns the bytes of the last transaction, once; nil if it has changed nothing.
  func take() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = nil }
      return bytes
    }
  }
}

/// A store that changes at random, with the changes of each transaction.
private struct TailScene {
  let directory: TemporaryDirectory
  let store: Store
  let written = WrittenChanges()
  var operations: RandomOperations
  private(set) var compared = 0

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    operations = RandomOperations(seed: seed)
    var options = Store.Options()
    options.durability = .temporaryImport
    options.writerEnvironment.onChanges = { [written] in written.put($0) }
    store = try Store.open(directory: directory.path, user: "me", options: options)
    let seeded = Mutex(operations)
    try store.write { writer in
      try seeded.withLock { operations in for _ in 0..<60 { try operations.step(writer) } }
    }
    operations = seeded.withLock { $0 }
  }

  /// Holds the snapshot of now while transactions follow, and compares it, with their changes, with the newest state.
  mutating func run(commits: Int, comparing every: Int = 1) throws {
    let shared = Mutex(operations)
    compared += try store.environment.read { old in
      var compared = 0
      var tail = try store.emptyTail(old)
      _ = written.take()
      var number = 0
      while number < commits {
        try onAnotherThread { [store] in
          try shared.withLock { operations in
            let steps = 1 + operations.generator.draw(below: operations.generator.chance(10) ? 60 : 5)
            try store.write { writer in for _ in 0..<steps { try operations.step(writer) } }
          }
        }
        // A transaction that changes nothing writes nothing.
        guard let bytes = written.take() else { continue }
        number += 1
        tail = try tail.adding(CommitChanges(bytes, in: tail.arena))
        if number % every == 0 {
          let model = shared.withLock { $0.model }
          let snapshot = try store.snapshot(old, tail: tail)
          #expect(try model.difference(snapshot) == nil)
          try expectScanAsIndexed(snapshot)
          // A thread has one transaction at a time.
          let newest = Mutex<StoreContents?>(nil)
          try onAnotherThread { [store] in
            let contents = try store.read { try StoreContents($0) }
            newest.withLock { $0 = contents }
          }
          try StoreContents(snapshot).expectSame(as: try #require(newest.withLock { $0 }))
          try expectRanks(snapshot)
          compared += 1
        }
      }
      return compared
    }
    operations = shared.withLock { $0 }
  }

  /// Makes transactions, and a tail of them for another store, which is then written to its file.
  mutating func follow(_ commits: Int, in copy: Store) throws {
    var tail = try copy.environment.read { try copy.emptyTail($0) }
    _ = written.take()
    for _ in 0..<commits {
      let steps = 1 + operations.generator.draw(below: operations.generator.chance(10) ? 60 : 5)
      try store.write { writer in for _ in 0..<steps { try operations.step(writer) } }
      guard let bytes = written.take() else { continue }
      tail = try tail.adding(CommitChanges(bytes, in: tail.arena))
    }
    try copy.checkpoint(tail)
  }

  /// Expects that ranks and entries by rank are those that a walk finds.
  private func expectRanks(_ snapshot: Snapshot) throws {
    for index in IndexCatalog.numeric {
      let rows = try StoreContents.rows(index.tree, snapshot)
      #expect(try snapshot.forest.count(index.tree) == rows.count)
      for rank in [0, rows.count / 3, rows.count - 1] where rows.indices.contains(rank) {
        #expect(try snapshot.forest.select(index.tree, rank) == rows[rank])
        let bound = Bound.before(rows[rank], columns: index.tree.keyColumns)
        #expect(try snapshot.forest.rank(index.tree, of: bound) == rank)
      }
    }
  }
}
