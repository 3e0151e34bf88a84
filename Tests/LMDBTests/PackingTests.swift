import LMDB
import LMDBScenes
import TestSupport
import Testing

/// Leaves that deletions have left half empty are joined.
@Suite struct PackingTests {
  private static let rows = 3000

  /// A table with values of many lengths, of which every second key is deleted again.
  private static func makeSparse(
    _ scratch: Scratch, _ random: inout SeededGenerator, longest: Int = 700
  ) throws -> (Environment, Database, [[UInt8]]) {
    let (environment, table) = try makeStore(scratch)
    let values = (0..<rows).map { _ in
      [UInt8](
        repeating: UInt8.random(in: 0...255, using: &random),
        count: Int.random(in: 0...longest, using: &random))
    }
    for start in stride(from: 0, to: rows, by: 100) {
      try environment.write { transaction in
        for index in start..<start + 100 {
          try values[index].withUnsafeBytes { try transaction.put(table, number: UInt64(index), $0) }
        }
      }
    }
    try environment.write { transaction in
      for index in stride(from: 0, to: rows, by: 2) {
        _ = try transaction.delete(table, number: UInt64(index))
      }
    }
    return (environment, table, values)
  }

  private static func leaves(_ environment: Environment, _ table: Database) throws -> Int {
    try environment.read { try $0.statistics(of: table).leafPages }
  }

  private static func expect(_ values: [[UInt8]], _ environment: Environment, _ table: Database) throws {
    try environment.read { transaction in
      var cursor = try transaction.cursor(table)
      var index = 1
      while let entry = try cursor.next() {
        #expect(entry.key.loadUnaligned(as: UInt64.self).bigEndian == UInt64(index))
        #expect(entry.value.elementsEqual(values[index]))
        index += 2
      }
      #expect(index == rows + 1)
    }
  }

  /// A third of the leaves at least, if as many are joined at a time as stores do: sixteen or more.
  @Test func everySecondRowGivesBackItsPages() throws {
    var random = SeededGenerator(for: "everySecondRowGivesBackItsPages")
    for _ in 0..<TestEnvironment.rounds(3) {
      let (most, read) = (Int.random(in: 16...80, using: &random), Int.random(in: 100...1024, using: &random))
      let (sparse, packed, _) = try Self.packSparse(atMost: most, reading: read, &random)
      #expect(packed * 3 <= sparse * 2, "\(packed) of \(sparse) leaves, \(most) at a time")
    }
  }

  /// Whatever is taken at a time, nothing is lost, and there are fewer leaves: some neighbours fit into one.
  @Test func fewAtATimeGiveBackWhatTheyCan() throws {
    var random = SeededGenerator(for: "fewAtATimeGiveBackWhatTheyCan")
    for _ in 0..<TestEnvironment.rounds(3) {
      let (most, read) = (Int.random(in: 2...15, using: &random), Int.random(in: 1...99, using: &random))
      let (sparse, packed, freed) = try Self.packSparse(atMost: most, reading: read, &random)
      #expect(packed < sparse && freed > 0, "\(packed) of \(sparse) leaves, \(most) at a time, \(read) read")
    }
  }

  /// Joins the leaves of a table of which every second row was deleted. Returns how many there were and are, and how many it has told.
  private static func packSparse(
    atMost most: Int, reading read: Int, _ random: inout SeededGenerator
  ) throws -> (sparse: Int, packed: Int, freed: Int) {
    let scratch = Scratch()
    let (environment, table, values) = try makeSparse(scratch, &random)
    let sparse = try leaves(environment, table)
    var key: [UInt8]?
    var freed = 0
    repeat {
      let (count, next) = try environment.write {
        try $0.pack(table, from: key, pages: most, reading: read)
      }
      if let key, let next { #expect(key.lexicographicallyPrecedes(next)) }
      (freed, key) = (freed + count, next)
    } while key != nil
    try expect(values, environment, table)
    let packed = try leaves(environment, table)
    // A process that knows nothing of the pages checks them all.
    environment.close()
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { again.close() }
    try expect(values, again, try again.database("t"))
    try again.write { try $0.put(try again.database("t"), "x", "y") }
    return (sparse, packed, freed)
  }

  /// A sixteenth of the pages at most could go afterwards, also of those whose values have a page of their own.
  @Test func whatIsJoinedThoroughlyIsFull() throws {
    var random = SeededGenerator(for: "whatIsJoinedThoroughlyIsFull")
    for longest in [300, 700, 3_000] {
      let (environment, table, values) = try Self.makeSparse(Scratch(), &random, longest: longest)
      defer { environment.close() }
      for _ in 0..<2 {
        var key: [UInt8]?
        repeat {
          key = try environment.write {
            try $0.pack(table, from: key, pages: 200, reading: 1_000, thoroughly: true)
          }.next
        } while key != nil
      }
      try Self.expect(values, environment, table)
      let leaves = try Self.leaves(environment, table)
      // Each leaf takes what fits, but for its last entry, which goes to the next one; LMDB gives a value a page of its own if no two would fit into a leaf.
      let room = try environment.info.pageSize - 16
      var (needed, taken, last, valuePages) = (1, 0, 0, 0)
      for index in stride(from: 1, to: Self.rows, by: 2) {
        let count = values[index].count
        let isAlone = 16 + count > room / 2 - 2
        if isAlone { valuePages += 1 }
        let entry = (18 + (isAlone ? 8 : count) + 1) / 2 * 2
        taken += entry
        if taken > room { (needed, taken) = (needed + 1, last + entry) }
        last = entry
      }
      #expect(leaves <= needed + (needed + valuePages) / 8, "\(leaves) leaves, \(needed) needed, \(longest)")
    }
  }

  @Test func whatIsFullStays() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      for index in 0..<2000 {
        try withUnsafeBytes(of: UInt64(index).bigEndian) { try transaction.append(table, $0, $0) }
      }
    }
    let before = try environment.info.lastTransaction
    let (freed, next) = try environment.write { try $0.pack(table, pages: 100, reading: 100_000) }
    #expect(freed == 0)
    #expect(next == nil)
    try #expect(environment.info.lastTransaction == before)
  }

  /// A value that has pages of its own is not moved, and neither is what lies in its leaf.
  @Test func longValuesStay() throws {
    var random = SeededGenerator(for: "longValuesStay")
    let (environment, table, values) = try Self.makeSparse(Scratch(), &random, longest: 9000)
    defer { environment.close() }
    var key: [UInt8]?
    repeat {
      key = try environment.write { try $0.pack(table, from: key, pages: 10, reading: 50) }.next
    } while key != nil
    try Self.expect(values, environment, table)
  }

  @Test func afterAChangeItDoesNothing() throws {
    var random = SeededGenerator(for: "afterAChangeItDoesNothing")
    let (environment, table, values) = try Self.makeSparse(Scratch(), &random)
    defer { environment.close() }
    let sparse = try Self.leaves(environment, table)
    let (freed, next) = try environment.write { transaction in
      try transaction.put(table, "x", "y")
      _ = try transaction.delete(table, "x")
      return try transaction.pack(table, pages: 10, reading: 10)
    }
    #expect(freed == 0)
    #expect(next == nil)
    try #expect(Self.leaves(environment, table) == sparse)
    try Self.expect(values, environment, table)
  }
}
