import LMDB
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

  let scratch = Scratch()
  let environment: Environment
  let table: Database
  private let owner = Owner()
  private let failsCompletion: Bool

  init(
    failsCompletion: Bool = false, _ change: (inout Environment.Options) -> Void = { _ in }
  ) throws {
    self.failsCompletion = failsCompletion
    (environment, table) = try makeStore(scratch) {
      $0.sharing.seconds = 1e6
      change(&$0)
    }
  }

  /// What the writes of a transaction leave to each other: their number.
  private final class Trace: JoinableWrite {
    let numbers: [Int]
    let transaction: LMDBWriteTransaction
    let table: Database
    let failsCompletion: Bool

    init(_ numbers: [Int], _ transaction: LMDBWriteTransaction, _ table: Database, _ failsCompletion: Bool) {
      self.numbers = numbers
      self.transaction = transaction
      self.table = table
      self.failsCompletion = failsCompletion
    }

    var isJoinable: Bool { true }

    func complete(in transaction: LMDBWriteTransaction?) throws -> WriteEnding {
      if failsCompletion { throw Refusal(number: -1) }
      let text = numbers.map { "\($0)" }.joined(separator: ",")
      try (transaction ?? self.transaction).put(table, "completed", text)
      return .commit
    }

    func committed(_ ending: WriteEnding) {}
  }

  func write(as other: Owner? = nil, number: Int = 0, _ body: Body) throws {
    try environment.write(as: other ?? owner) { transaction, earlier in
      try work(transaction, earlier, number, body)
    }
  }

  func writeOnWriterThread(number: Int = 0, _ body: @escaping Body) async throws {
    try await environment.writeOnWriterThread(as: owner) { [self] transaction, earlier in
      try work(transaction, earlier, number, body)
    }
  }

  private func work(
    _ transaction: LMDBWriteTransaction, _ earlier: Trace?, _ number: Int, _ body: Body
  ) throws -> (Void, Trace) {
    try body(transaction, table)
    return ((), Trace((earlier?.numbers ?? []) + [number], transaction, table, failsCompletion))
  }

  /// Runs bodies, each on a thread of its own or, where it says so, as a job of the writer thread, in this order: the
  /// first one begins when all others wait for it to end.
  func run(
    leaderIsAsynchronous: Bool = false, _ bodies: [(Body, isAsynchronous: Bool)]
  ) async throws -> [Result<Void, any Error>] {
    let (begun, go) = (Signal(), Signal())
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
        tasks.append(Task { try await self.writeOnWriterThread(number: number, gated) })
      } else {
        let worker = Worker { try self.write(number: number, gated) }
        tasks.append(
          Task {
            while !worker.isFinished { try await Task.sleep(nanoseconds: 200_000) }
            try worker.value()
          })
      }
      while number == 0 ? !begun.isUp : environment.waitingWriters < number {
        try await Task.sleep(nanoseconds: 200_000)
      }
    }
    go.set()
    var outcomes: [Result<Void, any Error>] = []
    for task in tasks { outcomes.append(await task.result) }
    return outcomes
  }
}
