import LMDB
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
