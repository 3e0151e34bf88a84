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

@Suite struct WriterQueueTests {
  @Test func writersTakeTurnsInTheOrderTheyAsked() async throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    defer { environment.close() }
    let order = Log()
    let (begun, go) = (Signal(), Signal())
    let first = Worker {
      try environment.write { _ in
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    // Alternately a thread that waits and a task that is queued; each is in line before the next one asks.
    var threads: [Worker<Void>] = []
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<12 {
      if index.isMultiple(of: 2) {
        threads.append(Worker { try environment.write { _ in order.add(index) } })
      } else {
        tasks.append(
          Task { try await environment.writeOnWriterThread { _ in order.add(index) } })
      }
      while environment.waitingWriters < index + 1 { try await Task.sleep(nanoseconds: 200_000) }
    }
    go.set()
    try first.value()
    for thread in threads { try thread.value() }
    for task in tasks { try await task.value }
    #expect(order.entries == Array(0..<12))
  }

  @Test func asynchronousWritesShareOneThread() async throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var threads: Set<UInt> = []
    for index in 0..<20 {
      let thread = try await environment.writeOnWriterThread { transaction in
        try transaction.put(table, "\(index)", "x")
        #expect(code { try environment.read { _ in } } == .nested)
        return UInt(bitPattern: pthread_self().hashValue)
      }
      threads.insert(thread)
    }
    #expect(threads.count == 1)
    try #expect(environment.read { try $0.statistics(of: table).entries } == 20)
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await environment.writeOnWriterThread { transaction in
        try transaction.put(table, "z", "x")
        throw Refusal()
      }
    }
    try #expect(environment.read { try $0.get(table, "z") } == nil)
  }

  @Test func cancellingCountsUntilTheWriteBegins() async throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let (begun, go) = (Signal(), Signal())
    let first = Worker {
      try environment.write { _ in
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    let waiting = Task { try await environment.writeOnWriterThread { try $0.put(table, "waiting", "x") } }
    while environment.waitingWriters < 1 { try await Task.sleep(nanoseconds: 200_000) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    go.set()
    try first.value()
    let started = Signal()
    let running = Task {
      try await environment.writeOnWriterThread { transaction in
        started.set()
        usleep(20_000)
        try transaction.put(table, "running", "x")
      }
    }
    while !started.isUp { try await Task.sleep(nanoseconds: 200_000) }
    running.cancel()
    try await running.value
    try environment.read { transaction in
      try #expect(transaction.get(table, "waiting") == nil)
      try #expect(transaction.get(table, "running") == "x")
    }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await environment.writeOnWriterThread { try $0.put(table, "cancelled", "x") }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try #expect(environment.read { try $0.get(table, "cancelled") } == nil)
  }

  @Test func closingSendsTheWaitingHome() async throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    let (begun, go) = (Signal(), Signal())
    let first = Worker {
      try environment.write { transaction in
        try transaction.put(table, "a", "b")
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    let thread = Worker { code { try environment.write { _ in } } }
    let task = Task { try await environment.writeOnWriterThread { _ in } }
    while environment.waitingWriters < 2 { try await Task.sleep(nanoseconds: 200_000) }
    let closer = Worker { environment.close() }
    try #expect(thread.value() == .closed)
    await #expect(throws: LMDBError.self) { try await task.value }
    go.set()
    try first.value()
    try closer.value()
    await #expect(throws: LMDBError.self) { try await environment.writeOnWriterThread { _ in } }
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { again.close() }
    let database = try again.database("t")
    try #expect(again.read { try $0.get(database, "a") } == "b")
  }

  @Test func manyWritersAndReadersSeeWholeTransactions() async throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) { $0.durability = .relaxed }
    defer { environment.close() }
    try environment.write { transaction in
      for index in 0..<8 { try transaction.put(table, "\(index)", "0") }
    }
    /// Raises all eight counters by one.
    @Sendable func raise(_ transaction: LMDBWriteTransaction) throws {
      for index in 0..<8 {
        let value = try #require(transaction.get(table, "\(index)").flatMap { Int($0) })
        try transaction.put(table, "\(index)", "\(value + 1)")
      }
    }
    let rounds = TestEnvironment.rounds(50)
    let isOver = Signal()
    let readers = (0..<3).map { _ in
      Worker {
        var reads = 0
        while !isOver.isUp || reads == 0 {
          try environment.read { transaction in
            let first = try transaction.get(table, "0")
            for index in 1..<8 { try #require(transaction.get(table, "\(index)") == first) }
          }
          reads += 1
        }
      }
    }
    let threads = (0..<3).map { _ in Worker { for _ in 0..<rounds { try environment.write(raise) } } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { for _ in 0..<rounds { try await environment.writeOnWriterThread(raise) } }
      }
      try await group.waitForAll()
    }
    for thread in threads { try thread.value() }
    isOver.set()
    for reader in readers { try reader.value() }
    try #expect(environment.read { try $0.get(table, "3") } == "\(6 * rounds)")
  }
}
