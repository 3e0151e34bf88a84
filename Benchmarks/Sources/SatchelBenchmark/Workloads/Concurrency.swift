import BenchmarkKit
import Engines
import Foundation
import GRDB
import Satchel

/// Eight threads that write to one store at once, each in durable commits of its own; a time is that of one message.
func concurrentInserts(_ data: LoadedDataset) throws -> [Workload] {
  // A chat that is there to compare answers is not there to wait for the disk.
  let isSmall = (data.n ?? .max) < 10_000
  return [(1, 20), (10, 10)].map { batch, usual in
    let commits = isSmall ? 2 : usual
    let writers = 8
    let rounds = 7
    let tail = Tail(data.keys, "writers-\(batch)")
    let store: MessageStore = data.satchel
    let grdb: GRDBEngine = data.grdb
    let sqlite = SharedSQLite(data.sqlite)
    // Of a round, a writer and a commit.
    var batches: [[NewMessage]] = []
    func each(of run: Int, _ insert: @escaping @Sendable ([NewMessage]) throws -> Void) throws -> Answer {
      let batches = batches
      try onThreads(writers) { writer in
        let first = (run * writers + writer) * commits
        for commit in first..<first + commits { try insert(batches[commit]) }
      }
      return Answer(number: batch)
    }
    func makeBatches() {
      batches = (0..<rounds * writers * commits).map { tail.messages($0 * batch..<($0 + 1) * batch) }
    }
    return Workload(
      "insert/\(batch)-8-writers", about: "A message, \(batch) in each durable commit of eight threads",
      n: data.n,
      items: batch * writers * commits, repetition: .once(rounds: rounds),
      [
        Contender(.satchel, setUp: makeBatches) { run in try each(of: run) { try store.insert($0) } },
        Contender(.grdb) { run in try each(of: run) { try grdb.insert($0) } },
        Contender(.sqlite, tearDown: { batches = [] }) { run in try each(of: run) { try sqlite.insert($0) } },
      ])
  }
}

/// Messages that come in while the latest messages of the largest conversation are followed: by a controller, by a
/// ValueObservation of GRDB's; by nobody in SQLite, which has nothing for it.
func liveInserts(_ data: LoadedDataset) throws -> [Workload] {
  guard let followed = data.keys.conversations.first else { return [] }
  let tail = Tail(data.keys, "live")
  let commits = 20
  let store: MessageStore = data.satchel
  let grdb: GRDBEngine = data.grdb
  let id = Conversation.ID(followed.identifier)
  let page = SQL.messagesOfConversation(Select.latest)
  let live = Live()
  func each(of run: Int, _ insert: ([NewMessage]) throws -> Void) rethrows -> Answer {
    for number in run * commits..<(run + 1) * commits { try insert([tail.message(number)]) }
    return Answer(number: commits)
  }
  return [
    Workload(
      "insert/1-live",
      about: "A message in a durable commit while a list of 25 rows is followed (not in SQLite)",
      n: data.n, items: commits, repetition: .once(rounds: 20),
      [
        Contender(
          .satchel,
          setUp: {
            let controller = store.controller(
              for: Message.filter { $0.conversation == id }.order { $0.position.descending },
              window: .first(25))
            try controller.execute()
            live.controller = controller
            live.task = Task { for await _ in controller.changes {} }
          },
          tearDown: {
            live.controller?.close()
            live.task?.cancel()
          },
          body: { run in try each(of: run) { try store.insert($0) } }),
        Contender(
          .grdb,
          setUp: {
            live.observation =
              ValueObservation
              .tracking { db in
                try GRDBEngine.messages(db, page, [followed.row, 25, 0], of: followed.identifier).count
              }
              .start(in: grdb.pool, scheduling: .async(onQueue: .global())) { _ in
              } onChange: { _ in
              }
          },
          tearDown: { live.observation?.cancel() },
          body: { run in try each(of: run) { try grdb.insert($0) } }),
        Contender(.sqlite) { run in try each(of: run) { try data.sqlite.insert($0) } },
      ])
  ]
}

/// What follows the list while messages come in.
private final class Live {
  var controller: QueryController<Message>?
  var task: Task<Void, Never>?
  var observation: AnyDatabaseCancellable?
}
