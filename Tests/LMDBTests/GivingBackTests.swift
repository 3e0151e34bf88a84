import LMDB
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Free pages whose blocks the file system gets back, while the file stays as long as it is.
@Suite struct GivingBackTests {
  /// Values of many lengths under numbers.
  struct Rows {
    var values: [UInt64: [UInt8]] = [:]

    /// Puts some, under numbers from `first` on, and says how many bytes they have.
    mutating func put(
      _ count: Int, from first: UInt64, _ environment: Environment, _ table: Database,
      _ random: inout SeededGenerator
    ) throws {
      for start in stride(from: 0, to: count, by: 200) {
        let new = (start..<min(start + 200, count)).map { index in
          (
            first + UInt64(index),
            [UInt8](
              repeating: UInt8.random(in: 0...255, using: &random),
              count: Int.random(in: 100...9_000, using: &random))
          )
        }
        try environment.write { transaction in
          for (number, value) in new {
            try value.withUnsafeBytes { try transaction.put(table, number: number, $0) }
          }
        }
        for (number, value) in new { values[number] = value }
      }
    }

    /// Deletes those that chance says, and makes a commit more, so that LMDB could use all of their pages.
    mutating func delete(
      _ share: Double, _ environment: Environment, _ table: Database, _ random: inout SeededGenerator
    ) throws {
      let gone = values.keys.sorted().filter { _ in Double.random(in: 0..<1, using: &random) < share }
      try environment.write { transaction in
        for number in gone { _ = try transaction.delete(table, number: number) }
      }
      for number in gone { values[number] = nil }
      try environment.write { try $0.put(table, "a key of its own", "\(gone.count)") }
    }

    /// Expects exactly these values, and sound pages.
    func expect(in transaction: ReadTransaction, _ table: Database) throws {
      for (number, value) in values {
        #expect(try transaction.get(table, number: number)?.elementsEqual(value) == true, "row \(number)")
      }
      #expect(try transaction.statistics(of: table).entries == values.count + 1)
      #expect(try transaction.auditPages().isSound)
    }
  }

  /// Gives back all that can be. Returns the bytes.
  @discardableResult
  static func giveBack(_ environment: Environment, forced: Bool = false) throws -> Int {
    var progress = Environment.GivingBack()
    while !progress.isOver { try environment.giveBackPages(&progress, forced: forced) }
    return progress.bytes
  }

  static func used(_ info: Environment.Info) -> Int {
    (Int(info.lastPage) + 1 - info.freePages) * info.pageSize
  }

  /// Whether the file has no blocks but those of its pages and what it keeps of the reserve, and what the file system keeps for itself.
  static func expectLittleMore(_ environment: Environment) throws {
    let info = try environment.info
    let used = used(info)
    #expect(info.diskBytes <= used + environment.keptBytes(besideUsed: used) + (1 << 20), "\(info)")
  }

  @Test func whatWasDeletedIsGivenBack() throws {
    var random = SeededGenerator(for: "whatWasDeletedIsGivenBack")
    for _ in 0..<TestEnvironment.rounds(2) {
      let scratch = Scratch()
      let (environment, table) = try makeStore(scratch)
      var rows = Rows()
      for round in 0..<UInt64(3) {
        try rows.put(4_000, from: round * 10_000, environment, table, &random)
        try rows.delete(Double.random(in: 0.4...0.95, using: &random), environment, table, &random)
        let before = try environment.info
        #expect(environment.hasBlocksToGiveBack)
        let given = try Self.giveBack(environment)
        let after = try environment.info
        #expect(given > 0)
        #expect(after.diskBytes < before.diskBytes)
        #expect(after.fileBytes == before.fileBytes)
        #expect(after.lastTransaction == before.lastTransaction)
        try Self.expectLittleMore(environment)
        // What is kept stays, also where pages that LMDB takes next are holes already.
        let kept = Self.used(after) + environment.keptBytes(besideUsed: Self.used(after))
        #expect(after.diskBytes >= min(before.diskBytes, kept) - (64 << 10), "round \(round): \(after)")
        try environment.read { try rows.expect(in: $0, table) }
        #expect(!environment.hasBlocksToGiveBack)
        #expect(try Self.giveBack(environment) == 0)
      }
      environment.close()
      let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      let database = try again.database("t")
      try again.read { try rows.expect(in: $0, database) }
      // LMDB takes the holes before it makes the file longer.
      let info = try again.info
      try rows.put(1_500, from: 100_000, again, database, &random)
      #expect(try again.info.fileBytes <= info.fileBytes)
      try again.read { try rows.expect(in: $0, database) }
      again.close()
    }
  }

  /// A reader keeps the pages of its state, of this process and of another one.
  @Test func aReaderKeepsItsPages() async throws {
    var random = SeededGenerator(for: "aReaderKeepsItsPages")
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var rows = Rows()
    try rows.put(4_000, from: 0, environment, table, &random)
    try environment.write { try $0.put(table, "a key of its own", "0") }
    let (old, begun, go) = (rows, Signal(), Signal())
    let reader = Worker {
      try environment.read { transaction in
        begun.set()
        go.wait()
        try old.expect(in: transaction, table)
      }
    }
    begun.wait()
    try rows.delete(0.9, environment, table, &random)
    let few = try Self.giveBack(environment)
    #expect(few < 1 << 20)
    // Nor does another process take them away.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      try #require(try GivingBackTests.giveBack(environment) < 1 << 20)
      environment.close()
    }
    go.set()
    try reader.value()
    #expect(try Self.giveBack(environment) > 4 << 20)
    try Self.expectLittleMore(environment)
    try environment.read { try rows.expect(in: $0, table) }
  }

  @Test func aWriterGoesOnBesideASnapshot() throws {
    var random = SeededGenerator(for: "aWriterGoesOnBesideASnapshot")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var rows = Rows()
    try rows.put(3_000, from: 0, environment, table, &random)
    try rows.delete(0.8, environment, table, &random)
    // Some steps between those of writers, who take pages that were found free.
    var progress = Environment.GivingBack()
    var first: UInt64 = 10_000
    while !progress.isOver {
      for _ in 0..<Int.random(in: 1...3, using: &random) { try environment.giveBackPages(&progress) }
      try rows.put(100, from: first, environment, table, &random)
      first += 100
      try environment.read { try rows.expect(in: $0, table) }
    }
    #expect(progress.bytes > 0)
    try environment.read { try rows.expect(in: $0, table) }
  }

  /// The reserve for a full disk, and what is needed beside it, is taken again where it is asked for.
  @Test func holesAreFilledInTheOrderInWhichTheyAreTaken() throws {
    var random = SeededGenerator(for: "holesAreFilledInTheOrderInWhichTheyAreTaken")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var rows = Rows()
    try rows.put(4_000, from: 0, environment, table, &random)
    try rows.delete(0.9, environment, table, &random)
    #expect(try Self.giveBack(environment) > 0)
    let (small, file) = (try environment.info.diskBytes, try environment.info.fileBytes)
    let wanted = small + (file - small) / 2
    #expect(environment.takesBlocks(through: wanted))
    #expect(try environment.info.diskBytes >= wanted)
    #expect(environment.takesBlocks(through: file))
    #expect(try environment.info.diskBytes >= file)
    try environment.read { try rows.expect(in: $0, table) }
  }

  /// Blocks behind the end of a file with few free pages are the reserve: whoever closes the store would look for them in vain each time.
  @Test func blocksBehindTheEndAreNoneToGiveBack() throws {
    var random = SeededGenerator(for: "blocksBehindTheEndAreNoneToGiveBack")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var rows = Rows()
    try rows.put(1_000, from: 0, environment, table, &random)
    let file = try environment.info.fileBytes
    #expect(environment.takesBlocks(through: 2 * file))
    let info = try environment.info
    #expect(info.diskBytes >= 2 * file)
    #expect(!environment.hasBlocksToGiveBack)
    #expect(try Self.giveBack(environment) == 0)
    #expect(try environment.info.diskBytes == info.diskBytes)
    try environment.write { try $0.put(table, "a key of its own", "0") }
    try environment.read { try rows.expect(in: $0, table) }
  }

  /// The reserve of a closed file is in its free pages, as far as there are, and not once more behind its end.
  @Test func aClosedFileHasTheReserveOnce() throws {
    var random = SeededGenerator(for: "aClosedFileHasTheReserveOnce")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var rows = Rows()
    try rows.put(30_000, from: 0, environment, table, &random)
    try rows.delete(0.2, environment, table, &random)
    let file = try environment.info.fileBytes
    #expect(environment.takesBlocks(through: 2 * file))
    try environment.write(
      { try $0.put(table, "a key of its own", "0") }, afterCommit: { environment.giveBackBlocks() })
    let info = try environment.info
    let used = Self.used(info)
    let wanted = max(info.fileBytes, used + environment.keptBytes(besideUsed: used))
    #expect(info.diskBytes <= wanted + (1 << 20), "\(info)")
    #expect(info.diskBytes >= wanted - (64 << 10), "\(info)")
    // What is free would be the reserve, in part, and had that beside it before.
    #expect(info.freePages * info.pageSize > 2 << 20, "\(info)")
    try environment.read { try rows.expect(in: $0, table) }
  }

  /// Of the reserve the file takes a part where the disk has plenty, and needs the rest all the same to be allowed.
  @Test func aPartOfTheReserveIsTakenWhereTheDiskHasPlenty() throws {
    var random = SeededGenerator(for: "aPartOfTheReserveIsTakenWhereTheDiskHasPlenty")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) {
      $0.maxMapSize = 64 << 20
      $0.givingBack.keptWherePlenty = 1 << 20
    }
    defer { environment.close() }
    var rows = Rows()
    try rows.put(3_500, from: 0, environment, table, &random)
    let used = try #require(environment.usedBytes)
    let reserve = Environment.reserve(besideUsed: used)
    let kept = environment.keptBytes(besideUsed: used)
    #expect(reserve > 4 << 20 && kept == 1 << 20)
    #expect(environment.hasRoom(for: used))
    let info = try environment.info
    #expect(info.diskBytes <= max(info.fileBytes, used + kept) + (64 << 10), "\(info)")
    // A quarter of what is in use has to fit in as well.
    #expect(environment.hasRoom(for: 50 << 20))
    #expect(!environment.hasRoom(for: 52 << 20))
  }

  /// A store of many small runs of free pages needs many steps, and is as small at their end as after any.
  @Test func manyRunsAreGivenBackInSteps() throws {
    var random = SeededGenerator(for: "manyRunsAreGivenBackInSteps")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) { $0.givingBack.stepSeconds = .infinity }
    defer { environment.close() }
    var rows = Rows()
    try rows.put(10_000, from: 0, environment, table, &random)
    try rows.delete(0.4, environment, table, &random)
    #expect(environment.hasBlocksToGiveBack)
    var progress = Environment.GivingBack()
    var sizes = [try environment.info.diskBytes]
    while !progress.isOver {
      try environment.giveBackPages(&progress)
      sizes.append(try environment.info.diskBytes)
    }
    #expect(sizes.count > 3)
    // Most with the first steps, which make the largest holes.
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(sizes[0] - sizes[1] >= sizes[1] - sizes[2], "\(sizes)")
    try Self.expectLittleMore(environment)
    #expect(!environment.hasBlocksToGiveBack)
    try environment.read { try rows.expect(in: $0, table) }
  }
}
