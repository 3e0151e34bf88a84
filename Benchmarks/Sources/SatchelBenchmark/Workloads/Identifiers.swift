import BenchmarkKit
import Engines
import Satchel

/// Identifiers alone, without their objects.
func identifiers(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let prepare = data.sqlite.connection.prepare
  let inConversation = try prepare(Number.idsInConversation)
  let all = try prepare(Number.ids)
  let ofType = try prepare(Number.idsOfType)
  // The same few in every run, so that runs are alike.
  let conversations = data.keys.messages.prefix(8).map(\.conversation)

  return [
    Workload(
      "identifiers/conversation", about: "The identifiers of all messages of a conversation, by position",
      n: n,
      items: conversations.count,
      [
        Contender(.satchel) { _ in
          var answer = Answer()
          for conversation in conversations {
            let id = Conversation.ID(conversation.identifier)
            let found = try store.identifiers(Message.filter { $0.conversation == id }.order { $0.position })
            for id in found { answer.add(id.rawValue) }
          }
          return answer
        },
        Contender(.grdb) { _ in
          var answer = Answer()
          for conversation in conversations {
            for id in try grdb.texts(Number.idsInConversation, [conversation.row]) { answer.add(id) }
          }
          return answer
        },
        Contender(.sqlite) { _ in
          var answer = Answer()
          for conversation in conversations {
            for id in try inConversation.bind(1, conversation.row).texts() { answer.add(id) }
          }
          return answer
        },
      ]),
    Workload(
      "identifiers/all", about: "The identifiers of all messages", n: n, unit: .milliseconds,
      [
        Contender(.satchel) { _ in Answer(ids: try store.identifiers(Query<Message>())) },
        Contender(.grdb) { _ in Answer(texts: try grdb.texts(Number.ids)) },
        Contender(.sqlite) { _ in Answer(texts: try all.texts()) },
      ] + data.floor { lmdb in Contender(.lmdb) { _ in Answer(texts: try lmdb.allIdentifiers()) } }),
    Workload(
      "identifiers/png", about: "The identifiers of the messages with a PNG", n: n,
      [
        Contender(.satchel) { _ in
          Answer(ids: try store.identifiers(Message.filter { $0.parts.any { $0.mimeType == "image/png" } }))
        },
        Contender(.grdb) { _ in Answer(texts: try grdb.texts(Number.idsOfType, ["image/png"])) },
        Contender(.sqlite) { _ in Answer(texts: try ofType.bind(1, "image/png").texts()) },
      ]),
  ]
}
