import LMDB
import LMDBScenes
import Testing

/// LMDB refuses a transaction that has met damage without a reason: who goes on with it is told the reason again.
@Suite struct FailedTransactionTests {
  @Test func damageStaysDamage() throws {
    let scratch = Scratch()
    let (maker, rows) = try makeStore(scratch)
    try maker.write { transaction in
      for index in 0..<2000 { try transaction.put(rows, "key \(index)", String(repeating: "x", count: 40)) }
    }
    maker.close()
    // Every child of every branch page lies beyond the end of the file.
    var bytes = contents(of: scratch.data)
    var branches = 0
    for page in stride(from: 2 * 4096, to: bytes.count, by: 4096) where bytes[page + 10] & 1 != 0 {
      let lower = Int(bytes[page + 12]) | Int(bytes[page + 13]) << 8
      for slot in stride(from: page + 16, to: page + lower, by: 2) {
        let node = page + (Int(bytes[slot]) | Int(bytes[slot + 1]) << 8)
        for offset in 0..<4 { bytes[node + offset] = 0xff }
      }
      branches += 1
    }
    try #require(branches > 0)
    write(bytes, to: scratch.data)
    let environment = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    let table = try environment.database("t")
    try environment.read { transaction in
      for _ in 0..<3 {
        #expect(code { _ = try transaction.get(table, "key 1") } == .corrupted)
        #expect(
          code {
            var cursor = try transaction.cursor(table)
            _ = try cursor.first()
          } == .corrupted)
      }
    }
    // Another page may be whole: a read that meets damage ends no other.
    #expect(code { try environment.read { _ in } } == nil)
    environment.close()
    // A write whose body passes over the damage is not committed.
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    let database = try again.database("t")
    #expect(code { try again.write { _ = try? $0.get(database, "key 1") } } == .corrupted)
    again.close()
  }
}
