import BenchmarkKit
import Engines
import Satchel

/// The example queries of Layer's manual, as Scripts/demo.sh asks them.
func seeds(_ data: LoadedDataset) throws -> [Workload] {
  let n = data.n
  let store = data.satchel
  let grdb = data.grdb
  let prepare = data.sqlite.connection.prepare
  let user = Identity.ID(data.user)
  let week = data.keys.weekStart
  guard let example = data.keys.exampleConversation else { return [] }
  let conversation = Conversation.ID(example.identifier)

  let allConversations = SQL.conversations(Select.allConversations)
  let oneConversation = SQL.conversations(Select.conversation)
  let ofParticipants = SQL.conversations(Select.participants)
  let participants = [data.user, "noah"].sorted().joined(separator: "\n")
  let allMessages = SQL.messages(Select.all)
  let inConversation = SQL.messagesOfConversation(Select.fromBeginning)
  let lastWeek = SQL.messages(Select.week)
  let pngMessages = SQL.messages(Select.pngMessages)
  let pngParts = SQL.parts(Select.pngParts)
  let metadataValue = SQL.conversations(Select.metadataValue)
  let metadataIn = SQL.conversations(Select.metadataIn)
  let metadataAnd = SQL.conversations(Select.metadataAnd)

  let preparedAllConversations = try prepare(allConversations)
  let preparedConversation = try prepare(oneConversation)
  let preparedParticipants = try prepare(ofParticipants)
  let preparedAllMessages = try prepare(allMessages)
  let preparedUnread = try prepare(Number.unreadOfOthers)
  let preparedInConversation = try prepare(inConversation)
  let preparedWeek = try prepare(lastWeek)
  let preparedPNGMessages = try prepare(pngMessages)
  let preparedPNGParts = try prepare(pngParts)
  let preparedValue = try prepare(metadataValue)
  let preparedIn = try prepare(metadataIn)
  let preparedSender = try prepare(Number.senderInConversation)
  let preparedAnd = try prepare(metadataAnd)

  return [
    Workload(
      "seed/all-conversations", about: "All conversations with their last messages", n: n,
      [
        Contender(.satchel) { _ in Answer(try store.fetch(Query<Conversation>())) },
        Contender(.grdb) { _ in Answer(try grdb.conversations(allConversations, [-1, 0])) },
        Contender(.sqlite) { _ in
          Answer(try preparedAllConversations.bind(1, -1).bind(2, 0).conversations())
        },
      ]),
    Workload(
      "seed/conversation", about: "The conversation of an identifier", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Conversation.filter { $0.identifier == conversation }))
        },
        Contender(.grdb) { _ in Answer(try grdb.conversations(oneConversation, [example.identifier, -1, 0]))
        },
        Contender(.sqlite) { _ in
          Answer(try preparedConversation.bind(1, example.identifier).bind(2, -1).bind(3, 0).conversations())
        },
      ]),
    Workload(
      "seed/participants", about: "The conversations of exactly these participants", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Conversation.filter { $0.participants == [user, "noah"] }))
        },
        Contender(.grdb) { _ in Answer(try grdb.conversations(ofParticipants, [participants, -1, 0])) },
        Contender(.sqlite) { _ in
          Answer(try preparedParticipants.bind(1, participants).bind(2, -1).bind(3, 0).conversations())
        },
      ]),
    Workload(
      "seed/all-messages", about: "All messages, the first 1,000 of them (scan/messages has them all)", n: n,
      [
        Contender(.satchel) { _ in Answer(try store.fetch(Query<Message>().limit(1000))) },
        Contender(.grdb) { _ in Answer(try grdb.messages(allMessages, [1000, 0])) },
        Contender(.sqlite) { _ in Answer(try preparedAllMessages.bind(1, 1000).bind(2, 0).messages()) },
      ]),
    Workload(
      "seed/unread", about: "How many messages of others are unread", n: n,
      [
        Contender(.satchel) { _ in
          Answer(number: try store.count(Message.filter { $0.isUnread && $0.sender.userID != user }))
        },
        Contender(.grdb) { _ in Answer(number: try grdb.number(Number.unreadOfOthers, [data.user])) },
        Contender(.sqlite) { _ in Answer(number: Int(try preparedUnread.bind(1, data.user).number())) },
      ]),
    Workload(
      "seed/messages-in-conversation", about: "All messages of a conversation, by position", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Message.filter { $0.conversation == conversation }.order { $0.position }))
        },
        Contender(.grdb) { _ in
          Answer(try grdb.messages(inConversation, [example.row, -1, 0], of: example.identifier))
        },
        Contender(.sqlite) { _ in
          Answer(
            try preparedInConversation.bind(1, example.row).bind(2, -1).bind(3, 0).messages(
              of: example.identifier))
        },
      ]),
    Workload(
      "seed/past-week", about: "The messages sent in the past week", n: n,
      [
        Contender(.satchel) { _ in
          let start = Timestamp(microseconds: week).date
          return Answer(try store.fetch(Message.filter { $0.sentAt > start }))
        },
        Contender(.grdb) { _ in Answer(try grdb.messages(lastWeek, [week, -1, 0])) },
        Contender(.sqlite) { _ in Answer(try preparedWeek.bind(1, week).bind(2, -1).bind(3, 0).messages()) },
      ]),
    Workload(
      "seed/png-messages", about: "The messages with a PNG", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Message.filter { $0.parts.any { $0.mimeType == "image/png" } }))
        },
        Contender(.grdb) { _ in Answer(try grdb.messages(pngMessages, ["image/png", -1, 0])) },
        Contender(.sqlite) { _ in
          Answer(try preparedPNGMessages.bind(1, "image/png").bind(2, -1).bind(3, 0).messages())
        },
      ]),
    Workload(
      "seed/png-parts", about: "The parts that are PNGs", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(MessagePart.filter { $0.mimeType == "image/png" }))
        },
        Contender(.grdb) { _ in Answer(try grdb.parts(pngParts, ["image/png", -1, 0])) },
        Contender(.sqlite) { _ in
          Answer(try preparedPNGParts.bind(1, "image/png").bind(2, -1).bind(3, 0).parts())
        },
      ]),
    Workload(
      "seed/metadata", about: "The conversations with a text at a key path of their metadata", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Conversation.filter { $0.metadata.first.second.third == "value" }))
        },
        Contender(.grdb) { _ in
          Answer(try grdb.conversations(metadataValue, ["first.second.third", "value", -1, 0]))
        },
        Contender(.sqlite) { _ in
          Answer(
            try preparedValue.bind(1, "first.second.third").bind(2, "value").bind(3, -1).bind(4, 0)
              .conversations())
        },
      ]),
    Workload(
      "seed/metadata-in", about: "The conversations with one of two texts at a key of their metadata", n: n,
      [
        Contender(.satchel) { _ in
          Answer(try store.fetch(Conversation.filter { $0.metadata.backgroundColor.in(["red", "blue"]) }))
        },
        Contender(.grdb) { _ in
          Answer(try grdb.conversations(metadataIn, ["backgroundColor", "red", "blue", -1, 0]))
        },
        Contender(.sqlite) { _ in
          Answer(
            try preparedIn.bind(1, "backgroundColor").bind(2, "red").bind(3, "blue").bind(4, -1).bind(5, 0)
              .conversations())
        },
      ]),
    Workload(
      "seed/sender-in-conversation", about: "How many messages of a conversation a certain user has sent",
      n: n,
      [
        Contender(.satchel) { _ in
          let sender = Identity.ID(data.keys.exampleSender)
          return Answer(
            number: try store.count(
              Message.filter { $0.sender.userID == sender && $0.conversation == conversation }))
        },
        Contender(.grdb) { _ in
          Answer(
            number: try grdb.number(Number.senderInConversation, [example.row, data.keys.exampleSender]))
        },
        Contender(.sqlite) { _ in
          Answer(
            number: Int(try preparedSender.bind(1, example.row).bind(2, data.keys.exampleSender).number()))
        },
      ]),
    Workload(
      "seed/metadata-and", about: "The conversations that meet two conditions on their metadata", n: n,
      [
        Contender(.satchel) { _ in
          Answer(
            try store.fetch(
              Conversation.filter {
                $0.metadata.backgroundColor.in(["red", "blue"]) && $0.metadata.title == "testUser"
              }))
        },
        Contender(.grdb) { _ in
          Answer(
            try grdb.conversations(
              metadataAnd, ["title", "red", "blue", "backgroundColor", "testUser", -1, 0]))
        },
        Contender(.sqlite) { _ in
          Answer(
            try preparedAnd.bind(1, "title").bind(2, "red").bind(3, "blue").bind(4, "backgroundColor")
              .bind(5, "testUser").bind(6, -1).bind(7, 0).conversations())
        },
      ]),
  ]
}
