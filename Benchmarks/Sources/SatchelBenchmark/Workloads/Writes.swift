import BenchmarkKit
import Engines
import Satchel

/// What else changes a chat, each in a durable commit of its own.
func changes(_ data: LoadedDataset) throws -> [Workload] {
  let keys = data.keys
  let store = data.satchel
  // As like as there are, so that rounds are: those with about twenty unread messages.
  let unread = keys.conversations.filter { $0.unreadCount > 0 }
    .sorted { abs($0.unreadCount - 20) < abs($1.unreadCount - 20) }
  // New messages go to the larger half of the conversations only.
  let small = keys.conversations.suffix(keys.conversations.count / 2).filter { $0.messageCount >= 5 }.prefix(
    100)

  return [
    Workload(
      "write/mark-conversation-read", about: "All messages of a conversation marked as read", n: data.n,
      repetition: .once(rounds: min(100, unread.count)),
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(unread[run].identifier)
          try store.write { try $0.markAsRead(id) }
          return Answer(number: 1)
        },
        Contender(.grdb) { run in
          try data.grdb.markRead(unread[run])
          return Answer(number: 1)
        },
        Contender(.sqlite) { run in
          try data.sqlite.markRead(unread[run])
          return Answer(number: 1)
        },
      ]),
    Workload(
      "write/set-metadata", about: "A text of a conversation's metadata set", n: data.n,
      repetition: .once(rounds: 100),
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(keys.conversations[run % keys.conversations.count].identifier)
          try store.write {
            try $0.setMetadata(.text("color \(run)"), at: "theme.color", of: .conversation(id))
          }
          return Answer(number: 1)
        },
        Contender(.grdb) { run in
          let key = keys.conversations[run % keys.conversations.count]
          try data.grdb.setMetadata("color \(run)", at: "theme.color", of: key)
          return Answer(number: 1)
        },
        Contender(.sqlite) { run in
          let key = keys.conversations[run % keys.conversations.count]
          try data.sqlite.setMetadata("color \(run)", at: "theme.color", of: key)
          return Answer(number: 1)
        },
      ]),
    Workload(
      "write/delete-conversation", about: "A conversation deleted with its messages", n: data.n,
      repetition: .once(rounds: min(50, small.count)),
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(small[small.startIndex + run].identifier)
          try store.write { try $0.delete(id) }
          return Answer(number: 1)
        },
        Contender(.grdb) { run in
          try data.grdb.delete(small[small.startIndex + run])
          return Answer(number: 1)
        },
        Contender(.sqlite) { run in
          try data.sqlite.delete(small[small.startIndex + run])
          return Answer(number: 1)
        },
      ]),
    // What the engines hold after all of this has to be the same.
    Workload(
      "write/after-all", about: "How many messages there are after the writes of this run", n: data.n,
      repetition: .once(rounds: 3),
      [
        Contender(.satchel) { _ in
          Answer(texts: [
            "\(try store.totalCount(Query<Message>()))", "\(try store.count(Message.filter { $0.isUnread }))",
          ])
        },
        Contender(.grdb) { _ in
          Answer(texts: ["\(try data.grdb.number(Number.total))", "\(try data.grdb.number(Number.unread))"])
        },
        Contender(.sqlite) { _ in
          let prepare = data.sqlite.connection.prepare
          return Answer(texts: [
            "\(try prepare(Number.total).number())", "\(try prepare(Number.unread).number())",
          ])
        },
      ]),
  ]
}
