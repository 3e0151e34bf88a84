import LMDB
import LMDBScenes
import TestSupport
import Testing

/// Reads of a snapshot against LMDB's own: a write that has changed nothing reads through LMDB, and beside it a read of the
/// state before it reads the pages itself.
@Suite struct PageReaderTests {
  typealias Row = (key: [UInt8], value: [UInt8])

  /// A store of these rows, as several commits wrote them.
  private func compare(_ name: String, rows: [Row], removing: Int = 0) throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) { $0.durability = .temporaryImport }
    defer { environment.close() }
    var random = SeededGenerator(for: name)
    let order = rows.shuffled(using: &random)
    let commits = 5
    for commit in 0..<commits {
      try environment.write { transaction in
        for index in stride(from: commit, to: order.count, by: commits) {
          try transaction.put(table, order[index].key, order[index].value)
        }
      }
    }
    try environment.write { transaction in
      for row in order.prefix(removing) {
        _ = try row.key.withUnsafeBytes { try transaction.delete(table, $0) }
      }
    }
    let absent = (0..<200).map { _ in Self.key(1...511, &random) }
    try environment.write { lmdb in
      try lmdb.readBefore { ours in
        #expect(ours.isExact && !lmdb.isExact)
        try #expect(ours.statistics(of: table) == lmdb.statistics(of: table))
        for key in rows.map(\.key) + absent {
          try #expect(Self.get(ours, table, key) == Self.get(lmdb, table, key))
        }
        try #expect(Self.all(ours, table, forward: true) == Self.all(lmdb, table, forward: true))
        try #expect(Self.all(ours, table, forward: false) == Self.all(lmdb, table, forward: false))
        try wander(ours, lmdb, table, keys: rows.map(\.key) + absent, &random)
      }
    }
  }

  /// Moves a cursor of each kind in the same way.
  private func wander(
    _ ours: ReadTransaction, _ lmdb: ReadTransaction, _ table: Database, keys: [[UInt8]],
    _ random: inout SeededGenerator
  ) throws {
    for _ in 0..<TestEnvironment.rounds(20) {
      var mine = try ours.cursor(table)
      var other = try lmdb.cursor(table)
      var steps: [String] = []
      for _ in 0..<100 {
        let (left, right): (Cursor.Entry?, Cursor.Entry?)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          steps.append("first")
          (left, right) = (try mine.first(), try other.first())
        case 1:
          steps.append("last")
          (left, right) = (try mine.last(), try other.last())
        case 2..<9:
          steps.append("next")
          (left, right) = (try mine.next(), try other.next())
        case 9..<16:
          steps.append("previous")
          (left, right) = (try mine.previous(), try other.previous())
        default:
          let key = keys[Int.random(in: 0..<keys.count, using: &random)]
          steps.append("seek \(key)")
          left = try key.withUnsafeBytes { try mine.seek(atOrAfter: $0) }
          right = try key.withUnsafeBytes { try other.seek(atOrAfter: $0) }
        }
        guard Self.row(left) == Self.row(right) else {
          Issue.record("\(steps.suffix(5)): \(Self.row(left)) for \(Self.row(right))")
          return
        }
      }
    }
  }

  @Test func aTreeWithoutEntries() throws { try compare("aTreeWithoutEntries", rows: []) }

  @Test func aTreeThatWasEmptied() throws {
    var random = SeededGenerator(for: "aTreeThatWasEmptied keys")
    let rows = Self.rows(300, keys: 8...8, values: 0...100, &random)
    try compare("aTreeThatWasEmptied", rows: rows, removing: rows.count)
  }

  @Test func aTreeOfOneEntry() throws { try compare("aTreeOfOneEntry", rows: [([7], [])]) }

  @Test func keysOfEightBytes() throws {
    var random = SeededGenerator(for: "keysOfEightBytes keys")
    try compare(
      "keysOfEightBytes", rows: Self.rows(6000, keys: 8...8, values: 0...60, &random), removing: 1500)
  }

  @Test func keysOfEveryLength() throws {
    var random = SeededGenerator(for: "keysOfEveryLength keys")
    // Few letters, so that many keys begin with others.
    try compare(
      "keysOfEveryLength", rows: Self.rows(3000, keys: 1...511, values: 0...30, letters: 2, &random))
    try compare("keysOfEveryLength", rows: Self.rows(3000, keys: 1...24, values: 0...30, letters: 3, &random))
  }

  @Test func aDeepTree() throws {
    var random = SeededGenerator(for: "aDeepTree keys")
    try compare("aDeepTree", rows: Self.rows(4000, keys: 480...511, values: 0...8, &random), removing: 700)
  }

  @Test func valuesOfOverflowPages() throws {
    var random = SeededGenerator(for: "valuesOfOverflowPages keys")
    try compare(
      "valuesOfOverflowPages", rows: Self.rows(300, keys: 4...40, values: 0...20_000, &random), removing: 90)
    // Around what fits into a leaf, and into a page.
    let rows = (0..<120).map { index -> Row in
      (
        [UInt8](repeating: 3, count: 2) + [UInt8(index)],
        [UInt8](repeating: 1, count: (index < 60 ? 1990 : 4020) + index)
      )
    }
    try compare("valuesOfOverflowPages", rows: rows)
  }

  @Test func twentyAtAndBefore() throws {
    var random = SeededGenerator(for: "twentyAtAndBefore")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) { $0.durability = .temporaryImport }
    defer { environment.close() }
    try environment.write { transaction in
      for _ in 0..<5000 {
        let number = UInt64.random(in: 0..<1 << 40, using: &random)
        try withUnsafeBytes(of: number) { try transaction.put(table, number: number, $0) }
      }
    }
    try environment.write { lmdb in
      try lmdb.readBefore { ours in
        for _ in 0..<TestEnvironment.rounds(2500) {
          let number = UInt64.random(in: 0..<1 << 40, using: &random)
          try #expect(Self.before(ours, table, number) == Self.before(lmdb, table, number))
          let words = (number, UInt64(0), UInt64(0))
          try #expect(ours.get(table, words, count: 8) == nil || ours.get(table, number: number)?.count == 8)
        }
      }
    }
  }

  @Test func aDatabaseThatIsMadeLaterIsEmptyInAnOlderSnapshot() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    let (begun, go) = (Signal(), Signal())
    let reader = Worker {
      try environment.read { transaction in
        begun.set()
        go.wait()
        return try transaction.get(environment.database("later"), "c")
      }
    }
    begun.wait()
    let again = try Environment.open(
      directory: scratch.store, options: .init(databases: ["t", "later"], create: true))
    defer { again.close() }
    try environment.write { try $0.put(environment.database("later"), "c", "d") }
    go.set()
    try #expect(reader.value() == nil)
    try #expect(environment.read { try $0.get(environment.database("later"), "c") } == "d")
  }

  private static func before(_ transaction: ReadTransaction, _ table: Database, _ number: UInt64) throws
    -> [[UInt8]]
  {
    var cursor = try transaction.cursor(table)
    var found: [[UInt8]] = []
    var entry = try cursor.seek(atOrAfter: number)
    if entry == nil { entry = try cursor.last() }
    while let here = entry, found.count < 20 {
      found.append([UInt8](here.key) + [UInt8](here.value))
      entry = try cursor.previous()
    }
    return found
  }

  private static func get(_ transaction: ReadTransaction, _ table: Database, _ key: [UInt8]) throws
    -> [UInt8]?
  {
    try key.withUnsafeBytes { try transaction.get(table, $0).map { [UInt8]($0) } }
  }

  private static func all(_ transaction: ReadTransaction, _ table: Database, forward: Bool) throws
    -> [[UInt8]]
  {
    var cursor = try transaction.cursor(table)
    var rows: [[UInt8]] = []
    while let entry = try forward ? cursor.next() : cursor.previous() {
      rows.append([UInt8](entry.key) + [0] + [UInt8](entry.value))
    }
    return rows
  }

  private static func row(_ entry: Cursor.Entry?) -> [[UInt8]] {
    entry.map { [[UInt8]($0.key), [UInt8]($0.value)] } ?? []
  }

  private static func rows(
    _ count: Int, keys: ClosedRange<Int>, values: ClosedRange<Int>, letters: UInt8 = 255,
    _ random: inout SeededGenerator
  ) -> [Row] {
    var rows: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<count {
      let value = (0..<Int.random(in: values, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
      rows[key(keys, letters: letters, &random)] = value
    }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }

  private static func key(_ lengths: ClosedRange<Int>, letters: UInt8 = 255, _ random: inout SeededGenerator)
    -> [UInt8]
  {
    (0..<Int.random(in: lengths, using: &random)).map { _ in UInt8.random(in: 0..<letters, using: &random) }
  }
}
