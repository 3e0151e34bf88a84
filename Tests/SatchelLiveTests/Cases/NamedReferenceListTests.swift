import Satchel
import SatchelLive
import SatchelResponses
import Testing

/// Lists of records that refer to messages and conversations, of which a server says later what it calls them: no record changes then.
@Suite struct NamedReferenceListTests {
  private static let note = RecordType("note") {
    $0.reference("chat", to: Reference.conversations)
    $0.integer("order")
  }

  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  /// Notes `a` about a message `own`, `b` about what is to come as `late`, and `c` and `d` about others; of `about` nothing is declared, so
  /// that it stays when a message goes.
  init() throws {
    scratch = try Scratch()
    try scratch.store.declare(Self.note)
    try scratch.store.enable(.reactions)
    try scratch.store.write { tx in
      for room in ["room", "new"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(room)) }
      try tx.send([.text("x")], to: "room", id: "own")
      try tx.receive([.text("x")], in: "room", from: "bob", id: "other", position: 1)
      for (order, (name, message)) in [("a", "own"), ("b", "late"), ("c", "other"), ("d", "none")]
        .enumerated()
      {
        try tx.save(
          Record(
            Self.note, name: name,
            [
              "about": .reference(Message.ID(message)), "order": .integer(Int64(order)),
              "chat": .reference(Conversation.ID(order % 2 == 0 ? "new" : "srv/new")),
            ]))
      }
    }
  }

  private final class Followed {
    let query: Query<Record>
    let list: LiveQuery<StoredValue>
    let virtual: VirtualList<Record>

    init(_ predicate: String, sort: String, _ window: ListWindow, in store: MessageStore) throws {
      query = note.filter(try QueryPredicate(format: predicate)).order([try SortKey(sort)])
      let question = LiveQuestion(specification: .init(query: query.untyped, window: window))
      list = LiveQuery(question.source, feed: store.live)
      virtual = try store.virtualList(of: query)
      try list.load(question.specification)
    }

    var names: [String] {
      (list.list?.rows ?? []).compactMap {
        if case .record(let record) = $0.value { record.id.name } else { nil }
      }
    }
  }

  private static let own = "REFERENCE('messages', 'own')"
  private static let late = "REFERENCE('messages', 'late')"
  private static let new = "REFERENCE('conversations', 'srv/new')"

  private static let predicates = [
    "about = \(own)", "about = \(late)", "about != \(late)", "about = \(own) AND about = \(late)",
    "about IN {\(late), REFERENCE('messages', 'other')}", "chat = \(new)",
    "NOT chat = \(new) OR about = \(late)",
  ]

  private func expect(
    _ followed: [Followed], _ expected: [String], _ source: SourceLocation = #_sourceLocation
  ) throws {
    store.live.catchUp()
    for (list, names) in zip(followed, expected) {
      let names = names.map(String.init)
      #expect(try store.fetch(list.query).map(\.id.name) == names, "\(list.query)", sourceLocation: source)
      #expect(list.list.failure == nil && list.names == names, "\(list.query)", sourceLocation: source)
      #expect(list.list.list?.total == names.count, "\(list.query)", sourceLocation: source)
      _ = list.virtual.take()
      #expect(list.virtual.total == names.count, "\(list.query)", sourceLocation: source)
      let shown = try list.virtual.objects(at: 0..<names.count).map { $0?.id.name }
      #expect(shown == names, "\(list.query)", sourceLocation: source)
    }
  }

  /// Held lists, and those of which a declared index has the results in order.
  @Test(arguments: [false, true], [ListWindow.all, .first(10), .tail(10)])
  func theyFollowNames(withIndex: Bool, window: ListWindow) throws {
    if withIndex {
      try store.declare(Index(named: "about", on: Self.note) { [$0.about, $0.order] })
      try store.declare(Index(named: "chats", on: Self.note) { [$0.chat, $0.order] })
    }
    let followed = try Self.predicates.map { try Followed($0, sort: "order", window, in: store) }
    try expect(followed, ["a", "b", "acd", "", "bc", "bd", "abc"])
    // One message gets the name that a record has already, and the other one a name that none has.
    try store.write { try $0.confirm("own", as: "late", position: 2) }
    try expect(followed, ["ab", "ab", "cd", "ab", "abc", "bd", "abc"])
    try store.write { try $0.confirm(Conversation.ID("new"), as: "srv/new") }
    try expect(followed, ["ab", "ab", "cd", "ab", "abc", "abcd", "ab"])
    // With a record in the same write.
    try store.write { tx in
      try tx.confirm("other", as: "srv", position: 1)
      try tx.save(Record(Self.note, name: "e", ["about": .reference(Message.ID("srv")), "order": 5]))
    }
    try expect(followed, ["ab", "ab", "cde", "ab", "abce", "abcd", "abe"])
    // What is gone has no names.
    try store.write { try $0.delete(Message.ID("own")) }
    try expect(followed, ["a", "b", "acde", "", "bce", "abcd", "be"])
  }

  /// The message that has the name comes, and becomes one with the sent one.
  @Test func theyFollowADeliveryThatBecomesOneWithItsMessage() throws {
    let followed = try Self.predicates.prefix(5).map { try Followed($0, sort: "-order", .all, in: store) }
    try store.write { try $0.receive([.text("x")], in: "room", from: "alice", id: "late") }
    try expect(followed, ["a", "b", "dca", "", "cb"])
    try store.write { try $0.confirm("own", as: "late", position: 2) }
    try expect(followed, ["ba", "ba", "dc", "ba", "cba"])
  }

  /// A list asks what it asked when it was made, also where nobody could ask it any more.
  @Test func theyStayTheSameQuestions() throws {
    let predicate = "about = \(Self.late) AND plan.day = nil"
    let list = try Followed(predicate, sort: "order", .all, in: store)
    try store.declare(RecordType("note") { $0.text("plan") })
    #expect(throws: SatchelError.self) { try store.count(list.query) }
    try store.write { try $0.confirm("own", as: "late", position: 2) }
    store.live.catchUp()
    #expect(list.list.failure == nil && list.names == ["a", "b"])
  }

  /// A commit that gives nothing a name looks up none.
  @Test func namesAreLookedUpOnlyWhenTheyMayBeOthers() throws {
    let feed = LiveFeed(store.base, followsCommits: false)
    let query = Self.note.filter(try QueryPredicate(format: "about = \(Self.own)"))
    let question = LiveQuestion(specification: .init(query: query.untyped, window: .all))
    let list = LiveQuery(question.source, feed: feed)
    try list.load(question.specification)
    try store.write { try $0.markAsRead(Message.ID("other")) }
    feed.catchUp()
    let unconcerned = feed.cost.recordsRead
    try store.write { try $0.receive([.text("x")], in: "room", from: "bob", position: 3) }
    feed.catchUp()
    #expect(unconcerned == 0 && (1...2).contains(feed.cost.recordsRead), "\(unconcerned) \(feed.cost)")
    #expect(list.list?.total == 1)
  }

  @Test func anObserverFindsItsRecordOnceItsNameIsKnown() throws {
    try store.write { try $0.react(to: "own", with: "👍", by: "bob") }
    var specification = LiveSpecification(query: Reaction.recordType.query.untyped, window: .all)
    specification.identifier = "late/👍/bob"
    let list = LiveQuery(LiveQuestion(specification: specification).source, feed: store.live)
    try list.load(specification)
    #expect(list.list?.rows.isEmpty == true)
    try store.write { try $0.confirm("own", as: "late", position: 2) }
    store.live.catchUp()
    #expect(list.list?.rows.count == 1)
    try store.write { try $0.removeReaction(from: "late", with: "👍", by: "bob") }
    store.live.catchUp()
    #expect(list.list?.rows.isEmpty == true && list.failure == nil)
  }
}
