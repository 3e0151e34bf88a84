import LMDB
import RankedKeys
import RecordStore
import SatchelIndexing
import SatchelReading
import SatchelStorage
import StoreModel
import Synchronization
import TestSupport
import Testing

/// What transactions have written, one after another.
final class WrittenChanges: Sendable {
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
struct TailScene {
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

  /// Makes transactions, and returns the bytes of their changes.
  mutating func makeCommits(_ commits: Int) throws -> [[UInt8]] {
    var changes: [[UInt8]] = []
    _ = written.take()
    while changes.count < commits {
      let steps = 1 + operations.generator.draw(below: 4)
      try store.write { writer in for _ in 0..<steps { try operations.step(writer) } }
      if let bytes = written.take() { changes.append(bytes) }
    }
    return changes
  }

  /// Expects that ranks and entries by rank are those that a walk finds.
  func expectRanks(_ snapshot: Snapshot) throws {
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
