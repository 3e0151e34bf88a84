import BenchmarkKit
import Engines
import Satchel

/// Everything there is, streamed: never held.
func scans(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let all = try data.sqlite.connection.prepare(SQL.allMessages)
  let times = try data.sqlite.connection.prepare(Number.times)

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
      ]),
    Workload(
      "scan/records",
      about: "When each message was received, summed up, in whatever order its records lie", n: n,
      unit: .milliseconds,
      data.floor { lmdb in
        Contender(.lmdb) { _ in
          let (count, sum) = try lmdb.sumOfReceivedAt()
          return Answer(sum: sum, of: count)
        }
      } + [
        Contender(.satchel) { _ in
          var (count, sum) = (0, Int64(0))
          try store.forEachRecord(of: Message.all.unordered()) { message in
            count += 1
            sum &+= message.receivedTimestamp?.microseconds ?? 0
          }
          return Answer(sum: sum, of: count)
        },
        Contender(.grdb) { _ in
          let (count, sum) = try grdb.sum(Number.times)
          return Answer(sum: sum, of: count)
        },
        Contender(.sqlite) { _ in
          let (count, sum) = try times.sum()
          return Answer(sum: sum, of: count)
        },
      ]),
  ]
}
