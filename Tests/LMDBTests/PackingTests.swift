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
      let (needed, valuePages) = try Self.needed(
        for: stride(from: 1, to: Self.rows, by: 2).map { values[$0].count }, environment)
      #expect(leaves <= needed + (needed + valuePages) / 16, "\(leaves) leaves, \(needed) needed, \(longest)")
    }
  }

  /// Returns how many leaves entries of such lengths fill when LMDB puts one behind the other, and how many of their values have a page of
  /// their own: LMDB gives one to a value of which no two would fit into a leaf. A leaf into which the next entry does not fit loses its last
  /// one to the leaf that follows.
  private static func needed(for lengths: [Int], _ environment: Environment) throws -> (
    leaves: Int, valuePages: Int
  ) {
    let room = try environment.info.pageSize - 16
    var (leaves, taken, last, valuePages) = (1, 0, 0, 0)
    for length in lengths {
      let isAlone = 16 + length > room / 2 - 2
      if isAlone { valuePages += 1 }
      let entry = (18 + (isAlone ? 8 : length) + 1) / 2 * 2
      taken += entry
      if taken > room {
        (leaves, taken) = (leaves + 1, last + entry)
        if taken > room { (leaves, taken) = (leaves + 1, entry) }
      }
      last = entry
    }
    return (leaves, valuePages)
  }

  /// A packing leaves the first leaf less than a quarter full. LMDB fills such a one from its right neighbours once these are emptied, in the
  /// end with what lies behind all that is taken: if the next packing began with it, there would be more leaves.
  @Test func leavesThatWerePackedBeforeBecomeNoMore() throws {
    var random = SeededGenerator(for: "leavesThatWerePackedBeforeBecomeNoMore")
    for _ in 0..<TestEnvironment.rounds(6) {
      let (environment, table, values) = try Self.makeSparse(Scratch(), &random)
      defer { environment.close() }
      func pack() throws {
        var key: [UInt8]?
        repeat {
          key = try environment.write {
            try $0.pack(table, from: key, pages: 60, reading: 1_000, thoroughly: true)
          }.next
        } while key != nil
      }
      try pack()
      // Not of the first leaf: LMDB itself fills it then.
      let kept = stride(from: 1, to: Self.rows, by: 2).filter { $0 < 101 || $0 % 4 == 3 }
      try environment.write { transaction in
        for index in stride(from: 101, to: Self.rows, by: 4) {
          _ = try transaction.delete(table, number: UInt64(index))
        }
      }
      try pack()
      let leaves = try Self.leaves(environment, table)
      let needed = try Self.needed(for: kept.map { values[$0].count }, environment).leaves
      #expect(leaves <= needed + needed / 8, "\(leaves) leaves, \(needed) needed")
      try environment.read { transaction in
        for index in kept {
          let found = try withUnsafeBytes(of: UInt64(index).bigEndian) { key in
            try transaction.get(table, key).map { Array($0) }
          }
          #expect(found == values[index])
        }
      }
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
      // Of the same length, so that no leaf is divided for it.
      try values[1].withUnsafeBytes { try transaction.put(table, number: 1, $0) }
      return try transaction.pack(table, pages: 10, reading: 10)
    }
    #expect(freed == 0)
    #expect(next == nil)
    try #expect(Self.leaves(environment, table) == sparse)
    try Self.expect(values, environment, table)
  }
}
