import CommitEngine
import LMDB
import LMDBScenes
import Synchronization
import Testing

/// Whom writes belong to.
final class Owner: Sendable {}

struct Refusal: Error {
  let number: Int
}

extension Result {
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// A store whose writers are made to stand in line together.
final class GroupScene: Sendable {
  typealias Body = @Sendable (GroupWrite) throws -> Void

  let scratch: Scratch
  let environment: Environment
  let table: Database
  let limits: GroupLimits
  let failsCompletion: Bool
  /// Whether the writes begin with a snapshot, and what they change is kept elsewhere.
  let isKept: Bool
  /// What was kept so: the numbers of the writes, in their order, and all that they have changed.
  let kept = Mutex<(numbers: [Int], values: GroupWrite.Values)>(([], [:]))
  private let owner = Owner()

  init(
    _ scratch: Scratch = Scratch(), writers: Int = 64, failsCompletion: Bool = false,
    isKept: Bool = false,
    _ change: (inout Environment.Options) -> Void = { _ in }
  ) throws {
    self.scratch = scratch
    self.failsCompletion = failsCompletion
    self.isKept = isKept
    limits = GroupLimits(writers: writers, seconds: 1e6)
    (environment, table) = try makeStore(scratch, change)
  }

  func write(as other: Owner? = nil, number: Int = 0, _ body: Body) throws {
    try environment.write(as: other ?? owner, limits, deferring: isKept) { transaction, earlier in
      try work(transaction, earlier, number, body)
    }
  }

  func writeOnWriterThread(number: Int = 0, _ body: @escaping Body) async throws {
    try await environment.writeOnWriterThread(as: owner, limits, deferring: isKept) {
      [self] transaction, earlier in try work(transaction, earlier, number, body)
    }
  }

  private func work(
    _ transaction: LMDBWriteTransaction, _ earlier: GroupWrite?, _ number: Int, _ body: Body
  ) throws -> (Void, GroupWrite) {
    let write = GroupWrite(transaction, self, following: earlier, number: number)
    try body(write)
    return ((), write)
  }

  /// All values that there are.
  func values() throws -> GroupWrite.Values {
    if isKept { return kept.withLock { $0.values }.filter { $0.value != nil } }
    return try environment.read { transaction in
      var found: GroupWrite.Values = [:]
      var cursor = try transaction.cursor(table)
      while let entry = try cursor.next() {
        found[String(decoding: entry.key, as: UTF8.self)] = [UInt8](entry.value)
      }
      found["completed"] = nil
      return found
    }
  }

  /// The numbers of the writes that have completed the last group.
  func completed() throws -> String? { try environment.read { try $0.get(table, "completed") } }

  /// Runs bodies, each on a thread of its own or, where it says so, as a job of the writer thread, in this order: the
  /// first one begins when all others wait for it to end. If it never begins, its error is among the outcomes.
  func run(
    leaderIsAsynchronous: Bool = false, _ bodies: [(Body, isAsynchronous: Bool)]
  ) async throws -> [Result<Void, any Error>] {
    let (begun, ended, go) = (Signal(), Signal(), Signal())
    var tasks: [Task<Void, any Error>] = []
    for (number, (body, isAsynchronous)) in bodies.enumerated() {
      let gated: Body = { write in
        if number == 0 {
          begun.set()
          go.wait()
        }
        try body(write)
      }
      if number == 0 ? leaderIsAsynchronous : isAsynchronous {
        tasks.append(
          Task {
            defer { if number == 0 { ended.set() } }
            try await self.writeOnWriterThread(number: number, gated)
          })
      } else {
        let worker = Worker {
          defer { if number == 0 { ended.set() } }
          try self.write(number: number, gated)
        }
        tasks.append(
          Task {
            while !worker.isFinished { try await Task.sleep(nanoseconds: 200_000) }
            try worker.value()
          })
      }
      while !ended.isUp, number == 0 ? !begun.isUp : environment.waitingWriters < number {
        try await Task.sleep(nanoseconds: 200_000)
      }
    }
    go.set()
    var outcomes: [Result<Void, any Error>] = []
    for task in tasks { outcomes.append(await task.result) }
    return outcomes
  }
}

/// A write of a scene. What it changes waits in memory, upon a copy of what the writes before it in the group have changed.
final class GroupWrite: JoinableWrite {
  typealias Values = [String: [UInt8]?]

  let transaction: LMDBWriteTransaction
  private let scene: GroupScene
  private let numbers: [Int]
  private var values: Values

  fileprivate init(
    _ transaction: LMDBWriteTransaction, _ scene: GroupScene, following earlier: GroupWrite?,
    number: Int
  ) {
    self.transaction = transaction
    self.scene = scene
    numbers = (earlier?.numbers ?? []) + [number]
    values = earlier?.values ?? (scene.isKept ? scene.kept.withLock { $0.values } : [:])
  }

  func get(_ key: String) throws -> [UInt8]? {
    if let known = values[key] { return known }
    return try Array(key.utf8).withUnsafeBytes { key in
      try transaction.get(scene.table, key).map { [UInt8]($0) }
    }
  }

  func text(_ key: String) throws -> String? {
    try get(key).map { String(decoding: $0, as: UTF8.self) }
  }
  func put(_ key: String, _ value: [UInt8]) { values[key] = .some(value) }
  func put(_ key: String, _ text: String) { put(key, Array(text.utf8)) }
  func remove(_ key: String) { values[key] = .some(nil) }

  /// Passes all changes to LMDB, as a write does that has no more room for them in memory.
  func spill() throws {
    _ = try transaction.beginChanges()
    try write(to: transaction)
  }

  private func write(to transaction: LMDBWriteTransaction) throws {
    for (key, value) in values {
      if let value {
        try transaction.put(scene.table, Array(key.utf8), value)
      } else {
        _ = try transaction.delete(scene.table, key)
      }
    }
  }

  // MARK: The group

  var isJoinable: Bool { true }

  func complete(in given: LMDBWriteTransaction?) throws -> Bool {
    if scene.failsCompletion { throw Refusal(number: -1) }
    if scene.isKept { return false }
    let transaction = given ?? self.transaction
    try write(to: transaction)
    let text = numbers.map { "\($0)" }.joined(separator: ",")
    try transaction.put(scene.table, "completed", text)
    return true
  }

  func committed(inDatabase isInDatabase: Bool) {
    if !isInDatabase { scene.kept.withLock { $0 = ($0.numbers + numbers, values) } }
  }
}
