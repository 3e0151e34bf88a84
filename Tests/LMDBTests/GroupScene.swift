import LMDB
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
  typealias Body = @Sendable (LMDBWriteTransaction, Database) throws -> Void

  let scratch: Scratch
  let environment: Environment
  let table: Database
  private let owner = Owner()
  private let failsCompletion: Bool
  /// Whether what the writes do is kept elsewhere, and LMDB's write transaction never begins.
  private let isKept: Bool
  /// The numbers of the writes that were kept so, in their order.
  let kept = Mutex<[Int]>([])

  init(
    _ scratch: Scratch = Scratch(), failsCompletion: Bool = false, isKept: Bool = false,
    _ change: (inout Environment.Options) -> Void = { _ in }
  ) throws {
    self.scratch = scratch
    self.failsCompletion = failsCompletion
    self.isKept = isKept
    (environment, table) = try makeStore(scratch) {
      $0.sharing.seconds = 1e6
      change(&$0)
    }
  }

  /// What the writes of a transaction leave to each other: their number.
  private final class Trace: JoinableWrite {
    let numbers: [Int]
    let transaction: LMDBWriteTransaction
    let scene: GroupScene

    init(_ numbers: [Int], _ transaction: LMDBWriteTransaction, _ scene: GroupScene) {
      self.numbers = numbers
      self.transaction = transaction
      self.scene = scene
    }

    var isJoinable: Bool { true }

    func complete(in transaction: LMDBWriteTransaction?) throws -> WriteEnding {
      if scene.failsCompletion { throw Refusal(number: -1) }
      if scene.isKept { return .abort }
      let text = numbers.map { "\($0)" }.joined(separator: ",")
      try (transaction ?? self.transaction).put(scene.table, "completed", text)
      return .commit
    }

    func committed(_ ending: WriteEnding) {
      if ending == .abort { scene.kept.withLock { $0 += numbers } }
    }
  }

  func write(as other: Owner? = nil, number: Int = 0, _ body: Body) throws {
    try environment.write(as: other ?? owner, deferring: isKept) { transaction, earlier in
      try work(transaction, earlier, number, body)
    }
  }

  func writeOnWriterThread(number: Int = 0, _ body: @escaping Body) async throws {
    try await environment.writeOnWriterThread(as: owner, deferring: isKept) { [self] transaction, earlier in
      try work(transaction, earlier, number, body)
    }
  }

  private func work(
    _ transaction: LMDBWriteTransaction, _ earlier: Trace?, _ number: Int, _ body: Body
  ) throws -> (Void, Trace) {
    try body(transaction, table)
    return ((), Trace((earlier?.numbers ?? []) + [number], transaction, self))
  }

  /// Runs bodies, each on a thread of its own or, where it says so, as a job of the writer thread, in this order: the
  /// first one begins when all others wait for it to end. If it never begins, its error is among the outcomes.
  func run(
    leaderIsAsynchronous: Bool = false, _ bodies: [(Body, isAsynchronous: Bool)]
  ) async throws -> [Result<Void, any Error>] {
    let (begun, ended, go) = (Signal(), Signal(), Signal())
    var tasks: [Task<Void, any Error>] = []
    for (number, (body, isAsynchronous)) in bodies.enumerated() {
      let gated: Body = { transaction, table in
        if number == 0 {
          begun.set()
          go.wait()
        }
        try body(transaction, table)
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
