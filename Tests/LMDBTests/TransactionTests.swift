import LMDB
import LMDBScenes
import StoreFiles
import Testing

@Suite struct TransactionTests {
  @Test func whatIsWrittenIsRead() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      try transaction.put(table, "b", "two")
      try transaction.put(table, "a", "one")
      try #expect(transaction.get(table, "a") == "one")
      try transaction.put(table, number: 7, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    try environment.read { transaction in
      try #expect(transaction.get(table, "a") == "one")
      try #expect(transaction.get(table, "c") == nil)
      try #expect(transaction.get(table, number: 7)?.count == 0)
      try #expect(transaction.get(table, number: 8) == nil)
    }
  }

  @Test func aThrowGivesTheTransactionUp() throws {
    struct Refusal: Error {}
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    #expect(throws: Refusal.self) {
      try environment.write { transaction in
        try transaction.put(table, "a", "one")
        throw Refusal()
      }
    }
    try #expect(environment.read { try $0.get(table, "a") } == nil)
    try environment.write { try $0.put(table, "a", "two") }
    try #expect(environment.read { try $0.get(table, "a") } == "two")
  }
}

@Suite struct TransactionRuleTests {
  @Test func transactionsDoNotNest() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      #expect(code { try environment.write { _ in } } == .nested)
      #expect(code { try environment.read { _ in } } == .nested)
      #expect(code { try environment.copy(to: -1, compact: false) } == .nested)
      try transaction.put(table, "a", "b")
    }
    try environment.read { _ in
      #expect(code { try environment.read { _ in } } == .nested)
      #expect(code { try environment.write { _ in } } == .nested)
      #expect(code { _ = try environment.info } == nil)
    }
    try #expect(environment.read { try $0.get(table, "a") } == "b")
  }

  @Test func aTransactionEndsWithItsClosure() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var reader: ReadTransaction?
    var writer: LMDBWriteTransaction?
    try environment.write { transaction in
      writer = transaction
      try transaction.put(table, "a", "b")
    }
    try environment.read { reader = $0 }
    try environment.read { _ in
      #expect(code { _ = try reader?.get(table, "a") } == .closed)
      #expect(code { _ = try reader?.cursor(table) } == .closed)
      #expect(code { _ = try reader?.statistics(of: table) } == .closed)
    }
    #expect(code { try writer?.put(table, "a", "b") } == .closed)
    #expect(code { _ = try writer?.delete(table, "a") } == .closed)
    #expect(code { _ = try writer?.reserve(table, number: 1, count: 8) } == .closed)
  }

  @Test func aSnapshotStandsStill() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "old") }
    let (written, wrote) = (Signal(), Signal())
    let writer = Worker {
      written.wait()
      try environment.write { try $0.put(table, "a", "new") }
      wrote.set()
    }
    try environment.read { transaction in
      let id = transaction.id
      written.set()
      wrote.wait()
      try #expect(transaction.get(table, "a") == "old")
      #expect(transaction.id == id)
    }
    try writer.value()
    try #expect(environment.read { try $0.get(table, "a") } == "new")
  }

  @Test(arguments: [0, 1, 511, 512, 600]) func keyLengthsAreCheckedOnReadAndWrite(_ length: Int) throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let key = [UInt8](repeating: 7, count: length)
    let expected: LMDBError.Code? = (1...511).contains(length) ? nil : .keyLength
    try environment.write { transaction in
      try key.withUnsafeBytes { key in
        #expect(code { try transaction.put(table, key, key) } == expected)
        #expect(code { _ = try transaction.get(table, key) } == expected)
        #expect(code { _ = try transaction.delete(table, key) } == expected)
        #expect(code { _ = try transaction.reserve(table, key, count: 3) } == expected)
        #expect(code { try transaction.append(table, key, key) } == (expected ?? .keyOrder))
        var cursor = try transaction.cursor(table)
        var found: LMDBError.Code?
        do throws(LMDBError) { _ = try cursor.seek(atOrAfter: key) } catch { found = error.code }
        #expect(found == expected)
      }
    }
    // A refused argument leaves the transaction as it was: it commits.
    try #expect(environment.read { try $0.statistics(of: table).entries } == (expected == nil ? 1 : 0))
  }

  @Test func tooLongAValueIsRefused() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      #expect(code { _ = try transaction.reserve(table, number: 1, count: 1 << 32) } == .valueLength)
      #expect(code { _ = try transaction.reserve(table, number: 1, count: -1) } == .valueLength)
    }
  }

  @Test func appendingTakesOnlyGreaterKeys() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    try environment.write { transaction in
      for number in UInt64(1)...1000 { try transaction.append(table, number: number * 2, nothing) }
      #expect(code { try transaction.append(table, number: 2000, nothing) } == .keyOrder)
      #expect(code { try transaction.append(table, number: 999, nothing) } == .keyOrder)
    }
    try #expect(environment.read { try $0.statistics(of: table).entries } == 1000)
  }

  @Test func deletingSaysWhetherThereWasSomething() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      try transaction.put(table, "a", "b")
      try #expect(transaction.delete(table, "a"))
      try #expect(!transaction.delete(table, "a"))
      try #expect(!transaction.delete(table, number: 1))
      for index in 0..<100 { try transaction.put(table, "\(index)", "x") }
      try transaction.deleteAll(in: table)
      try #expect(transaction.statistics(of: table).entries == 0)
      try transaction.put(table, "z", "y")
    }
    try #expect(environment.read { try $0.statistics(of: table).entries } == 1)
  }

  @Test func reservedMemoryIsStored() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { transaction in
      for count in [0, 1, 4080, 100_000] {
        let reserved = try transaction.reserve(table, number: UInt64(count), count: count)
        #expect(reserved.count == count)
        reserved.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: count + 1))
      }
    }
    try environment.read { transaction in
      for count in [0, 1, 4080, 100_000] {
        let value = try transaction.get(table, number: UInt64(count))
        #expect(value?.count == count)
        #expect(value?.allSatisfy { $0 == UInt8(truncatingIfNeeded: count + 1) } == true)
      }
    }
  }

  @Test func aLeaseRunsOut() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.read(lease: Lease()) { try $0.checkLease() }
    try environment.read { try $0.checkLease() }
    #expect(
      code { try environment.read(lease: Lease(seconds: 0)) { try $0.checkLease() } } == .snapshotExpired)
    let (begun, grown) = (Signal(), Signal())
    let writer = Worker {
      begun.wait()
      try environment.write { transaction in
        _ = try transaction.reserve(table, number: 1, count: 1 << 20).initializeMemory(
          as: UInt8.self, repeating: 1)
      }
      grown.set()
    }
    try environment.read(lease: Lease(growth: 100_000)) { transaction in
      try transaction.checkLease()
      begun.set()
      grown.wait()
      #expect(code { try transaction.checkLease() } == .snapshotExpired)
    }
    try writer.value()
  }
}
