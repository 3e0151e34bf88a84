import LMDB
import RecordStore
import SatchelCoding
import TestSupport
import Testing

/// Pending changes of records, read together with the databases, against a dictionary.
@Suite struct PendingTablesTests {
  let directory: TemporaryDirectory
  let environment: Environment
  let databases: Databases

  init() throws {
    directory = try TemporaryDirectory()
    var options = Environment.Options(databases: Databases.names)
    options.create = true
    environment = try Environment.open(directory: directory.path, options: options)
    databases = try Databases(environment)
  }

  /// Runs a test in a write that has put these records before, with nothing pending.
  private func inWrite(
    _ records: [KeyBytes: [UInt8]] = [:], _ body: (LMDBWriteTransaction, PendingTables) throws -> Void
  ) throws {
    try environment.write { transaction in
      let pending = PendingTables()
      for (key, record) in records { pending.put(.objects, key, record) }
      try pending.write(to: transaction, databases)
      try body(transaction, pending)
    }
  }

  private func key(_ bytes: UInt8...) -> KeyBytes {
    var key = KeyBytes()
    for byte in bytes { key.append(byte) }
    return key
  }

  private func record(_ number: UInt8, _ reader: TableReader) throws -> [UInt8]? {
    try reader.get(.objects, key(number)).map { [UInt8]($0) }
  }

  @Test func agreesWithADictionary() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.count("SATCHEL_ROUNDS", usual: 6) {
      var run = PendingTablesRun(databases, random: random.fork())
      try inWrite { transaction, pending in try run.run(transaction, pending) }
    }
  }

  @Test func whatIsPutAndRemovedAgainLeavesNoTrace() throws {
    try inWrite { transaction, pending in
      pending.put(.objects, key(1), [1])
      pending.remove(.objects, key(1))
      #expect(try record(1, TableReader(transaction, databases, pending: pending)) == nil)
      try pending.write(to: transaction, databases)
      #expect(try transaction.statistics(of: databases.objects).entries == 0)
    }
  }

  @Test(arguments: [false, true])
  func theRemovalOfWhatIsMissingIsNamed(isReadBetween: Bool) throws {
    try inWrite([key(7): [7]]) { transaction, pending in
      pending.remove(.objects, key(8))
      let error = #expect(throws: (any Error).self) { try pending.write(to: transaction, databases) }
      #expect(error.map { "\($0)" }?.contains("missing") == true)
    }
    try inWrite([key(7): [7]]) { transaction, pending in
      pending.remove(.objects, key(7))
      if isReadBetween {
        let found = try TableReader(transaction, databases, pending: pending).get(.objects, key(7))
        #expect(found == nil)
      }
      pending.remove(.objects, key(7))
      #expect(throws: (any Error).self) { try pending.write(to: transaction, databases) }
    }
  }

  /// The removal of what is put again is one of an own record, also when the first removal is in another run.
  @Test func aRecordIsRemovedPutAndRemovedAcrossRuns() throws {
    try inWrite([key(7): [7]]) { transaction, pending in
      let reader = TableReader(transaction, databases, pending: pending)
      pending.remove(.objects, key(7))
      for number in 0...UInt8.max where number != 7 { pending.put(.objects, key(number), [number]) }
      for number in 0...UInt8.max { pending.put(.objects, key(0, number), [number]) }
      let isGone = try record(7, reader) == nil
      pending.put(.objects, key(7), [8])
      pending.remove(.objects, key(7))
      let isGoneAgain = try record(7, reader) == nil
      #expect(isGone && isGoneAgain)
      try pending.write(to: transaction, databases)
      let isWritten = try record(7, TableReader(transaction, databases)) != nil
      #expect(!isWritten)
    }
  }

  /// A removal after a put needs no record in the database, but removes one that is there.
  @Test func aRemovalAfterAPutRemovesTheOlderRecordToo() throws {
    try inWrite([key(7): [7]]) { transaction, pending in
      pending.put(.objects, key(7), [8])
      pending.remove(.objects, key(7))
      try pending.write(to: transaction, databases)
      #expect(try record(7, TableReader(transaction, databases)) == nil)
    }
  }

  @Test func aCursorKeepsItsEntries() throws {
    try inWrite([key(2): [2], key(4): [4], key(6): [6]]) { transaction, pending in
      let reader = TableReader(transaction, databases, pending: pending)
      pending.put(.objects, key(1), [1])
      pending.remove(.objects, key(4))
      var cursor = try reader.cursor(.objects)
      var found: [[UInt8]] = []
      if let entry = try cursor.first() { found.append([UInt8](entry.value)) }
      pending.put(.objects, key(3), [3])
      pending.remove(.objects, key(6))
      pending.put(.objects, key(2), [9])
      while let entry = try cursor.next() { found.append([UInt8](entry.value)) }
      #expect(found == [[1], [2], [6]])
      #expect(try cursor.next().map { [UInt8]($0.key) } == nil)
      #expect(try record(2, reader) == [9])
    }
  }

  /// A write that takes over an earlier one's changes does not change them.
  @Test func whatFollowsLeavesTheEarlierChanges() throws {
    try inWrite { transaction, pending in
      pending.put(.objects, key(1), [1])
      let later = PendingTables(following: pending)
      later.put(.objects, key(1), [2])
      later.put(.objects, key(5), [5])
      let before = TableReader(transaction, databases, pending: pending)
      let earlier = try [1, 5].map { try record($0, before) }
      #expect(earlier == [[1], nil])
      let after = TableReader(transaction, databases, pending: later)
      let newest = try [1, 5].map { try record($0, after) }
      #expect(newest == [[2], [5]])
      #expect(pending.count == 1)
    }
  }
}

/// Random changes and reads of one write.
private struct PendingTablesRun {
  let databases: Databases
  var random: SeededGenerator
  var model: [RecordDatabase: [KeyBytes: [UInt8]]] = [:]
  private let lengths: [Int]

  init(_ databases: Databases, random: SeededGenerator) {
    self.databases = databases
    self.random = random
    // Keys of one length, as tables have them, and of many, of which one begins another.
    lengths = self.random.oneIn(2) ? [12] : [1, 2, 7, 8, 9, 12, 16, 23, 24]
  }

  private mutating func key() -> KeyBytes {
    var key = KeyBytes()
    let length = random.pick(lengths)
    for index in 0..<length {
      // Few keys, so that changes meet; the last bytes differ most.
      key.append(index + 2 >= length ? UInt8(random.below(24)) : UInt8(random.oneIn(20) ? 255 : 0))
    }
    return key
  }

  mutating func run(_ transaction: LMDBWriteTransaction, _ pending: PendingTables) throws {
    // The runs share one file.
    for database in RecordDatabase.allCases { try transaction.deleteAll(in: database.of(databases)) }
    for _ in 0..<2_000 {
      let database = random.pick(RecordDatabase.allCases)
      let key = key()
      if random.percent(30) {
        if model[database]?[key] != nil {
          pending.remove(database, key)
          model[database]?[key] = nil
        }
      } else {
        let record = (0..<random.pick([0, 1, 9, 300, random.oneIn(50) ? 70_000 : 2])).map {
          UInt8(truncatingIfNeeded: $0)
        }
        pending.put(database, key, record)
        model[database, default: [:]][key] = record
      }
      if random.oneIn(10) { try compare(TableReader(transaction, databases, pending: pending)) }
      if random.oneIn(300) { try pending.write(to: transaction, databases) }
    }
    try pending.write(to: transaction, databases)
    for _ in 0..<20 { try compare(TableReader(transaction, databases)) }
  }

  private mutating func compare(_ reader: TableReader) throws {
    let database = random.pick(RecordDatabase.allCases)
    let records = model[database] ?? [:]
    for key in [key(), records.keys.min() ?? key()] {
      let found = try reader.get(database, key).map { [UInt8]($0) }
      #expect(found == records[key])
    }
    let start = random.oneIn(4) ? nil : key()
    let expected = records.filter { start == nil || $0.key >= start! }.sorted { $0.key < $1.key }
    var cursor = try reader.cursor(database)
    var entry = try start.map { try cursor.seek($0) } ?? cursor.first()
    for (key, value) in expected.prefix(random.pick([1, 5, 1_000])) {
      let found = try #require(entry)
      guard [UInt8](found.key) == key.array, [UInt8](found.value) == value else {
        Issue.record("\(database) has \([UInt8](found.key)) instead of \(key.array)")
        return
      }
      entry = try cursor.next()
    }
    if expected.isEmpty { #expect(entry.map { [UInt8]($0.key) } == nil) }
  }
}

extension RecordDatabase {
  fileprivate func of(_ databases: Databases) -> Database {
    switch self {
    case .messages: databases.messages
    case .bodies: databases.bodies
    case .objects: databases.objects
    }
  }
}
