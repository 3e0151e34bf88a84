import BenchmarkKit
import Engines
import Satchel

/// What a chat shows: messages with the names of those who sent them. SQLite joins them; GRDB follows an association.
func senders(_ data: LoadedDataset) throws -> [Workload] {
  let latest = try data.sqlite.connection.prepare(SQL.messagesWithSenders(Select.latest))
  let keys = data.keys.messages.map(\.conversation)
  return [
    Workload(
      "page/including-sender",
      about: "The latest 20 messages of a conversation with their senders' identities",
      n: data.n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(keys[run % keys.count].identifier)
          return Answer(
            withSenders: try data.satchel.fetch(
              Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20)
                .including(\.sender)))
        },
        Contender(.grdb) { run in
          Answer(try data.grdb.codableLatestWithSenders(keys[run % keys.count], limit: 20))
        },
        Contender(.sqlite) { run in
          let key = keys[run % keys.count]
          return Answer(
            try latest.bind(1, key.row).bind(2, 20).bind(3, 0).messagesWithSenders(of: key.identifier))
        },
      ])
  ]
}

extension Answer {
  fileprivate init(withSenders messages: [Message]) {
    self.init()
    for message in messages {
      add(message)
      let sender = message.included(\.sender)
      add(sender?.displayName ?? "")
      add(sender?.avatarURL ?? "")
    }
  }

  fileprivate init(_ messages: [SentMessage]) {
    self.init()
    for message in messages {
      add(message.message)
      add(message.sender?.displayName ?? "")
      add(message.sender?.avatarURL ?? "")
    }
  }

  fileprivate init(_ messages: [CodableSentMessage]) {
    self.init()
    for message in messages {
      add(message.message.identifier)
      add(message.message.sender)
      add(message.message.sentAt)
      add(message.text ?? "")
      add(message.sender?.displayName ?? "")
      add(message.sender?.avatarURL ?? "")
    }
  }
}
