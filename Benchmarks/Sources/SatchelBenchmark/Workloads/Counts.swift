import BenchmarkKit
import Engines
import Satchel

/// Numbers: how many, at which row, the rows at a place.
func counts(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let keys = data.keys
  let prepare = data.sqlite.connection.prepare
  let unread = try prepare(Number.unread)
  let unreadInConversation = try prepare(Number.unreadInConversation)
  let since = try prepare(Number.since)
  let between = try prepare(Number.between)
  let rank = try prepare(Number.rank)
  let idsBySentAt = try prepare(Number.idsBySentAt)
  let total = try prepare(Number.total)
  let senderInConversation = try prepare(Number.senderInConversation)

  func message(_ run: Int) -> MessageKey { keys.messages[run % keys.messages.count] }
  func offset(_ run: Int) -> Int { keys.offsets[run % keys.offsets.count] }
  func tenth(_ run: Int) -> ClosedRange<Int64> { keys.tenths[run % keys.tenths.count] }

  return [
    Workload(
      "count/unread",
      about: "How many messages are unread (the relational schema keeps it for each conversation)",
      n: n,
      [
        Contender(.satchel) { _ in Answer(number: try store.count(Message.filter { $0.isUnread })) },
        Contender(.grdb) { _ in Answer(number: try grdb.number(Number.unread)) },
        Contender(.sqlite) { _ in Answer(number: Int(try unread.number())) },
      ]),
    Workload(
      "count/unread-conversation",
      about:
        "How many messages of a conversation are unread (the relational schema keeps it on the conversation)",
      n: n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(message(run).conversation.identifier)
          return Answer(number: try store.count(Message.filter { $0.conversation == id && $0.isUnread }))
        },
        Contender(.grdb) { run in
          Answer(number: try grdb.number(Number.unreadInConversation, [message(run).conversation.row]))
        },
        Contender(.sqlite) { run in
          Answer(number: Int(try unreadInConversation.bind(1, message(run).conversation.row).number()))
        },
      ]),
    Workload(
      "count/week", about: "How many messages were sent in the past week", n: n,
      [
        Contender(.satchel) { _ in
          let start = Timestamp(microseconds: keys.weekStart).date
          return Answer(number: try store.count(Message.filter { $0.sentAt > start }))
        },
        Contender(.grdb) { _ in Answer(number: try grdb.number(Number.since, [keys.weekStart])) },
        Contender(.sqlite) { _ in Answer(number: Int(try since.bind(1, keys.weekStart).number())) },
      ]),
    Workload(
      "count/range-10-percent",
      about: "How many messages were sent in a stretch of time that has a tenth of them",
      n: n,
      [
        Contender(.satchel) { run in
          let lower = Timestamp(microseconds: tenth(run).lowerBound).date
          let upper = Timestamp(microseconds: tenth(run).upperBound).date
          return Answer(number: try store.count(Message.filter { $0.sentAt.between(lower, upper) }))
        },
        Contender(.grdb) { run in
          Answer(number: try grdb.number(Number.between, [tenth(run).lowerBound, tenth(run).upperBound]))
        },
        Contender(.sqlite) { run in
          Answer(
            number: Int(try between.bind(1, tenth(run).lowerBound).bind(2, tenth(run).upperBound).number()))
        },
      ]),
    Workload(
      "count/rank-of-message", about: "The row of a message in the list of its conversation", n: n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(message(run).conversation.identifier)
          return Answer(
            number: try store.count(
              Message.filter { $0.conversation == id }.order { $0.position }
                .before(Message.ID(message(run).identifier))))
        },
        Contender(.grdb) { run in
          let message = message(run)
          return Answer(
            number: try grdb.number(Number.rank, [message.conversation.row, message.position, message.row]))
        },
        Contender(.sqlite) { run in
          let message = message(run)
          return Answer(
            number: Int(
              try rank.bind(1, message.conversation.row).bind(2, message.position).bind(3, message.row)
                .number()))
        },
      ]),
    Workload(
      "count/offset", about: "The identifiers of 20 rows somewhere in the list of all messages by time", n: n,
      [
        Contender(.satchel) { run in
          Answer(ids: try store.identifiers(Message.order { $0.sentAt }.offset(offset(run)).limit(20)))
        },
        Contender(.grdb) { run in Answer(texts: try grdb.texts(Number.idsBySentAt, [20, offset(run)])) },
        Contender(.sqlite) { run in
          Answer(texts: try idsBySentAt.bind(1, 20).bind(2, Int64(offset(run))).texts())
        },
      ]),
    Workload(
      "count/total",
      about: "How many messages there are (the relational schema keeps it for each conversation)",
      n: n,
      [
        Contender(.satchel) { _ in Answer(number: try store.totalCount(Query<Message>())) },
        Contender(.grdb) { _ in Answer(number: try grdb.number(Number.total)) },
        Contender(.sqlite) { _ in Answer(number: Int(try total.number())) },
      ]),
    Workload(
      "count/sender-in-conversation", about: "How many messages of a conversation the store's user has sent",
      n: n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(message(run).conversation.identifier)
          return Answer(
            number: try store.count(
              Message.filter { $0.conversation == id && $0.sender.userID == Identity.ID(data.user) }))
        },
        Contender(.grdb) { run in
          Answer(
            number: try grdb.number(Number.senderInConversation, [message(run).conversation.row, data.user]))
        },
        Contender(.sqlite) { run in
          Answer(
            number: Int(
              try senderInConversation.bind(1, message(run).conversation.row).bind(2, data.user).number()))
        },
      ]),
  ]
}
