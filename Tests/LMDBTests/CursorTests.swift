import LMDB
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

@Suite struct CursorTests {
  @Test func aCursorWalksInTheOrderOfTheKeys() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.read { transaction in
      var cursor = try transaction.cursor(table)
      #expect(try cursor.first() == nil)
      #expect(try cursor.last() == nil)
      #expect(try cursor.next() == nil)
      #expect(try cursor.previous() == nil)
      #expect(try cursor.seek(atOrAfter: 0) == nil)
    }
    try environment.write { transaction in
      for number in UInt64(0)..<500 {
        try transaction.put(table, number: number * 10, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
    try environment.read { transaction in
      var cursor = try transaction.cursor(table)
      var numbers: [UInt64] = []
      while let entry = try cursor.next() { numbers.append(Self.number(entry)) }
      #expect(numbers == (0..<500).map { $0 * 10 })
      var other = try transaction.cursor(table)
      var reversed: [UInt64] = []
      while let entry = try other.previous() { reversed.append(Self.number(entry)) }
      #expect(reversed == numbers.reversed())
      #expect(try cursor.seek(atOrAfter: 41).map(Self.number) == 50)
      #expect(try cursor.previous().map(Self.number) == 40)
      #expect(try cursor.seek(atOrAfter: 4990).map(Self.number) == 4990)
      #expect(try cursor.seek(atOrAfter: 4991) == nil)
      #expect(try cursor.first().map(Self.number) == 0)
      #expect(try cursor.last().map(Self.number) == 4990)
    }
  }

  @Test func aCursorThatOutlivesItsTransactionIsClosed() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var kept: Cursor?
    try environment.write { transaction in
      try transaction.put(table, "a", "b")
      kept = try transaction.cursor(table)
    }
    #expect(Self.refusal(&kept) == .closed)
    try environment.read { kept = try $0.cursor(table) }
    #expect(Self.refusal(&kept) == .closed)
    kept = nil
    try environment.write { try $0.put(table, "c", "d") }
  }

  @Test func aCursorFollowsTheChangesOfItsTransaction() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var random = SeededGenerator(for: "aCursorFollowsTheChangesOfItsTransaction")
    try environment.write { transaction in
      var model: Set<UInt64> = []
      for _ in 0..<TestEnvironment.rounds(2000) {
        let number = UInt64.random(in: 0..<300, using: &random)
        if Bool.random(using: &random) {
          let reserved = try transaction.reserve(
            table, number: number, count: Int.random(in: 0...600, using: &random))
          reserved.initializeMemory(as: UInt8.self, repeating: 1)
          model.insert(number)
        } else {
          try #expect(transaction.delete(table, number: number) == (model.remove(number) != nil))
        }
        var cursor = try transaction.cursor(table)
        let start = UInt64.random(in: 0..<300, using: &random)
        let expected = model.filter { $0 >= start }.min()
        #expect(try cursor.seek(atOrAfter: start).map(Self.number) == expected)
      }
      var cursor = try transaction.cursor(table)
      var numbers: [UInt64] = []
      while let entry = try cursor.next() { numbers.append(Self.number(entry)) }
      #expect(numbers == model.sorted())
    }
  }

  /// Otherwise a loop that passes over an error would give the entries behind it as if they were all.
  @Test func aCursorThatHasMetDamageGoesNoFurther() throws {
    let scratch = Scratch()
    let (maker, rows) = try makeStore(scratch)
    // Each value has pages of its own.
    let values = (UInt8(1)...30).map { [UInt8](repeating: $0, count: 5000) }
    try maker.write { transaction in
      for (index, value) in values.enumerated() { try transaction.put(rows, [UInt8(index)], value) }
    }
    let pageSize = try maker.info.pageSize
    maker.close()
    var bytes = contents(of: scratch.data)
    let damaged = try #require(
      stride(from: 0, to: bytes.count, by: pageSize).first { bytes[$0 + 16] == 12 && bytes[$0 + 17] == 12 })
    // A page of another kind.
    bytes[damaged + 10] = 2
    write(bytes, to: scratch.data)
    let environment = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { environment.close() }
    let table = try environment.database("t")
    try environment.read { transaction in
      var forward = try transaction.cursor(table)
      for number in UInt8(1)...11 { #expect(try forward.next()?.value.first == number) }
      var backward = try transaction.cursor(table)
      for number in stride(from: UInt8(30), through: 13, by: -1) {
        #expect(try backward.previous()?.value.first == number)
      }
      var sought = try transaction.cursor(table)
      #expect(code { _ = try [UInt8(11)].withUnsafeBytes { try sought.seek(atOrAfter: $0) } } == .corrupted)
      for _ in 0..<3 {
        #expect(code { _ = try forward.next() } == .corrupted)
        #expect(code { _ = try backward.previous() } == .corrupted)
        #expect(code { _ = try sought.next() } == .corrupted)
      }
    }
  }

  private static func number(_ entry: Cursor.Entry) -> UInt64 {
    UInt64(bigEndian: entry.key.loadUnaligned(as: UInt64.self))
  }

  private static func refusal(_ cursor: inout Cursor?) -> LMDBError.Code? {
    do {
      _ = try cursor?.first()
      return nil
    } catch {
      return error.code
    }
  }
}
