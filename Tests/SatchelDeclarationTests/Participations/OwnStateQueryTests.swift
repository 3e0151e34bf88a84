import Foundation
import Satchel
import SatchelModel
import SatchelResponses
import SatchelScenes
import Testing

/// Conversations filtered and sorted by what they are to the store's user.
@Suite struct OwnStateQueryTests {
  /// A store of conversations `c0`, `c1`, …, each with a message of a later time.
  private static func chats(_ count: Int) throws -> MessageStore {
    let store = try Scratch().store
    try store.enable(.participations)
    try store.write { tx in
      for number in 0..<count {
        let id = Conversation.ID("c\(number)")
        try tx.createConversation(with: ["bob"], id: id)
        try tx.receive(
          [.text("\(number)")], in: id, from: "bob", id: Message.ID("m\(number)"),
          position: Int64(number), sentAt: date(Double(number)))
      }
    }
    return store
  }

  private func ids(_ store: MessageStore, _ query: Query<Conversation>) throws -> [String] {
    try store.fetch(query).map(\.id.rawValue)
  }

  @Test func aFlagIsFalseWhereNothingIsSaid() throws {
    let store = try Self.chats(4)
    try store.write { tx in
      try tx.mute("c1")
      try tx.mute("c2", for: "bob")
      try tx.pin("c2", at: date(1))
      try tx.setRole("admin", in: "c3")
    }
    #expect(try ids(store, Conversation.filter { $0.my.isMuted }) == ["c1"])
    for query in [
      Conversation.filter { $0.my.isMuted == false }, Conversation.filter { !$0.my.isMuted },
      Conversation.filter { $0.my.isMuted != true }, try Query(format: "my.isMuted = false"),
      try Query(format: "NOT my.isMuted = true"), try Query(format: "my.isMuted IN {FALSE}"),
      try Query(format: "my.isMuted = my.isArchived"),
    ] {
      #expect(try ids(store, query) == ["c0", "c2", "c3"], "\(query)")
      #expect(try store.count(query) == 3, "\(query)")
    }
    #expect(try store.count(Query<Conversation>(format: "my.isMuted = nil")) == 0)
    #expect(try store.count(Query<Conversation>(format: "my.isMuted != nil")) == 4)
    #expect(try store.count(Query<Conversation>(format: "my.isMuted IN {TRUE, FALSE}")) == 4)
    #expect(try store.count(Query<Conversation>(format: "my.isMuted = FALSE AND my.isMuted = TRUE")) == 0)
    #expect(try store.count(Query<Conversation>(format: "my.isMuted = FALSE OR my.isMuted = TRUE")) == 4)
    // What is no flag is missing.
    #expect(try ids(store, Conversation.filter { $0.my.pinnedAt != nil }) == ["c2"])
    #expect(try ids(store, Conversation.filter { $0.my.role == nil }) == ["c0", "c1", "c2"])
    #expect(try ids(store, Conversation.filter { $0.my.role == "admin" }) == ["c3"])
    #expect(try ids(store, Conversation.filter { $0.my.role != "admin" }) == ["c0", "c1", "c2"])
    #expect(try ids(store, Conversation.filter { $0.my.isPinned || $0.my.isMuted }) == ["c1", "c2"])
    #expect(try ids(store, Conversation.filter { $0.my.isPinned && !$0.my.isArchived }) == ["c2"])
    #expect(
      try ids(store, Conversation.filter { $0.my.pinnedAt > date(0) && $0.my.pinnedAt < date(2) }) == ["c2"])
    // Messages by what their conversations are.
    #expect(try store.fetch(Message.filter { !$0.conversation.my.isMuted }).map(\.id) == ["m0", "m2", "m3"])
    #expect(try store.count(Message.filter { $0.conversation.my.isPinned && $0.isUnread }) == 1)
    #expect(
      try store.fetch(Message.order { ($0.conversation.my.isMuted.descending, $0.position) }).map(\.id)
        == ["m1", "m0", "m2", "m3"])
  }

  @Test func namesThatAreNoneAreNamed() throws {
    let store = try Self.chats(1)
    for format in ["my.isPined = true", "my = true", "my.role.x = 'a'", "my.user = 'alice'"] {
      let error = failure(.unqueryableProperty) { _ = try store.count(Query<Conversation>(format: format)) }
      #expect(error?.context["available"]?.contains("my.isPinned") == true, "\(format)")
    }
    failure(.unqueryableProperty) { _ = try store.count(Query<Identity>(format: "my.isPinned = true")) }
    failure(.unqueryableProperty) {
      _ = try store.count(Query<MessagePart>(format: "message.conversation.my.isPinned = true"))
    }
    // A declared index or aggregate has only what follows from the objects themselves.
    let declarations: [() throws -> Void] = [
      { try store.declare(Aggregate(named: "pinned", counting: Conversation.filter { $0.my.isPinned })) },
      { try store.declare(Aggregate(named: "roles", counting: Conversation.all, groupedBy: { $0.my.role })) },
      { try store.declare(Index(named: "pinned", on: Conversation.self) { [$0.my.pinnedAt] }) },
      {
        try store.declare(
          Index(named: "loud", on: Message.self, where: { !$0.conversation.my.isMuted }) { [$0.sentAt] })
      },
    ]
    for declare in declarations {
      let error = failure(.unqueryableProperty, declare)
      #expect(error?.message.contains("no declared index and no aggregate has it") == true)
    }
  }

  /// Counted by values, and by the periods of dates.
  @Test func itIsCountedBy() throws {
    let store = try Self.chats(5)
    try store.write { tx in
      for number in 1...2 { try tx.setRole("admin", in: Conversation.ID("c\(number)")) }
      try tx.setRole("guest", in: "c3")
      try tx.setRole("admin", of: "bob", in: "c4")
      try tx.pin("c0", at: date(0))
      try tx.pin("c1", at: date(90_000))
      try tx.markRead("c2", upTo: 2)
      try tx.receive([.text("more")], in: "c1", from: "bob", position: 9)
    }
    func counted<Group>(_ counts: [GroupCount<Group>]) -> [String] { counts.map { "\($0)" } }
    #expect(
      try counted(store.counts(of: Conversation.all) { $0.my.role }) == ["none: 2", "admin: 2", "guest: 1"])
    #expect(
      try counted(store.counts(of: Message.all) { $0.conversation.my.role })
        == ["none: 2", "admin: 3", "guest: 1"])
    #expect(try counted(store.counts(of: Conversation.all) { $0.my.isPinned }) == ["false: 3", "true: 2"])
    #expect(
      try counted(store.counts(of: Conversation.all) { $0.my.lastReadPosition }) == ["none: 4", "2: 1"])
    let pinned = Conversation.filter { $0.my.isPinned }
    #expect(
      try store.counts(of: pinned) { $0.my.pinnedAt }.map(\.group)
        == [date(0), date(90_000)].map { Timestamp($0) })
    #expect(try store.counts(of: pinned) { $0.my.pinnedAt.day(in: .gmt) }.map(\.count) == [1, 1])
    #expect(
      try store.firsts(of: Conversation.all) { $0.my.pinnedAt.month(in: .gmt) }.map(\.object.id) == [
        "c2", "c0",
      ])
  }

  /// `my` leads on from what is asked for alone, and the error says so; it names the whole path.
  @Test func itStandsBehindNoReference() throws {
    let store = try Self.chats(1)
    try store.enable(.threads)
    let reply = RecordType("_reply").query
    for path in ["parent.conversation.my.isPinned", "message.conversation.my.isPinned"] {
      let error = failure(.unqueryableProperty) {
        _ = try store.count(reply.filter(QueryPredicate(format: "\(path) = TRUE")))
      }
      #expect(error?.context["property"] == path)
      #expect(
        error?.context["expected"] == "in queries: my.NAME of conversations, conversation.my.NAME of messages"
          && error?.message.contains("no path behind a reference") == true)
    }
    let sender = failure(.unqueryableProperty) {
      _ = try store.count(reply.filter(QueryPredicate(format: "parent.sender = 'bob'")))
    }
    #expect(sender?.context["available"] == "parent.sender.userID parent.sender.displayName")
    #expect(sender?.message.contains("name one of these") == true)
  }

  @Test func whatIsOfAnotherTypeIsRefused() throws {
    let store = try Self.chats(1)
    for (format, declared, expected) in [
      ("my.isPinned = 1", "boolean", "TRUE or FALSE"), ("my.role = 5", "text", "a text in quotation marks"),
      ("my.lastReadPosition != '5'", "integer", "a number"),
      (
        "my.pinnedAt > '2025-01-01T00:00:00Z'", "date",
        "a date without quotation marks: 2025-01-01T00:00:00Z"
      ),
      ("my.isMuted IN {'TRUE'}", "boolean", "TRUE or FALSE"),
      ("my.isPinned IN {TRUE, 5}", "boolean", "TRUE or FALSE"),
      ("my.role NOT IN {'admin', FALSE}", "text", "a text in quotation marks"),
      ("my.lastReadPosition BETWEEN {1, '5'}", "integer", "a number"),
      ("my.role = {5}", "text", "a text in quotation marks"),
      (
        "NOT my.pinnedAt", "date",
        "a date without quotation marks, such as 2026-01-31T09:30:00Z; a property alone means = TRUE"
      ),
    ] {
      let error = failure(.invalidValue) { _ = try store.count(Query<Conversation>(format: format)) }
      #expect(error?.context["declared"] == declared && error?.context["expected"] == expected, "\(format)")
      let ofMessages = format.replacing("my.", with: "conversation.my.")
      let other = failure(.invalidValue) { _ = try store.count(Query<Message>(format: ofMessages)) }
      #expect(other?.context["property"]?.hasPrefix("conversation.my.") == true, "\(ofMessages)")
    }
  }

  @Test func theFieldsAreThoseOfTheType() {
    let type = Participation.recordType
    #expect(type.name == OwnState.recordType)
    #expect(
      type.fields.map(\.name) == (OwnState.flags + OwnState.values + ["conversation", "user"]).sorted())
    for flag in OwnState.flags { #expect(type.field(named: flag)?.type == .boolean) }
  }

  @Test func pinnedComeFirst() throws {
    let store = try Self.chats(1000)
    try store.write { tx in
      for (index, number) in [7, 700, 77, 123].enumerated() {
        try tx.pin(Conversation.ID("c\(number)"), at: date(Double(index)))
      }
      try tx.archive("c999")
      try tx.archive("c77")
      // What others have pinned is theirs.
      for number in 500..<600 { try tx.pin(Conversation.ID("c\(number)"), for: "bob") }
    }
    let list = Conversation.filter { !$0.my.isArchived }
      .order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }
    let expected =
      ["c123", "c700", "c7"]
      + (0..<999).reversed().filter { ![7, 700, 77, 123].contains($0) }.map { "c\($0)" }
    #expect(try ids(store, list.limit(20)) == Array(expected.prefix(20)))
    #expect(try ids(store, list) == expected && store.count(list) == 998)
    #expect(try ids(store, list.limit(5).offset(2)) == Array(expected[2..<7]))
    // It is answered from indexes: few records are read.
    let explanation = try store.explain(list.limit(20), running: true)
    let run = try #require(explanation.run)
    #expect(
      run.recordsRead + run.recordsReadPlanning < 200 && explanation.plan.contains("conversation.sent"),
      "\(explanation)")
    // The other way round, those of which nothing is said come first.
    let reversed = Conversation.filter { !$0.my.isArchived }
      .order { ($0.my.pinnedAt, $0.lastMessage.sentAt) }
    #expect(try ids(store, reversed) == expected.reversed())
    // By a flag, and by what is behind it.
    let flagged = Conversation.order {
      ($0.my.isPinned.descending, $0.my.pinnedAt, $0.lastMessage.sentAt.descending)
    }
    #expect(try ids(store, flagged.limit(6)) == ["c7", "c700", "c77", "c123", "c999", "c998"])
    let alone = Conversation.order { $0.my.isPinned }
    #expect(try ids(store, alone).suffix(5) == ["c999", "c7", "c77", "c123", "c700"])
    // A page after a conversation.
    #expect(try ids(store, list.limit(3).after("c700")) == Array(expected[2..<5]))
    #expect(try ids(store, list.limit(3).after("c998")) == Array(expected[4..<7]))
    // The same in text, and in coded form.
    let text = try Query<Conversation>(format: "my.isArchived != true").order([
      SortKey(["my", "pinnedAt"], descending: true), SortKey(["lastMessage", "sentAt"], descending: true),
    ])
    #expect(try ids(store, text) == expected)
    let copy = try JSONDecoder().decode(
      Query<Conversation>.self, from: JSONEncoder().encode(list.including(\.participation)))
    #expect(copy == list.including(\.participation) && copy.description.contains("my.pinnedAt"))
    #expect(try ids(store, copy.limit(3)) == Array(expected.prefix(3)))
  }

  @Test func moreThanCanBeLookedForOneByOneAreFoundAsWell() throws {
    let store = try Self.chats(900)
    try store.write { tx in
      for number in 0..<900 where number % 3 != 0 {
        try tx.pin(Conversation.ID("c\(number)"), at: date(Double(number % 10)))
      }
    }
    #expect(try store.count(Conversation.filter { $0.my.isPinned }) == 600)
    #expect(try store.count(Conversation.filter { !$0.my.isPinned }) == 300)
    let list = Conversation.order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }
    let expected = (0..<900).sorted { left, right in
      let (first, second) = (left % 3 == 0 ? -1 : left % 10, right % 3 == 0 ? -1 : right % 10)
      return first == second ? left > right : first > second
    }
    #expect(try ids(store, list) == expected.map { "c\($0)" })
  }

  /// A change of the user's state moves, inserts and removes rows; what others' states are does not.
  @Test func aListFollowsTheUsersState() async throws {
    let store = try Self.chats(30)
    let query = Conversation.filter { !$0.my.isArchived && !$0.my.isHidden }
      .order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }.including(\.participation)
    let controller = store.controller(for: query, window: .first(10))
    try await controller.execute()
    #expect(controller.list.map(\.id.rawValue) == (20..<30).reversed().map { "c\($0)" })
    var changes = controller.changes.makeAsyncIterator()
    let steps: [@Sendable (WriteTransaction) throws -> Void] = [
      { try $0.pin("c3", at: date(1)) },
      { try $0.pin("c25", at: date(2)) },
      { try $0.archive("c29") },
      { try $0.mute("c28") },
      { try $0.markRead("c28", upTo: 28) },
      { try $0.hide("c3") },
      { try $0.archive("c29", false) },
      { try $0.pin("c25", false) },
      { try $0.receive([.text("new")], in: "c28", from: "bob", position: 900, sentAt: date(900)) },
      { try $0.delete(Record.ID(type: "_participation", name: "c28/alice")) },
      { try $0.leave("c27") },
    ]
    for (number, write) in steps.enumerated() {
      try await store.write { try write($0) }
      let set = try #require(await changes.next())
      #expect(set.after.elementsEqual(try await store.fetch(query.limit(10))), "step \(number)")
      let count = try await store.count(query)
      #expect(set.after.totalNumberOfObjects == count, "step \(number)")
    }
    // What another user does is no change of it; what follows is the next set.
    try await store.write { try $0.pin("c26", for: "bob") }
    try await store.write { try $0.pin("c26", at: date(7)) }
    let set = try #require(await changes.next())
    #expect(set.after.first?.id == "c26" && set.difference.moves.count == 1)
    controller.close()
  }
}
