import LMDB
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct RegistryTests {
  @Test func openingTwiceGivesTheSameEnvironment() throws {
    let scratch = Scratch()
    let (first, table) = try makeStore(scratch)
    symlink(scratch.store, "\(scratch.path)/link")
    let second = try Environment.open(
      directory: "\(scratch.path)/link/../link/.", options: .init(databases: ["t"]))
    #expect(first === second)
    first.close()
    try second.write { try $0.put(table, "a", "b") }
    try #expect(second.read { try $0.get(table, "a") } == "b")
    second.close()
    #expect(code { try second.read { _ in } } == .closed)
    #expect(code { try second.write { _ in } } == .closed)
    #expect(code { _ = try second.info } == .closed)
  }

  /// One thread opens a store while another closes its last handle: the open waits for that, and nobody waits for ever.
  @Test func opensMeetClosings() throws {
    let scratch = Scratch()
    try makeStore(scratch).0.close()
    let workers = (0..<3).map { _ in
      Worker {
        for _ in 0..<400 {
          try Environment.open(directory: scratch.store, options: .init(databases: ["t"])).close()
        }
      }
    }
    for _ in 0..<6000 where !workers.allSatisfy(\.isFinished) { usleep(10_000) }
    let isOver = workers.allSatisfy(\.isFinished)
    try #require(isOver, "an open and a closing wait for each other")
    for worker in workers { try worker.value() }
  }

  @Test func aSecondOpenAddsDatabases() throws {
    let scratch = Scratch()
    let (first, _) = try makeStore(scratch)
    defer { first.close() }
    #expect(code { _ = try first.database("more") } == .noSuchDatabase)
    let second = try Environment.open(
      directory: scratch.store, options: .init(databases: ["t", "more"], create: true))
    defer { second.close() }
    let more = try first.database("more")
    try first.write { try $0.put(more, "a", "b") }
    try #expect(first.read { try $0.get(more, "a") } == "b")
  }

  @Test func contradictingOptionsAreRefused() throws {
    let scratch = Scratch()
    try makeStore(scratch).0.close()
    let reader = try Environment.open(
      directory: scratch.store, options: .init(databases: ["t"], readOnly: true))
    #expect(Environment.refusal(of: scratch.store)?.code == .alreadyOpenElsewhere)
    #expect(code { try reader.write { _ in } } == .readOnly)
    reader.close()
    let writer = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { writer.close() }
    let relaxed = Environment.Options(databases: ["t"], durability: .relaxed)
    #expect(Environment.refusal(of: scratch.store, relaxed)?.code == .alreadyOpenElsewhere)
    #expect(Environment.refusal(of: scratch.store, .init(databases: ["t"], readOnly: true)) == nil)
    try writer.write { _ in }
  }

  @Test func aFileReplacedWhileItIsOpenIsRefused() throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    let bytes = contents(of: scratch.data)
    rename(scratch.data, "\(scratch.path)/old")
    write(bytes, to: scratch.data)
    #expect(Environment.refusal(of: scratch.store)?.code == .alreadyOpenElsewhere)
    mkdir("\(scratch.path)/other", 0o700)
    link("\(scratch.path)/old", "\(scratch.path)/other/data.mdb")
    #expect(Environment.refusal(of: "\(scratch.path)/other")?.code == .alreadyOpenElsewhere)
    environment.close()
    #expect(Environment.refusal(of: scratch.store) == nil)
  }

  @Test func twoEnvironmentsDoNotMixHandles() throws {
    let (one, two) = (Scratch(), Scratch())
    let (first, table) = try makeStore(one)
    let (second, foreign) = try makeStore(two)
    defer { first.close() }
    defer { second.close() }
    try first.write { transaction in
      #expect(code { try transaction.put(foreign, "a", "b") } == .foreignDatabase)
      #expect(code { _ = try transaction.get(foreign, "a") } == .foreignDatabase)
      try transaction.put(table, "a", "b")
      // Another store may be read and written meanwhile.
      try second.write { try $0.put(foreign, "c", "d") }
      try #expect(second.read { try $0.get(foreign, "c") } == "d")
    }
  }

  @Test func closingInsideATransactionLetsItEnd() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { transaction in
      environment.close()
      try transaction.put(table, "a", "b")
      #expect(Environment.refusal(of: scratch.store)?.code == .nested)
    }
    #expect(code { try environment.read { _ in } } == .closed)
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { again.close() }
    let database = try again.database("t")
    try #expect(again.read { try $0.get(database, "a") } == "b")
  }

  @Test func closingWaitsForOtherThreads() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { try $0.put(table, "a", "b") }
    let begun = Signal()
    let reader = Worker {
      try environment.read { transaction in
        begun.set()
        usleep(50_000)
        return try transaction.get(table, "a")
      }
    }
    begun.wait()
    environment.close()
    let other = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    #expect(other !== environment)
    other.close()
    try #expect(reader.value() == "b")
  }

  @Test func threadsOpenAndCloseTogether() throws {
    let scratch = Scratch()
    try makeStore(scratch).0.close()
    let path = scratch.store
    let workers = (0..<6).map { thread in
      Worker {
        for round in 0..<40 {
          let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
          let table = try environment.database("t")
          try environment.write { try $0.put(table, "\(thread)", "\(round)") }
          try environment.read { transaction in
            try #require(transaction.get(table, "\(thread)") == "\(round)")
          }
          environment.close()
        }
      }
    }
    for worker in workers { try worker.value() }
  }
}
