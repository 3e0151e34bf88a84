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

@Suite struct CommitWatcherTests {
  @Test func aCommitBeforeTheWaitIsSeen() throws {
    let (environment, table) = try makeStore(Scratch())
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let before = try environment.lastTransaction
    try environment.write { try $0.put(table, "a", "1") }
    #expect(watcher.wait(after: before) == .committed(before + 1))
    try #expect(environment.lastTransaction == before + 1)
    try #expect(environment.readableTransaction == before + 1)
  }

  @Test func commitsOfThisProcessEndTheWait() async throws {
    let (environment, table) = try makeStore(Scratch()) { $0.durability = .relaxed }
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    #expect(watcher.isNotified)
    let start = try environment.lastTransaction
    let waiting = Worker { Self.follow(watcher, from: start, to: start + 40) }
    for round in 0..<40 {
      if round.isMultiple(of: 2) {
        try environment.write { try $0.put(table, "\(round)", "x") }
      } else {
        try await environment.writeOnWriterThread { try $0.put(table, "\(round)", "x") }
      }
    }
    try Self.expectAscending(waiting.value(), to: start + 40)
  }

  @Test func anAbortedWriteIsNoCommit() throws {
    struct Refusal: Error {}
    let (environment, table) = try makeStore(Scratch())
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let start = try environment.lastTransaction
    let waiting = Worker { watcher.wait(after: start) }
    #expect(throws: Refusal.self) {
      try environment.write { transaction in
        try transaction.put(table, "a", "1")
        throw Refusal()
      }
    }
    watcher.wake()
    try #expect(waiting.value() == .woken)
  }

  @Test func aWakeIsRememberedAndACancelStays() throws {
    let (environment, _) = try makeStore(Scratch())
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let last = try environment.lastTransaction
    watcher.wake()
    watcher.wake()
    #expect(watcher.wait(after: last) == .woken)
    let waiting = Worker { watcher.wait(after: last) }
    watcher.cancel()
    try #expect(waiting.value() == .cancelled)
    #expect(watcher.wait(after: last) == .cancelled)
    #expect(watcher.wait(after: 0) == .cancelled)
  }

  @Test func aCommitComesBeforeAWake() throws {
    let (environment, table) = try makeStore(Scratch())
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let last = try environment.lastTransaction
    watcher.wake()
    try environment.write { try $0.put(table, "a", "1") }
    #expect(watcher.wait(after: last) == .committed(last + 1))
    #expect(watcher.wait(after: last + 1) == .woken)
  }

  @Test func aWatcherOutlivesTheEnvironment() throws {
    let (environment, _) = try makeStore(Scratch())
    let watcher = try CommitWatcher(environment)
    let last = try environment.lastTransaction
    let waiting = Worker { watcher.wait(after: last) }
    environment.close()
    try #expect(waiting.value() == .cancelled)
    #expect(watcher.wait(after: last) == .cancelled)
    watcher.wake()
    watcher.cancel()
    #expect(code { _ = try environment.lastTransaction } == .closed)
    #expect(code { _ = try environment.readableTransaction } == .closed)
    #expect(code { _ = try CommitWatcher(environment) } == .closed)
  }

  @Test func severalWatchersSeeEachCommit() throws {
    let (environment, table) = try makeStore(Scratch()) { $0.durability = .relaxed }
    defer { environment.close() }
    let start = try environment.lastTransaction
    let waiting = try (0..<3).map { _ in
      let watcher = try CommitWatcher(environment)
      return Worker { Self.follow(watcher, from: start, to: start + 20) }
    }
    for round in 0..<20 { try environment.write { try $0.put(table, "\(round)", "x") } }
    for worker in waiting { try Self.expectAscending(worker.value(), to: start + 20) }
  }

  @Test func theMapIsRenewedMeanwhile() throws {
    let (environment, table) = try makeStore(Scratch()) { $0.initialMapSize = 1 << 20 }
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let start = try environment.lastTransaction
    let waiting = Worker { Self.follow(watcher, from: start, to: start + 300) }
    let isOver = Signal()
    let asking = Worker {
      while !isOver.isUp { _ = try environment.lastTransaction }
    }
    for round in 0..<300 {
      try environment.write { try $0.put(table, "\(round)", String(repeating: "x", count: 10_000)) }
    }
    try Self.expectAscending(waiting.value(), to: start + 300)
    isOver.set()
    try asking.value()
    try #expect(environment.info.mapSize > 1 << 30)
  }

  /// The transactions that a watcher reports until it comes to `end`.
  static func follow(_ watcher: CommitWatcher, from start: UInt64, to end: UInt64) -> [UInt64] {
    var seen: [UInt64] = []
    while (seen.last ?? start) < end {
      guard case .committed(let transaction) = watcher.wait(after: seen.last ?? start) else { return seen }
      seen.append(transaction)
    }
    return seen
  }

  static func expectAscending(_ seen: [UInt64], to end: UInt64) throws {
    #expect(seen.last == end)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
  }
}
