import CommitEngine
import LMDB
import LMDBScenes
import StoreFiles
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writers that share a commit.
@Suite struct WriteGroupTests {
  @Test(arguments: [false, true])
  func thoseWhoWaitJoinTheOneInFront(leaderIsAsynchronous: Bool) async throws {
    let group = try GroupScene()
    defer { group.environment.close() }
    let before = try group.environment.lastTransaction
    let order = Log()
    let threads = Mutex<[Int: UInt]>([:])
    func work(_ index: Int) -> GroupScene.Body {
      { write in
        write.put("\(index)", "x")
        // Each sees what those before it have done.
        for earlier in 0..<index { try #require(try write.text("\(earlier)") == "x") }
        order.add(index)
        threads.withLock { $0[index] = UInt(bitPattern: pthread_self().hashValue) }
      }
    }
    let outcomes = try await group.run(
      leaderIsAsynchronous: leaderIsAsynchronous, (0..<12).map { (work($0), $0.isMultiple(of: 3)) })
    for outcome in outcomes { try outcome.get() }
    #expect(order.entries == Array(0..<12))
    // One transaction, completed once, after the last one.
    try #expect(group.environment.lastTransaction == before + 1)
    try #expect(group.completed() == "0,1,2,3,4,5,6,7,8,9,10,11")
    // Asynchronous ones ran on one thread, every other one on its own.
    let used = threads.withLock { $0 }
    let jobs = Set((1..<12).filter { $0.isMultiple(of: 3) }.compactMap { used[$0] })
    #expect(jobs.count == 1)
    #expect(Set(used.values).count == (leaderIsAsynchronous ? 9 : 10))
    if leaderIsAsynchronous { #expect(used[0] == jobs.first) }
  }

  @Test func aGroupHasLimits() async throws {
    let group = try GroupScene(writers: 3)
    defer { group.environment.close() }
    let before = try group.environment.lastTransaction
    let body: GroupScene.Body = { $0.put("\($0.transaction.id)", "x") }
    for outcome in try await group.run((0..<7).map { _ in (body, false) }) { try outcome.get() }
    try #expect(group.environment.lastTransaction == before + 3)
  }

  @Test func othersStandBetweenGroups() async throws {
    let group = try GroupScene()
    defer { group.environment.close() }
    let before = try group.environment.lastTransaction
    let (begun, go) = (Signal(), Signal())
    let body: GroupScene.Body = { $0.put("\($0.transaction.id)", "x") }
    let first = Worker {
      try group.write { write in
        begun.set()
        go.wait()
        try body(write)
      }
    }
    begun.wait()
    let other = Owner()
    let waiting: [@Sendable () throws -> Void] = [
      { try group.write(body) },
      { try group.environment.write { try $0.put(group.table, "alone", "x") } },
      { try group.write(body) }, { try group.write(as: other, body) },
      { try group.write(as: other, body) },
    ]
    var workers: [Worker<Void>] = []
    for (index, write) in waiting.enumerated() {
      workers.append(Worker(write))
      while group.environment.waitingWriters <= index { try await Task.sleep(nanoseconds: 200_000) }
    }
    go.set()
    try first.value()
    for worker in workers { try worker.value() }
    try #expect(group.environment.lastTransaction == before + 4)
  }

  @Test func transactionsOfAGroupAreOverWithTheirClosures() async throws {
    let group = try GroupScene()
    defer { group.environment.close() }
    let kept = Mutex<[Kept]>([])
    let body: GroupScene.Body = { write in
      for earlier in kept.withLock({ $0 }) {
        #expect(code { try earlier.transaction.put(group.table, "x", "y") } == .closed)
      }
      #expect(code { try group.environment.read { _ in } } == .nested)
      #expect(code { try group.write { _ in } } == .nested)
      try write.transaction.readBefore { before in try #expect(before.get(group.table, "a") == nil)
      }
      write.put("a", "b")
      kept.withLock { $0.append(Kept(transaction: write.transaction)) }
    }
    for outcome in try await group.run([(body, false), (body, true), (body, false)]) {
      try outcome.get()
    }
    try #expect(group.environment.read { try $0.get(group.table, "x") } == nil)
  }

  private struct Kept: @unchecked Sendable { let transaction: LMDBWriteTransaction }

  @Test func cancellingCountsUntilTheTurnInAGroup() async throws {
    let group = try GroupScene()
    defer { group.environment.close() }
    let (begun, go) = (Signal(), Signal())
    let first = Worker {
      try group.write { _ in
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    let started = Signal()
    let cancelled = Task { try await group.writeOnWriterThread { $0.put("cancelled", "x") } }
    while group.environment.waitingWriters < 1 { try await Task.sleep(nanoseconds: 200_000) }
    let running = Task {
      try await group.writeOnWriterThread { write in
        started.set()
        usleep(20_000)
        write.put("running", "x")
      }
    }
    while group.environment.waitingWriters < 2 { try await Task.sleep(nanoseconds: 200_000) }
    cancelled.cancel()
    go.set()
    while !started.isUp { try await Task.sleep(nanoseconds: 200_000) }
    running.cancel()
    try first.value()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await running.value
    try group.environment.read { transaction in
      try #expect(transaction.get(group.table, "cancelled") == nil)
      try #expect(transaction.get(group.table, "running") == "x")
    }
  }

  @Test func closingLetsAGroupAtWorkFinish() async throws {
    let group = try GroupScene()
    let scratch = group.scratch
    let (begun, go, joined, end) = (Signal(), Signal(), Signal(), Signal())
    let leader = Worker {
      try group.write { write in
        write.put("leader", "x")
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    let member = Worker {
      try group.write { write in
        joined.set()
        end.wait()
        write.put("member", "x")
      }
    }
    while group.environment.waitingWriters < 1 { try await Task.sleep(nanoseconds: 200_000) }
    go.set()
    joined.wait()
    // The leader has done its work by now, and waits.
    let late = Worker { code { try group.write { $0.put("late", "x") } } }
    let job = Task { try await group.writeOnWriterThread { $0.put("late", "x") } }
    while group.environment.waitingWriters < 2 { try await Task.sleep(nanoseconds: 200_000) }
    let closer = Worker { group.environment.close() }
    try #expect(late.value() == .closed)
    await #expect(throws: LMDBError.self) { try await job.value }
    end.set()
    try leader.value()
    try member.value()
    try closer.value()
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { again.close() }
    let table = try again.database("t")
    try again.read { transaction in
      try #expect(transaction.get(table, "leader") == "x")
      try #expect(transaction.get(table, "member") == "x")
      try #expect(transaction.get(table, "late") == nil)
    }
  }

  @Test func manyThreadsAndTasks() async throws {
    let group = try GroupScene { $0.durability = .relaxed }
    defer { group.environment.close() }
    let rounds = TestEnvironment.rounds(60)
    let raise: GroupScene.Body = { write in
      for index in 0..<8 {
        let value = try write.text("\(index)").flatMap { Int($0) } ?? 0
        write.put("\(index)", "\(value + 1)")
      }
    }
    let refuse: GroupScene.Body = { write in
      try raise(write)
      // Half of them have overflowed before.
      if try write.text("0").flatMap({ Int($0) })?.isMultiple(of: 2) == true { try write.spill() }
      throw Refusal(number: 0)
    }
    let threads = (0..<4).map { number in
      Worker {
        for round in 0..<rounds {
          if (round + number) % 5 == 0 { #expect(throws: Refusal.self) { try group.write(refuse) } }
          try group.write(raise)
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask { for _ in 0..<rounds { try await group.writeOnWriterThread(raise) } }
      }
      try await tasks.waitForAll()
    }
    for thread in threads { try thread.value() }
    for index in 0..<8 {
      try #expect(group.environment.read { try $0.get(group.table, "\(index)") } == "\(8 * rounds)")
    }
  }
}
