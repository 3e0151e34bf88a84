import BenchmarkKit
import Engines
import Satchel

/// Everything there is, streamed: never held.
func scans(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let all = try data.sqlite.connection.prepare(SQL.allMessages)

  return [
    Workload(
      "scan/messages", about: "Every message, whole, one after the other", n: n, unit: .milliseconds,
      [
        Contender(.satchel) { _ in
          var answer = Answer()
          try store.read { try $0.forEach(Query<Message>()) { answer.add($0) } }
          return answer
        },
        Contender(.grdb) { _ in
          var answer = Answer()
          try grdb.forEachMessage(SQL.allMessages) { answer.add($0) }
          return answer
        },
        Contender(.sqlite) { _ in
          var answer = Answer()
          try all.forEachMessage { answer.add($0) }
          return answer
        },
      ])
  ]
}
