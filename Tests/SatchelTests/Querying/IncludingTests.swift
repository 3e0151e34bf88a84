import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Objects that others refer to come with them, from the same snapshot, each looked for once.
@Suite struct IncludingTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  /// Messages of users in conversations by turns; every fifth user has no identity.
  private func fill(messages: Int, users: Int, conversations: Int) throws {
    try store.write { tx in
      for user in 0..<users where user % 5 != 4 {
        try tx.put(
          Identity(userID: Self.user(user), displayName: "User \(user)", metadata: ["n": .text("\(user)")]))
      }
      for number in 0..<conversations {
        try tx.createConversation(
          with: [Self.user(number)], id: Conversation.ID("c\(number)"),
          metadata: ["title": .text("Chat \(number)")])
      }
      for number in 0..<messages {
        try tx.receive(
          [.text("Message \(number)"), .data([1], mimeType: "a/b")],
          in: Conversation.ID("c\(number % conversations)"),
          from: Self.user(number * 7 % users), id: Message.ID("m\(number)"),
          position: Int64(number / conversations), sentAt: date(Double(number)))
      }
      try tx.announce([.text("Closed")], from: Self.user(0), id: "notice")
      try tx.announce([.text("Open")], from: Self.user(4), id: "other notice")
    }
  }

  private static func user(_ number: Int) -> Identity.ID { Identity.ID("user\(number)") }

  private func lookups(_ body: (StoreSnapshot) throws -> Void) throws -> Int {
    try store.read { snapshot in
      try body(snapshot)
      return snapshot.base.metrics.inclusionsRead
    }
  }

  // MARK: What it costs

  @Test func aThousandMessagesOfFiftySendersMakeFiftyLookUps() throws {
    try fill(messages: 1000, users: 50, conversations: 8)
    let query = Message.order { $0.sentAt }.limit(1000).including(\.sender)
    let reads: [(StoreSnapshot) throws -> [Message]] = [
      { try $0.fetch(query) },
      { try $0.fetch(query.unordered()) },
      { try $0.page(query).objects },
      { snapshot in
        var messages: [Message] = []
        try snapshot.forEach(query) { messages.append($0) }
        return messages
      },
    ]
    for read in reads {
      let count = try lookups { snapshot in
        let messages = try read(snapshot)
        #expect(messages.count == 1000)
        #expect(messages.count { $0.included(\.sender) != nil } == 800)
      }
      #expect(count == 50)
    }
    let count = try lookups { snapshot in
      let messages = try snapshot.fetch(query.including(\.conversation.lastMessage.sender))
      #expect(messages.allSatisfy { $0.included(\.conversation)?.id == $0.conversation })
    }
    // The senders of last messages are among those of all messages.
    #expect(count == 50 + 8)
    let conversations = try lookups { snapshot in
      let rows = try snapshot.fetch(Conversation.all.including(\.lastMessage.sender))
      #expect(rows.count == 8 && rows.allSatisfy { $0.lastMessage != nil })
      #expect(Set(rows.compactMap { $0.lastMessage?.sender }).count == 8)
    }
    #expect(conversations == 8)
    let parts = try lookups { snapshot in
      let rows = try snapshot.fetch(MessagePart.all.limit(200).including(\.message.sender))
      #expect(Set(rows.map(\.message)).count == 100 && rows.allSatisfy { $0.included(\.message) != nil })
    }
    #expect(parts == 100 + 50)
    // Nothing is looked for that was not asked for.
    let none = try lookups { snapshot in
      let plain = try snapshot.fetch(Message.all)
      #expect(plain.allSatisfy { $0.included(\.sender) == nil })
      let (count, identifiers) = (try snapshot.count(query), try snapshot.identifiers(query))
      #expect(count == 1000 && identifiers.count == 1000)
    }
    #expect(none == 0)
    let written = try store.write { tx in try tx.read { try $0.fetch(query.limit(60)) } }
    #expect(written.count { $0.included(\.sender) != nil } == 48)
  }

  // MARK: What comes

  /// Expects of messages what look-ups of single objects give.
  private func check(
    _ messages: [Message], _ snapshot: StoreSnapshot, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(!messages.isEmpty, sourceLocation: sourceLocation)
    for message in messages {
      let sender = try snapshot.identity(message.sender)
      let conversation = try #require(try snapshot.conversation(message.conversation))
      let included = message.included(\.conversation)
      #expect(message.included(\.sender) == sender, sourceLocation: sourceLocation)
      #expect(included?.id == conversation.id && included?.metadata == conversation.metadata)
      #expect(included?.lastMessage?.id == conversation.lastMessage?.id, sourceLocation: sourceLocation)
      let last = try conversation.lastMessage.flatMap { try snapshot.identity($0.sender) }
      #expect(message.included(\.conversation.lastMessage.sender) == last, sourceLocation: sourceLocation)
      #expect(included?.included(\.lastMessage.sender) == last, sourceLocation: sourceLocation)
      #expect(included?.lastMessage?.included(\.sender) == last, sourceLocation: sourceLocation)
    }
  }

  @Test func everyWayGivesWhatLookUpsGive() throws {
    try fill(messages: 700, users: 23, conversations: 9)
    let query = Message.order { $0.sentAt.descending }.including(\.sender)
      .including(\.conversation.lastMessage.sender)
    let controller = store.controller(for: query, window: .first(40))
    try controller.execute()
    let list = try store.virtualList(of: query)
    let listed = try list.objects(at: 100..<160).compactMap { $0 }
    try store.read { snapshot in
      let all = try snapshot.fetch(query)
      try check(all, snapshot)
      try check(all.map { $0.detached() }, snapshot)
      #expect(all.map { $0.detached() } == all)
      try check(try snapshot.fetch(query.unordered()), snapshot)
      try check(try snapshot.page(query.offset(20).limit(5)).objects, snapshot)
      try check([try #require(try snapshot.first(query.offset(3)))], snapshot)
      try check([try #require(try snapshot.first(query.withoutContents()))], snapshot)
      var streamed: [Message] = []
      try snapshot.forEach(query) { streamed.append($0) }
      #expect(streamed == all)
      #expect(controller.objects == Array(all.prefix(40)))
      #expect(listed == Array(all[100..<160]))
      // What comes along is part of the value.
      #expect(
        try snapshot.fetch(query.limit(1)) != snapshot.fetch(Message.order { $0.sentAt.descending }.limit(1)))
    }
    try store.write { tx in
      try tx.put(Identity(userID: "user4", displayName: "Four"))
      try tx.read { snapshot in try check(try snapshot.fetch(query), snapshot) }
    }
  }

  @Test func otherObjects() throws {
    try fill(messages: 60, users: 10, conversations: 7)
    try store.write { tx in try tx.createConversation(with: ["user1"], id: "empty") }
    try store.read { snapshot in
      for conversation in try snapshot.fetch(Conversation.all.including(\.lastMessage.sender)) {
        let last = try #require(conversation.lastMessage)
        #expect(try conversation.included(\.lastMessage.sender) == snapshot.identity(last.sender))
        #expect(last.included(\.sender) == conversation.included(\.lastMessage.sender))
        #expect(conversation.included(\.lastMessage) == last)
      }
      #expect(try snapshot.first(Conversation.all)?.included(\.lastMessage) != nil)
      let parts = try snapshot.fetch(
        MessagePart.filter { $0.mimeType == "a/b" }.including(\.message.sender).including(
          \.message.conversation))
      #expect(parts.count == 60)
      for part in parts {
        let message = try #require(try snapshot.message(part.message))
        #expect(part.included(\.message)?.id == message.id && part.included(\.message)?.text == message.text)
        #expect(try part.included(\.message.sender) == snapshot.identity(message.sender))
        #expect(part.included(\.message.conversation)?.id == message.conversation)
      }
      let notices = try snapshot.fetch(Announcement.all.including(\.sender))
      #expect(notices.map { $0.included(\.sender)?.displayName } == ["User 0", nil])
    }
  }

  @Test func namesOfOnesOwn() throws {
    try fill(messages: 3, users: 3, conversations: 1)
    let message = try #require(
      try store.first(
        Message.all.including(\.sender, as: "author").including(\.conversation, as: "chat")
          .including(\.conversation.lastMessage.sender, as: "latest")))
    let author = try #require(message.included(\.sender))
    #expect(message.included("author", as: Identity.self) == author)
    #expect(message.included("sender", as: Identity.self) == author)
    #expect(message.included("chat", as: Conversation.self)?.id == "c0")
    #expect(message.included("latest", as: Identity.self)?.displayName == "User 2")
    #expect(message.included("conversation.lastMessage.sender", as: Identity.self)?.displayName == "User 2")
    #expect(message.included("author", as: Conversation.self) == nil)
    #expect(message.included("nobody", as: Identity.self) == nil)
    #expect(message.included(\.conversation)?.included("latest", as: Identity.self)?.displayName == "User 2")
    let conversation = try #require(
      try store.first(
        Conversation.all.including(\.lastMessage.sender, as: "writer").including(\.lastMessage, as: "last")))
    #expect(conversation.included("writer", as: Identity.self)?.displayName == "User 2")
    #expect(conversation.included("last", as: Message.self) == conversation.lastMessage)
    let part = try #require(try store.first(MessagePart.all.including(\.message.sender, as: "author")))
    #expect(part.included("author", as: Identity.self)?.displayName == "User 0")
  }

  // MARK: Queries

  @Test func aQueryWithInclusionsIsAValue() throws {
    let query = Message.filter { $0.isUnread }.including(\.sender, as: "author").including(\.conversation)
    #expect(query.including(\.conversation) == query && query != query.including(\.sender))
    #expect(query.description == "messages where isUnread = TRUE including sender as 'author', conversation")
    let copy = try JSONDecoder().decode(Query<Message>.self, from: JSONEncoder().encode(query))
    #expect(copy == query)
    // Those that ask for nothing more are encoded as they were.
    let plain = String(decoding: try JSONEncoder().encode(Message.all), as: UTF8.self)
    #expect(!plain.contains("inclusions"))
    // What comes along has no part in which results there are.
    try fill(messages: 20, users: 3, conversations: 2)
    #expect(try store.fetch(query).map(\.id) == store.fetch(Message.filter { $0.isUnread }).map(\.id))
  }

  @Test(arguments: [
    (["nobody"], "conversation, sender, reactions, replies"),
    ([], "conversation, sender, reactions, replies"), (["sender", "sender"], "none"),
    (["conversation", "sender"], "lastMessage"), (["parts"], "conversation, sender, reactions, replies"),
    (["conversation", "reactions"], "lastMessage"),
    (["conversation", "lastMessage", "conversation"], "sender"),
  ]) func aPathThatLeadsToNothingIsRefused(_ path: [String], _ available: String) throws {
    var description = QueryDescription(kind: .messages)
    description.inclusions = [QueryInclusion(path)]
    let query = try #require(Query<Message>(description))
    for read: (MessageStore) throws -> Void in [
      { _ = try $0.fetch(query) }, { _ = try $0.page(query) },
      { try $0.read { try $0.forEach(query) { _ in } } }, { try $0.controller(for: query).execute() },
      { _ = try $0.virtualList(of: query) }, { _ = try $0.count(query) }, { _ = try $0.identifiers(query) },
    ] {
      let error = failure(.unqueryableProperty) { try read(store) }
      #expect(
        error?.context["available"] == available && error?.context["path"] == path.joined(separator: "."))
    }
  }

  @Test func aNameThatSaysNothingIsRefused() throws {
    failure(.invalidValue) { _ = try store.fetch(Message.all.including(\.sender, as: "")) }
    let twice = Message.all.including(\.sender, as: "x").including(\.conversation, as: "x")
    let taken = [
      twice, Message.all.including(\.sender).including(\.conversation, as: "sender"),
      Message.all.including(\.conversation, as: "sender").including(\.sender),
      Message.all.including(\.conversation.lastMessage, as: "conversation"),
      Message.all.including(\.sender, as: "conversation.lastMessage").including(
        \.conversation.lastMessage.sender),
      // The conversation that comes along is asked for its last message by that name.
      Message.all.including(\.conversation.lastMessage.sender, as: "lastMessage"),
    ]
    for query in taken {
      for read: (MessageStore) throws -> Void in [
        { _ = try $0.fetch(query) }, { _ = try $0.count(query) }, { _ = try $0.identifiers(query) },
        { _ = try $0.liveCount(of: query) }, { _ = try $0.virtualList(of: query) },
        { try $0.controller(for: query).execute() }, { _ = try $0.first(query) },
      ] {
        let error = failure(.invalidValue) { try read(store) }
        #expect(query.untyped.inclusions.contains { $0.name != nil && $0.name == error?.context["name"] })
      }
    }
    for query in [
      Message.all.including(\.sender, as: "sender"),
      Message.all.including(\.sender, as: "lastMessage").including(\.conversation.lastMessage),
      Message.all.including(\.conversation.lastMessage, as: "sender"),
    ] { #expect(try store.fetch(query).isEmpty) }
    #expect(try store.fetch(Message.all.including(\.sender, as: "x").including(\.sender, as: "y")).isEmpty)
  }
}
