import LMDB
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Writes that share a transaction of LMDB are as independent as if each had its own.
@Suite struct WriteGroupTests {
  private struct GivenUp: Error {}

  @Test func eachWriteHasItsOwnCommit() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    let start = try store.sequence()
    let transactions = try store.environment.lastTransaction
    let commits = Mutex<[UInt64: Identity.ID]>([:])
    let (threads, rounds) = (8, 40)
    try onThreads(threads) { number in
      for round in 0..<rounds {
        let user = Identity.ID("u\(number)-\(round)")
        let commit = try store.write { writer in
          try writer.setFollowed(true, user)
          return writer.commit
        }
        commits.withLock { $0[commit] = user }
        // What has returned is there for all to see.
        try store.read { snapshot in
          try #require(snapshot.seal.commit >= commit)
          try #require(snapshot.users.number(of: user.rawValue) != nil)
        }
      }
    }
    let expected = commits.withLock { $0 }
    let count = UInt64(threads * rounds)
    #expect(expected.keys.sorted() == Array(start + 1...start + count))
    try store.read { snapshot in
      #expect(snapshot.seal.commit == start + count)
      let entries = try #require(try snapshot.changes(after: start))
      #expect(entries.map(\.commit) == Array(start + 1...start + count))
      for (commit, entry) in entries {
        guard entry.changes.count == 1, case .identity(let row) = entry.changes[0].object else {
          Issue.record("commit \(commit): \(entry)")
          continue
        }
        try #expect(snapshot.makeIdentity(row).userID == expected[commit])
      }
    }
    let shared = try store.environment.lastTransaction - transactions
    print("\(count) writes in \(shared) transactions")
    try expectSound(store)
  }

  /// Random writes of which some fail and some query in between; every state against the model, and in the end against
  /// a store in which only the writes that succeeded were made, one at a time.
  @Test func theStateIsThatOfTheSuccessfulWritesOneByOne() async throws {
    let seed = TestEnvironment.seed(for: "theStateIsThatOfTheSuccessfulWritesOneByOne")
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    let store = scene.store
    struct Plan { let seed: UInt64, steps: Int, fails: Bool, queries: Bool }
    let operations = Mutex(RandomOperations(seed: seed))
    let done = Mutex<[(commit: UInt64, plan: Plan)]>([])
    @Sendable func carryOut(_ plan: Plan, _ operations: inout RandomOperations, _ writer: Writer) throws {
      operations.generator = SeededGenerator(seed: plan.seed)
      for _ in 0..<plan.steps {
        try operations.step(writer)
        if plan.queries, operations.generator.chance(30) {
          let difference = try writer.read { try operations.model.difference($0) }
          if let difference { throw Failure(description: difference) }
        }
      }
    }
    var generator = SeededGenerator(seed: seed)
    var planned = 0
    let transactions = try scene.transaction()
    for _ in 0..<TestEnvironment.rounds(120) / 4 {
      let plans = (0..<(1 + generator.draw(below: 8))).map { _ in
        Plan(
          seed: generator.next(), steps: generator.draw(below: generator.chance(10) ? 60 : 6),
          fails: generator.chance(30), queries: generator.chance(40))
      }
      planned += plans.count
      let outcomes = try await scene.run(
        plans.map { plan in
          { writer in
            try operations.withLock { operations in
              let before = operations.model
              let commit = writer.commit
              do {
                try carryOut(plan, &operations, writer)
                if plan.fails { throw GivenUp() }
              } catch {
                operations.model = before
                throw error
              }
              done.withLock { $0.append((commit, plan)) }
            }
          }
        })
      for (plan, outcome) in zip(plans, outcomes) {
        switch outcome {
        case .success: #expect(!plan.fails)
        case .failure(let error): #expect(error is GivenUp, "\(error)")
        }
      }
      let difference = try store.read { try operations.withLock { $0.model }.difference($0) }
      #expect(difference == nil, "seed \(seed)")
      if difference != nil { return }
      if generator.chance(30) { try expectSound(store) }
    }
    try expectSound(store)
    #expect(try scene.transaction() - transactions < UInt64(planned))

    let serial = try WritersInLine.open(try TemporaryDirectory().path) { $0.sharing = .none }.store
    var replayed = RandomOperations(seed: seed)
    for (commit, plan) in done.withLock({ $0 }) {
      try serial.writeHere { writer in
        #expect(writer.commit == commit)
        try carryOut(plan, &replayed, writer)
      }
    }
    // The purge queue empties at its own pace.
    var rounds = 0
    while try rounds % 2 == 1
      || [store, serial].contains(where: { try $0.read { $0.seal[.purge].count > 0 } })
    {
      for store in [store, serial] { try store.writeHere { try $0.setFollowed(rounds % 2 == 0, "bob") } }
      rounds += 1
      try #require(rounds < 1000)
    }
    let (seals, expected) = (try store.read { $0.seal }, try serial.read { $0.seal })
    #expect(seals.commit == expected.commit)
    #expect(seals.nextSequence == expected.nextSequence)
    #expect(seals.log == expected.log)
    for table in Seal.Table.allCases where table != .nodes {
      #expect(seals[table] == expected[table], "\(table), seed \(seed)")
    }
    try expectSound(store)
  }

  @Test func namesOfAFailedWriteAreForgotten() async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    // The journal is begun.
    try await scene.store.write { try $0.setFollowed(true, "first") }
    let before = try scene.transaction()
    let numbers = Mutex<[String: UInt32]>([:])
    func follow(_ user: String, fails: Bool = false) -> WritersInLine.Body {
      { writer in
        try writer.setFollowed(true, Identity.ID(user))
        // A query puts it into the indexes.
        let number = try writer.read { try $0.users.number(of: user) }
        numbers.withLock { $0[user] = number }
        if fails { throw GivenUp() }
      }
    }
    let outcomes = try await scene.run([follow("a"), follow("ghost", fails: true), follow("b")])
    #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true])
    try #expect(scene.transaction() == before + 1)
    let found = numbers.withLock { $0 }
    #expect(found["ghost"] == found["b"])
    try scene.store.read { snapshot in
      for user in ["a", "b"] { try #expect(snapshot.users.number(of: user) == found[user]) }
      try #expect(snapshot.users.number(of: "ghost") == nil)
      try #expect(found["b"].map { try snapshot.users.text($0) } == "b")
    }
    try scene.store.writeHere(follow("ghost"))
    try scene.store.read { snapshot in
      let number = try snapshot.users.number(of: "ghost")
      #expect(number == found["b"].map { $0 + 1 })
    }
    try expectSound(scene.store)
  }

  @Test func writesWithoutChangesGetNoCommit() async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    let start = try scene.store.sequence()
    let nothing: WritersInLine.Body = { _ in }
    let follow: WritersInLine.Body = { try $0.setFollowed(true, Identity.ID("u\($0.commit)")) }
    // Reading flushes trees that the write before it has changed.
    let read: WritersInLine.Body = { writer in
      try writer.read { snapshot in _ = try snapshot.users.numbers(prefix: []) }
    }
    for bodies in [
      [nothing, nothing], [nothing, follow, read, read], [follow, read], [read, read, follow],
      [read, nothing],
    ] {
      for outcome in try await scene.run(bodies) { try outcome.get() }
      try expectSound(scene.store)
    }
    try #expect(scene.store.sequence() == start + 3)
    scene.store.close()
    let again = try openStore(directory.path)
    try expectSound(again)
    try again.writeHere { try $0.setFollowed(true, "again") }
    try expectSound(again)
  }

  @Test func consumersStandWhereTheirOwnWritesPutThem() async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    let commits = Mutex<[UInt64]>([])
    func note(_ body: @escaping WritersInLine.Body) -> WritersInLine.Body {
      { writer in
        commits.withLock { $0.append(writer.commit) }
        try body(writer)
      }
    }
    let outcomes = try await scene.run([
      note { try $0.setFollowed(true, "a") },
      note { try $0.registerConsumer("first") },
      note { try $0.setFollowed(true, "b") },
      note {
        try $0.registerConsumer("lost")
        try $0.acknowledge($0.commit - 1, consumer: "first")
        throw GivenUp()
      },
      note { try $0.registerConsumer("second") },
      note { try $0.acknowledge($0.commit - 1, consumer: "first") },
    ])
    #expect(outcomes.map { (try? $0.get()) != nil } == [true, true, true, false, true, true])
    let start = try #require(commits.withLock { $0.first })
    #expect(commits.withLock { $0 } == [0, 1, 2, 3, 3, 4].map { start + $0 })
    try scene.store.read { snapshot in
      let consumers = try snapshot.consumers()
      #expect(consumers.map(\.name) == ["first", "second"])
      #expect(consumers.map(\.id) == [1, 2])
      #expect(consumers.map(\.readCommit) == [start + 3, start + 3])
      #expect(try snapshot.changes(after: start - 1)?.map(\.commit) == [start, start + 2])
    }
    try expectSound(scene.store)
  }
}
