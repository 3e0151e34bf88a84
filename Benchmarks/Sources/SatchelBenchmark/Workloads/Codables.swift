import BenchmarkKit
import Engines
import Satchel

/// Pages through GRDB's Codable records and query interface, the way its documentation begins with; the other engines do
/// what they do without the suffix.
func codables(_ data: LoadedDataset) throws -> [Workload] {
  let store = data.satchel
  let latest = try data.sqlite.connection.prepare(SQL.messagesOfConversation(Select.latest))
  let whole = try data.sqlite.connection.prepare(SQL.messagesOfConversation(Select.fromBeginning))
  let keys = data.keys.messages.map(\.conversation)
  guard let example = data.keys.exampleConversation else { return [] }

  return [
    Workload(
      "page/latest-20-codable", about: "The latest 20 messages of a conversation, through Codable in GRDB",
      n: data.n,
      [
        Contender(.satchel) { run in
          let id = Conversation.ID(keys[run % keys.count].identifier)
          return Answer(
            try store.fetch(
              Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20)))
        },
        Contender(.grdb) { run in Answer(try data.grdb.codableLatest(keys[run % keys.count], limit: 20)) },
        Contender(.sqlite) { run in
          let key = keys[run % keys.count]
          return Answer(try latest.bind(1, key.row).bind(2, 20).bind(3, 0).messages(of: key.identifier))
        },
      ]),
    Workload(
      "page/conversation-codable", about: "All messages of a conversation, through Codable in GRDB",
      n: data.n,
      [
        Contender(.satchel) { _ in
          let id = Conversation.ID(example.identifier)
          return Answer(try store.fetch(Message.filter { $0.conversation == id }.order { $0.position }))
        },
        Contender(.grdb) { _ in Answer(try data.grdb.codableMessages(of: example)) },
        Contender(.sqlite) { _ in
          Answer(try whole.bind(1, example.row).bind(2, -1).bind(3, 0).messages(of: example.identifier))
        },
      ]),
  ]
}

extension Answer {
  fileprivate init(_ messages: [CodableMessage]) {
    self.init()
    for message in messages {
      add(message.message.identifier)
      add(message.message.sender)
      add(message.message.sentAt)
      add(message.text ?? "")
    }
  }
}
