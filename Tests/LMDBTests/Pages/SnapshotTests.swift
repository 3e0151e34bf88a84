import LMDB
import LMDBScenes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Snapshots beside writers: each is exactly one commit, the one that it is named after.
@Suite struct SnapshotTests {
  private static let keys = 40

  /// Every value of both tables becomes the number of the transaction.
  private static func commit(_ environment: Environment, _ tables: [Database]) throws {
    try environment.write { transaction in
      for table in tables {
        for key in 0..<UInt64(keys) {
          // Lengths that differ, so that pages are split and merged.
          let reserved = try transaction.reserve(
            table, number: key, count: 8 + Int((key &* 37 &+ transaction.id &* 11) % 700))
          reserved.initializeMemory(as: UInt8.self, repeating: 0)
          reserved.storeBytes(of: transaction.id, as: UInt64.self)
        }
      }
    }
  }

  /// Reads until the signal; returns how many snapshots it has checked.
  private static func check(_ environment: Environment, _ tables: [Database], until done: Signal) throws
    -> Int
  {
    var snapshots = 0
    while !done.isUp {
      try environment.read { transaction in
        try #require(transaction.isExact)
        for table in tables {
          for key in stride(from: UInt64(snapshots % 7), to: UInt64(keys), by: 7) {
            let value = try #require(try transaction.get(table, number: key))
            try #require(value.loadUnaligned(as: UInt64.self) == transaction.id)
          }
        }
        var cursor = try transaction.cursor(tables[0])
        var entries = 0
        while let entry = try cursor.next() {
          try #require(entry.value.loadUnaligned(as: UInt64.self) == transaction.id)
          entries += 1
        }
        try #require(entries == keys)
      }
      snapshots += 1
    }
    return snapshots
  }

  @Test func snapshotsBesideAnotherProcessAreOneCommitEach() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let options = Environment.Options(databases: ["a", "b"], create: true, durability: .temporaryImport)
    let environment = try Environment.open(directory: path, options: options)
    defer { environment.close() }
    let tables = [try environment.database("a"), try environment.database("b")]
    try Self.commit(environment, tables)
    let done = Signal()
    let first = try environment.read { $0.id }
    // More threads than processors: one is stopped between any two of its loads.
    let readers = (0..<4).map { _ in Worker { try Self.check(environment, tables, until: done) } }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let options = Environment.Options(databases: ["a", "b"], durability: .temporaryImport)
      let environment = try Environment.open(directory: path, options: options)
      let tables = [try environment.database("a"), try environment.database("b")]
      for _ in 0..<TestEnvironment.rounds(2000) { try SnapshotTests.commit(environment, tables) }
      environment.close()
    }
    done.set()
    var snapshots = 0
    for reader in readers { snapshots += try reader.value() }
    let last = try environment.read { $0.id }
    print("snapshotsBesideAnotherProcessAreOneCommitEach: \(snapshots) snapshots, \(last - first) commits")
    #expect(snapshots > 100 && last - first >= 2000)
  }

  private static func add(_ index: Int, _ environment: Environment, _ table: Database) throws {
    try environment.write { transaction in
      let reserved = try transaction.reserve(table, number: UInt64(index), count: 10_000)
      reserved.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: index))
    }
  }

  @Test func snapshotsWhileTheMapGrows() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) {
      $0.initialMapSize = 1 << 20
      $0.durability = .temporaryImport
    }
    defer { environment.close() }
    let done = Signal()
    let readers = (0..<3).map { _ in
      Worker {
        var most = 0
        while !done.isUp {
          most = try environment.read { transaction in
            let count = try transaction.statistics(of: table).entries
            var cursor = try transaction.cursor(table)
            var entries = 0
            while let entry = try cursor.next() {
              try #require(entry.value.count == 10_000)
              try #require(entry.value.allSatisfy { $0 == UInt8(truncatingIfNeeded: entries) })
              entries += 1
            }
            try #require(entries == count && entries >= most)
            return entries
          }
          usleep(500)
        }
        return most
      }
    }
    let before = try environment.info.mapSize
    defer { done.set() }
    for index in 0..<300 {
      // A write that finds the map full is rolled back; the next one enlarges it, when the readers have left.
      while code({ try Self.add(index, environment, table) }) == .mapFull {}
    }
    done.set()
    for reader in readers { _ = try reader.value() }
    try #expect(environment.info.mapSize > before)
    try RoomTests.expect(300, environment, table)
  }
}
