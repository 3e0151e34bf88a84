import LMDB
import StoreFiles
import Synchronization
import TestSupport
import Testing

/// What is left of a shared transaction when one of its writers fails, or all do.
@Suite struct WriteGroupFailureTests {
  @Test func oneThatThrowsLeavesNothing() async throws {
    var random = SeededGenerator(for: "oneThatThrowsLeavesNothing")
    for _ in 0..<TestEnvironment.rounds(20) {
      let group = try GroupScene()
      defer { group.environment.close() }
      let model = Mutex<[UInt64: [UInt8]]>([:])
      for _ in 0..<3 {
        let plans = (0..<8).map { _ in (0..<20).map { _ in Change(&random) } }
        let failing = (0..<8).map { $0 > 0 && Bool.random(using: &random) }
        let outcomes = try await group.run(
          (0..<8).map { index in
            (
              { transaction, table in
                var after = model.withLock { $0 }
                for change in plans[index] { try change.make(transaction, table, &after) }
                if failing[index] { throw Refusal(number: index) }
                model.withLock { [after] in $0 = after }
              }, index % 3 == 2
            )
          })
        for (index, outcome) in outcomes.enumerated() {
          #expect((outcome.failure as? Refusal)?.number == (failing[index] ? index : nil))
        }
        let expected = model.withLock { $0 }
        try group.environment.read { transaction in
          var found: [UInt64: [UInt8]] = [:]
          var cursor = try transaction.cursor(group.table)
          while let entry = try cursor.next() {
            guard entry.key.count == 8 else { continue }
            found[entry.key.loadUnaligned(as: UInt64.self).bigEndian] = [UInt8](entry.value)
          }
          #expect(found == expected)
        }
      }
    }
  }

  @Test func whatCannotBeCommittedFailsForAll() async throws {
    let group = try GroupScene {
      $0.initialMapSize = 1 << 20
      $0.maxMapSize = 1 << 20
    }
    defer { group.environment.close() }
    var bodies: [GroupScene.Body] = (0..<4).map { index in
      { transaction, table in try transaction.put(table, "\(index)", "x") }
    }
    bodies[2] = { transaction, table in
      try transaction.put(table, "big", "x")
      // A failure that the closure swallows still ends the transaction.
      _ = try? transaction.reserve(table, number: 1, count: 1 << 21)
    }
    let outcomes = try await group.run(bodies.map { ($0, false) })
    // The last one came too late for it.
    #expect(outcomes.map { ($0.failure as? LMDBError)?.code } == [.mapFull, .mapFull, .mapFull, nil])
    try group.environment.read { transaction in
      for key in ["0", "1", "big"] { try #expect(transaction.get(group.table, key) == nil) }
      try #expect(transaction.get(group.table, "3") == "x")
      try #expect(transaction.get(group.table, "completed") == "3")
    }
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
          { transaction, _ in if index == reckless { _ = try? transaction.get(other, "key 1500") } },
          index == 2
        )
      })
    for (index, outcome) in outcomes.enumerated() {
      #expect((outcome.failure as? LMDBError)?.code == (index == reckless ? .corrupted : nil))
    }
    #expect(group.kept.withLock { $0 } == (0..<3).filter { $0 != reckless })
  }

  @Test func whatCannotBeCompletedFailsForAll() async throws {
    let group = try GroupScene(failsCompletion: true)
    defer { group.environment.close() }
    let body: GroupScene.Body = { transaction, table in try transaction.put(table, "a", "x") }
    let outcomes = try await group.run([(body, false), (body, true), (body, false)])
    #expect(outcomes.allSatisfy { $0.failure is Refusal })
    try #expect(group.environment.read { try $0.get(group.table, "a") } == nil)
  }

  @Test func oneThatThrewIsToldOfTheFailureOfTheOthers() async throws {
    let group = try GroupScene(failsCompletion: true)
    defer { group.environment.close() }
    let outcomes = try await group.run([
      ({ try $0.put($1, "a", "x") }, false), ({ _, _ in throw CancellationError() }, false),
    ])
    // What it threw may rest on what is not stored now.
    #expect(outcomes.allSatisfy { $0.failure is Refusal })
  }
}

/// A random change of a table of numbers.
private enum Change {
  case put(UInt64, [UInt8])
  case reserve(UInt64, Int)
  case delete(UInt64)
  case deleteAll

  init(_ random: inout SeededGenerator) {
    let key = UInt64.random(in: 0..<60, using: &random)
    let size = Int.random(in: 0..<100, using: &random) < 10 ? 9000 : Int.random(in: 0..<60, using: &random)
    let value = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: size)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60: self = .put(key, value)
    case 60..<70: self = .reserve(key, size)
    case 70..<98: self = .delete(key)
    default: self = .deleteAll
    }
  }

  func make(
    _ transaction: LMDBWriteTransaction, _ table: Database, _ model: inout [UInt64: [UInt8]]
  ) throws {
    switch self {
    case .put(let key, let value):
      try value.withUnsafeBytes { try transaction.put(table, number: key, $0) }
      model[key] = value
    case .reserve(let key, let count):
      try transaction.reserve(table, number: key, count: count).initialize(repeating: 7)
      model[key] = [UInt8](repeating: 7, count: count)
    case .delete(let key):
      try #expect(transaction.delete(table, number: key) == (model[key] != nil))
      model[key] = nil
    case .deleteAll:
      try transaction.deleteAll(in: table)
      model = [:]
    }
  }
}
