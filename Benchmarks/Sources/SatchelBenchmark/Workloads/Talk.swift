import BenchmarkKit
import Engines
import Satchel
import SatchelRelations
import SatchelResponses

/// What is said to messages and of conversations, and who follows whom. Whichever comes first opens the stores, the last one removes
/// them.
func talkReads(_ data: LoadedDataset, _ stores: TalkStores) -> [Workload] {
  let keys = data.keys.messages.map(\.conversation)
  let latest = SQL.messagesOfConversation(Select.latest)
  func page(_ run: Int) -> Query<Message> {
    let id = Conversation.ID(keys[run % keys.count].identifier)
    return Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20)
  }

  var responses: SQLiteResponses?
  var statement: SQLiteStatement?
  func preparing(_ sql: String) -> () throws -> Void { { statement = try stores.sqlite.prepare(sql) } }
  let tearDown = { statement = nil }
  let open = { try stores.open() }

  func count(
    _ name: String, _ about: String, _ sql: String, _ satchel: @escaping (MessageStore) throws -> Int
  ) -> Workload {
    Workload(
      name, about: about, n: data.n,
      [
        Contender(.satchel, setUp: open) { _ in Answer(number: try satchel(stores.satchel)) },
        Contender(.sqlite, setUp: preparing(sql), tearDown: tearDown) { _ in
          Answer(number: Int(try statement?.bind(1, stores.user).number() ?? 0))
        },
      ])
  }

  return [
    Workload(
      "talk/page-without",
      about: "The latest 20 messages of a conversation, in stores with as many reactions as messages",
      n: data.n,
      [
        Contender(.satchel, setUp: open) { run in
          Answer(try stores.satchel.fetch(page(run)))
        },
        Contender(.sqlite, setUp: preparing(latest), tearDown: tearDown) { run in
          let key = keys[run % keys.count]
          return Answer(
            try statement?.bind(1, key.row).bind(2, 20).bind(3, 0).messages(of: key.identifier) ?? [])
        },
      ]),
    Workload(
      "talk/page",
      about:
        "The same with each message's reactions, counted by kind, which of them are the user's, and how many replies it has",
      n: data.n,
      [
        Contender(.satchel, setUp: open) { run in
          Answer(
            withResponses: try stores.satchel.fetch(page(run).including(\.reactions).including(\.replies)))
        },
        Contender(
          .sqlite,
          setUp: { responses = try SQLiteResponses(stores.sqlite, page: latest, user: stores.user) },
          tearDown: { responses = nil },
          body: { run in Answer(try responses?.latest(keys[run % keys.count], limit: 20) ?? []) }),
      ]),
    Workload(
      "talk/conversations-mine",
      about: "20 conversations without those that are archived, pinned ones first, then those heard of last",
      n: data.n,
      [
        Contender(.satchel, setUp: open) { _ in
          let list = Conversation.filter { !$0.my.isArchived }
            .order { ($0.my.pinnedAt.descending, $0.lastMessage.receivedAt.descending) }
          return Answer(try stores.satchel.fetch(list.limit(20)))
        },
        Contender(
          .sqlite, setUp: preparing(SQL.conversations(Select.conversationsByOwnStates)),
          tearDown: tearDown
        ) { _ in Answer(try statement?.bind(1, 20).bind(2, 0).conversations() ?? []) },
      ]),
    count(
      "talk/following-count", "How many users the store's user follows: 10,000", Number.following
    ) { try $0.relationCount(.following) },
    count(
      "talk/mutual-count", "How many of these follow the user, too: half of them", Number.mutual
    ) { try $0.relationCount(.following, .mutual) },
    reactions(data, stores),
  ]
}

/// Reactions, each in a commit of its own.
private func reactions(_ data: LoadedDataset, _ stores: TalkStores) -> Workload {
  // A round takes several commits: the clock is not to show.
  let commits = 10
  var statement: SQLiteStatement?
  func each(_ run: Int, _ body: (MessageKey, String, String) throws -> Void) rethrows -> Answer {
    for number in run * commits..<(run + 1) * commits {
      try body(
        data.keys.messages[number % data.keys.messages.count],
        TalkStores.kinds[number % TalkStores.kinds.count], "new-\(number)")
    }
    return Answer(number: commits)
  }
  return Workload(
    "talk/react-1", about: "A reaction in a durable commit", n: data.n, items: commits,
    repetition: .once(rounds: 200),
    [
      Contender(.satchel, setUp: { try stores.open() }) { run in
        try each(run) { try stores.react(to: $0, with: $1, by: $2) }
      },
      Contender(
        .sqlite, setUp: { statement = try stores.sqlite.prepare(TalkStores.insertReaction) },
        tearDown: {
          statement = nil
          stores.remove()
        },
        body: { run in
          try each(run) { if let statement { try stores.react(to: $0, with: $1, by: $2, statement) } }
        }),
    ])
}

extension Answer {
  fileprivate init(withResponses messages: [Message]) {
    self.init()
    for message in messages {
      add(message)
      for kind in message.reactionSummary?.kinds ?? [] {
        add(kind.kind)
        add(kind.count)
        add(kind.isMine ? 1 : 0)
      }
      add(message.threadSummary?.replyCount ?? 0)
    }
  }

  fileprivate init(_ messages: [AnsweredMessage]) {
    self.init()
    for message in messages {
      add(message.message)
      for kind in message.reactions {
        add(kind.kind)
        add(kind.count)
        add(kind.isMine ? 1 : 0)
      }
      add(message.replyCount)
    }
  }
}
