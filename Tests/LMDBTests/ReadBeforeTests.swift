import LMDB
import LMDBScenes
import StoreFiles
import Testing

/// Reads of the state before a write, from inside it.
@Suite struct ReadBeforeTests {
  @Test func showsWhatWasCommitted() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "one") }
    try environment.write { transaction in
      try transaction.put(table, "a", "two")
      for _ in 0..<100 {
        try transaction.readBefore { before in
          try #expect(before.get(table, "a") == "one")
          try #expect(transaction.get(table, "a") == "two")
          #expect(before.id + 1 == transaction.id)
        }
      }
      try transaction.put(table, "a", "three")
    }
    try #expect(environment.read { try $0.get(table, "a") } == "three")
  }

  /// Pages that the state before is made of are not used again while it is read.
  @Test func staysWhileTheWriteGoesOn() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    for round in 0..<20 {
      try environment.write { transaction in
        try transaction.readBefore { before in
          for key in 0..<50 { try transaction.put(table, "\(key)", "\(round)") }
          for key in 0..<50 {
            try #expect(before.get(table, "\(key)") == (round == 0 ? nil : "\(round - 1)"))
          }
        }
      }
    }
  }

  @Test func endsWithItsClosureAndWithTheWrite() throws {
    struct Refusal: Error {}
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var kept: (write: LMDBWriteTransaction, before: ReadTransaction)?
    try environment.write { transaction in
      #expect(throws: Refusal.self) {
        try transaction.readBefore { before in
          kept = (transaction, before)
          throw Refusal()
        }
      }
      #expect(kept?.before.isOpen == false)
      try transaction.put(table, "a", "one")
    }
    #expect(throws: LMDBError.self) { try kept?.write.readBefore { _ in } }
    #expect(throws: LMDBError.self) { _ = try kept?.before.get(table, "a") }
    // A read inside a write is still one too many everywhere else.
    try environment.write { _ in
      _ = #expect(throws: LMDBError.self) { try environment.read { _ in } }
    }
  }
}
