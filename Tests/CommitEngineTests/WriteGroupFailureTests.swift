import CommitEngine
import LMDB
import LMDBScenes
import StoreFiles
import Synchronization
import TestSupport
import Testing

/// What is left of a shared transaction when one of its writers fails, or all do.
@Suite struct WriteGroupFailureTests {
  @Test(arguments: [false, true]) func oneThatThrowsLeavesNothing(isKept: Bool) async throws {
    var random = SeededGenerator(for: "oneThatThrowsLeavesNothing(\(isKept))")
    for _ in 0..<TestEnvironment.rounds(20) {
      let group = try GroupScene(isKept: isKept)
      defer { group.environment.close() }
      let model = Mutex<GroupWrite.Values>([:])
      for _ in 0..<3 {
        let plans = (0..<8).map { _ in (0..<20).map { _ in Change(&random) } }
        let failing = (0..<8).map { $0 > 0 && Bool.random(using: &random) }
        // One that keeps its changes elsewhere is not the one that passes them to LMDB, unless it fails.
        let spilling = (0..<8).map {
          failing[$0] || !isKept ? Int.random(in: 0..<40, using: &random) : 40
        }
        let outcomes = try await group.run(
          (0..<8).map { index in
            (
              { write in
                var after = model.withLock { $0 }
                for (step, change) in plans[index].enumerated() {
                  if step == spilling[index] { try write.spill() }
                  try change.make(write, &after)
                }
                if failing[index] { throw Refusal(number: index) }
                model.withLock { [after] in $0 = after }
              }, index % 3 == 2
            )
          })
        for (index, outcome) in outcomes.enumerated() {
          #expect((outcome.failure as? Refusal)?.number == (failing[index] ? index : nil))
        }
        try #expect(group.values() == model.withLock { $0 }.filter { $0.value != nil })
      }
    }
  }

  /// What one that fails has passed to LMDB is taken back, whoever has begun LMDB's transaction, and on whatever thread: those before it
  /// and those after it are stored together.
  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func oneThatOverflowsAndThrowsTakesNobodyWithIt(isKept: Bool, leaderIsAsynchronous: Bool)
    async throws
  {
    let group = try GroupScene(isKept: isKept)
    defer { group.environment.close() }
    let before = try group.environment.lastTransaction
    let plain: (Int) -> GroupScene.Body = { number in { $0.put("\(number)", "x") } }
    let overflowing: (Int) -> GroupScene.Body = { number in
      { write in
        write.put("overflowing", "\(number)")
        write.remove("0")
        try write.spill()
        try #expect(write.transaction.get(group.table, "overflowing") == "\(number)")
        throw Refusal(number: number)
      }
    }
    let outcomes = try await group.run(
      leaderIsAsynchronous: leaderIsAsynchronous,
      [
        (plain(0), false), (overflowing(1), false), (plain(2), true), (overflowing(3), true),
        (plain(4), false),
      ])
    #expect(outcomes.map { ($0.failure as? Refusal)?.number } == [nil, 1, nil, 3, nil])
    try #expect(group.values().keys.sorted() == ["0", "2", "4"])
    if isKept {
      #expect(group.kept.withLock { $0.numbers } == [0, 2, 4])
    } else {
      try #expect(group.completed() == "0,2,4")
    }
    // One group, and nothing of those that have failed.
    try #expect(group.environment.lastTransaction == before + (isKept ? 0 : 1))
    try group.environment.read { try #expect($0.get(group.table, "overflowing") == nil) }
  }

  /// What has been passed to LMDB could not be told from what a later one passes there.
  @Test func nobodyJoinsAfterOneThatHasOverflowed() async throws {
    let group = try GroupScene()
    defer { group.environment.close() }
    let before = try group.environment.lastTransaction
    let plain: GroupScene.Body = { $0.put("\($0.transaction.id)", "x") }
    let overflowing: GroupScene.Body = { write in
      try plain(write)
      try write.spill()
    }
    let outcomes = try await group.run([
      (plain, false), (overflowing, false), (plain, false), (plain, true), (overflowing, true),
      (plain, false),
    ])
    for outcome in outcomes { try outcome.get() }
    try #expect(group.environment.lastTransaction == before + 3)
  }

  @Test func oneThatHasNoRoomFailsAlone() async throws {
    let group = try GroupScene {
      $0.initialMapSize = 1 << 20
      $0.maxMapSize = 1 << 20
    }
    defer { group.environment.close() }
    var bodies: [GroupScene.Body] = (0..<4).map { index in { $0.put("\(index)", "x") } }
    bodies[2] = { write in
      write.put("big", "x")
      try write.spill()
      // A failure that the closure swallows still ends the transaction.
      _ = try? write.transaction.reserve(group.table, number: 1, count: 1 << 21)
    }
    let outcomes = try await group.run(bodies.map { ($0, false) })
    #expect(outcomes.map { ($0.failure as? LMDBError)?.code } == [nil, nil, .mapFull, nil])
    try #expect(group.values().keys.sorted() == ["0", "1", "3"])
    try #expect(group.completed() == "0,1,3")
  }

  /// A write that has passed over damage is not kept, whether it leads or joins; the others are.
  @Test(arguments: [0, 1]) func whoPassesOverDamageFailsAlone(_ reckless: Int) async throws {
    let scratch = Scratch()
    let databases = ["t", "other"]
    let (maker, _) = try makeStore(scratch) { $0.databases = databases }
    let rows = try maker.database("other")
    try maker.write { transaction in
      for index in 1000..<3000 {
        try transaction.put(rows, "key \(index)", String(repeating: "x", count: 40))
      }
    }
    maker.close()
    try #require(damageLeaf(of: scratch.data, with: "key 1500"))

    let group = try GroupScene(scratch, isKept: true) { $0.databases = databases }
    defer { group.environment.close() }
    let other = try group.environment.database("other")
    let outcomes = try await group.run(
      (0..<3).map { index in
        (
          { write in if index == reckless { _ = try? write.transaction.get(other, "key 1500") } },
          index == 2
        )
      })
    for (index, outcome) in outcomes.enumerated() {
      #expect((outcome.failure as? LMDBError)?.code == (index == reckless ? .corrupted : nil))
    }
    #expect(group.kept.withLock { $0.numbers } == (0..<3).filter { $0 != reckless })
  }

  @Test func whatCannotBeCompletedFailsForAll() async throws {
    let group = try GroupScene(failsCompletion: true)
    defer { group.environment.close() }
    let body: GroupScene.Body = { $0.put("a", "x") }
    let outcomes = try await group.run([(body, false), (body, true), (body, false)])
    #expect(outcomes.allSatisfy { $0.failure is Refusal })
    try #expect(group.values().isEmpty)
  }

  @Test func oneThatThrewIsToldOfTheFailureOfTheOthers() async throws {
    let group = try GroupScene(failsCompletion: true)
    defer { group.environment.close() }
    let outcomes = try await group.run([
      ({ $0.put("a", "x") }, false), ({ _ in throw CancellationError() }, false),
    ])
    // What it threw may rest on what is not stored now.
    #expect(outcomes.allSatisfy { $0.failure is Refusal })
  }
}

/// A random change of a few keys.
private enum Change {
  case put(String, [UInt8])
  case remove(String)

  init(_ random: inout SeededGenerator) {
    let key = "\(Int.random(in: 0..<60, using: &random))"
    let size =
      Int.random(in: 0..<100, using: &random) < 10 ? 9000 : Int.random(in: 0..<60, using: &random)
    let value = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: size)
    self = Int.random(in: 0..<100, using: &random) < 70 ? .put(key, value) : .remove(key)
  }

  func make(_ write: GroupWrite, _ model: inout GroupWrite.Values) throws {
    switch self {
    case .put(let key, let value):
      write.put(key, value)
      model[key] = .some(value)
    case .remove(let key):
      try #expect(write.get(key) == model[key] ?? nil)
      write.remove(key)
      model[key] = .some(nil)
    }
  }
}
