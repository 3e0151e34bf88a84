import BenchmarkKit
import Engines
import Satchel

/// What a list shows of itself at once: twenty rows, whole objects.
func pages(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let keys = data.keys
  let prepare = data.sqlite.connection.prepare

  let latest = SQL.messagesOfConversation(Select.latest)
  let fromBeginning = SQL.messagesOfConversation(Select.fromBeginning)
  let bySentAt = SQL.messages(Select.bySentAt)
  let conversations = SQL.conversations(Select.conversationsByLast)
  let preparedLatest = try prepare(latest)
  let preparedFromBeginning = try prepare(fromBeginning)
  let preparedBySentAt = try prepare(bySentAt)
  let preparedConversations = try prepare(conversations)

  /// A conversation at random by its weight: that of a random message.
  func conversation(_ run: Int) -> ConversationKey { keys.messages[run % keys.messages.count].conversation }
  // Where there are fewer than 5,000 pages, the page at nine tenths of them.
  let deep = min(4_999, keys.messageCount / 20 * 9 / 10) * 20

  return [
    Workload(
      "page/latest-20", about: "The latest 20 messages of a conversation", n: n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(conversation(run).identifier)
          return Answer(
            try store.fetch(
              Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20)))
        },
        Contender(.grdb) { run in
          let conversation = conversation(run)
          return Answer(try grdb.messages(latest, [conversation.row, 20, 0], of: conversation.identifier))
        },
        Contender(.sqlite) { run in
          let conversation = conversation(run)
          return Answer(
            try preparedLatest.bind(1, conversation.row).bind(2, 20).bind(3, 0).messages(
              of: conversation.identifier))
        },
      ]
        + data.floor { lmdb in
          Contender(.lmdb) { run in Answer(try lmdb.latest(conversation(run), limit: 20)) }
        }),
    Workload(
      "page/middle", about: "20 messages in the middle of a conversation, by position", n: n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(conversation(run).identifier)
          return Answer(
            try store.fetch(
              Message.filter { $0.conversation == id }.order { $0.position }
                .offset(conversation(run).messageCount / 2).limit(20)))
        },
        Contender(.grdb) { run in
          let conversation = conversation(run)
          return Answer(
            try grdb.messages(
              fromBeginning, [conversation.row, 20, conversation.messageCount / 2],
              of: conversation.identifier))
        },
        Contender(.sqlite) { run in
          let conversation = conversation(run)
          return Answer(
            try preparedFromBeginning.bind(1, conversation.row).bind(2, 20)
              .bind(3, Int64(conversation.messageCount / 2)).messages(of: conversation.identifier))
        },
      ]),
    Workload(
      "page/5000",
      about: "Page 5,000 of all messages by the time they were sent (of fewer pages, the one at nine tenths)",
      n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Message.order { $0.sentAt }.offset(deep).limit(20)))
        },
        Contender(.grdb) { _ in Answer(try grdb.messages(bySentAt, [20, deep])) },
        Contender(.sqlite) { _ in Answer(try preparedBySentAt.bind(1, 20).bind(2, Int64(deep)).messages()) },
      ]),
    Workload(
      "page/conversations",
      about: "The 20 conversations heard of last, with their last messages and how many are unread", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Conversation.order { $0.lastMessage.receivedAt.descending }.limit(20)))
        },
        Contender(.grdb) { _ in Answer(try grdb.conversations(conversations, [20, 0])) },
        Contender(.sqlite) { _ in Answer(try preparedConversations.bind(1, 20).bind(2, 0).conversations()) },
      ]),
  ]
}
