import Satchel
import SatchelCoding
import SatchelExecution
import SatchelScenes
import SatchelStorage
import Testing

/// Declaring aggregates, asking them, forgetting them.
@Suite struct AggregateTests {
  private static let unread = Aggregate(
    named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation)

  private static func fill(_ store: MessageStore) throws {
    try store.write { tx in
      for room: Conversation.ID in ["a", "b", "c"] { try tx.createConversation(with: ["bob"], id: room) }
      for number in 0..<5 {
        try tx.receive(
          [.text("\(number)")], in: number < 3 ? "a" : "b", from: "bob", id: Message.ID("m\(number)"))
      }
      try tx.send([.text("Hello")], to: "c")
    }
  }

  @Test func countsByGroup() throws {
    let store = try Scratch().store
    try Self.fill(store)
    try store.declare(Self.unread)
    #expect(try store.value(of: Self.unread, for: "a") == 3)
    #expect(try store.value(of: Self.unread, for: "c") == 0)
    #expect(try store.value(of: Self.unread, for: "nowhere") == 0)
    #expect(try store.value(of: Self.unread, for: nil) == 0)
    #expect(
      try store.values(of: Self.unread) == [.init(group: "a", value: 3), .init(group: "b", value: 2)])
    try store.write { tx in
      try tx.markAsRead(Message.ID("m3"))
      #expect(try tx.value(of: Self.unread, for: "b") == 1)
      try tx.markAsRead(Message.ID("m4"))
      #expect(try tx.value(of: Self.unread, for: "b") == 0)
      #expect(try tx.read { try $0.values(of: Self.unread) } == [.init(group: "a", value: 3)])
    }
    #expect(try store.values(of: Self.unread) == [.init(group: "a", value: 3)])
    try expectSound(store)
  }

  @Test func oneGroupOfAll() throws {
    let store = try Scratch().store
    let all = Aggregate(named: "all", counting: Message.all)
    let bytes = Aggregate(named: "bytes", summing: \.size, of: MessagePart.all)
    try store.declare(all)
    try store.declare(bytes)
    #expect(try store.value(of: all) == 0)
    try Self.fill(store)
    #expect(try store.value(of: all) == 6)
    #expect(try store.value(of: bytes) == 10)
    #expect(try store.values(of: all) == [AggregateValue(group: nil, value: 6)])
  }

  @Test func withoutBlocking() async throws {
    let store = try Scratch().store
    try Self.fill(store)
    try await store.declare(Self.unread)
    #expect(try await store.value(of: Self.unread, for: "a") == 3)
    #expect(try await store.values(of: Self.unread).count == 2)
    try await store.write { _ = try $0.markAsRead(Conversation.ID("a")) }
    #expect(try await store.value(of: Self.unread, for: "a") == 0)
    try await store.dropAggregate(named: "unread")
    #expect(try await store.aggregates() == [])
  }

  /// A read keeps what it has seen, whatever is written meanwhile.
  @Test func aSnapshotKeepsItsTotals() throws {
    let scratch = try Scratch()
    try Self.fill(scratch.store)
    try scratch.store.declare(Self.unread)
    try scratch.store.read { snapshot in
      #expect(try snapshot.value(of: Self.unread, for: "a") == 3)
      try onThread { try scratch.store.write { try $0.delete(Conversation.ID("a")) } }
      #expect(try snapshot.value(of: Self.unread, for: "a") == 3)
    }
    #expect(try scratch.store.value(of: Self.unread, for: "a") == 0)
  }

  @Test func declarationsStay() throws {
    let scratch = try Scratch()
    try scratch.store.declare(Self.unread)
    let sequence = try scratch.store.read { $0.sequence }
    try scratch.store.declare(Self.unread)
    #expect(try scratch.store.read { $0.sequence } == sequence)
    #expect(try scratch.store.aggregates() == [Self.unread.untyped])
    scratch.store.close()
    let store = try scratch.reopened()
    try Self.fill(store)
    #expect(
      try store.aggregates().map(\.description) == ["unread: messages where isUnread = TRUE by conversation"])
    #expect(try store.value(of: Self.unread, for: "a") == 3)
  }

  @Test func anotherDefinitionIsAnError() throws {
    let store = try Scratch().store
    try Self.fill(store)
    try store.declare(Self.unread)
    let other = Aggregate(named: "unread", counting: Message.all, groupedBy: \.conversation)
    let error = failure(.aggregateExists) { try store.declare(other) }
    #expect(error?.context["declaredPredicate"] == "isUnread = TRUE")
    failure(.aggregateExists) { _ = try store.value(of: other, for: "a") }
    try store.declare(other, replacing: true)
    #expect(try store.value(of: other, for: "c") == 1)
    failure(.aggregateExists) { _ = try store.values(of: Self.unread) }
    #expect(try store.aggregates() == [other.untyped])
    try expectSound(store)
  }

  @Test func droppingForgets() throws {
    let store = try Scratch().store
    try Self.fill(store)
    try store.declare(Self.unread)
    try store.dropAggregate(named: "unread")
    #expect(try store.aggregates() == [])
    failure(.unknownAggregate) { _ = try store.value(of: Self.unread, for: "a") }
    failure(.unknownAggregate) { try store.dropAggregate(named: "unread") }
    try expectSound(store)
    // Without any, nothing is left that later commits would have to keep.
    try store.write { try $0.markAsRead(Message.ID("m0")) }
    try store.declare(Self.unread)
    #expect(try store.value(of: Self.unread, for: "a") == 2)
  }

  /// All of it in one transaction, or nothing.
  @Test func declaresTogetherWithChanges() throws {
    let store = try Scratch().store
    try Self.fill(store)
    struct GivenUp: Error {}
    #expect(throws: GivenUp.self) {
      try store.write { tx in
        try tx.declare(Self.unread)
        try tx.markAsRead(Message.ID("m0"))
        #expect(try tx.value(of: Self.unread, for: "a") == 2)
        throw GivenUp()
      }
    }
    #expect(try store.aggregates() == [])
    try store.write { tx in
      try tx.markAsRead(Message.ID("m0"))
      try tx.declare(Self.unread)
      try tx.markAsRead(Message.ID("m1"))
    }
    #expect(try store.value(of: Self.unread, for: "a") == 1)
    try store.write { tx in
      try tx.dropAggregate(named: "unread")
      try tx.markAsRead(Message.ID("m2"))
      try tx.declare(Self.unread)
    }
    #expect(try store.values(of: Self.unread) == [.init(group: "b", value: 2)])
    try expectSound(store)
  }

  @Test func whatCannotBeCountedIsRefused() throws {
    let store = try Scratch().store
    failure(.invalidValue) { try store.declare(Aggregate(named: "", counting: Message.all)) }
    failure(.invalidValue) { try store.declare(Aggregate(named: "some", counting: Message.all.limit(3))) }
    failure(.invalidValue) { try store.declare(Aggregate(named: "some", counting: Message.all.after("m"))) }
    func declare(
      _ kind: ObjectKind, _ group: [String]?, _ measure: AggregateDescription.Measure = .count
    ) throws {
      try store.declare(AggregateDescription(name: "some", kind: kind, group: group, measure: measure))
    }
    failure(.unqueryableProperty) { try declare(.messages, ["colour"]) }
    failure(.unsupportedSort) { try declare(.messages, ["parts", "mimeType"]) }
    failure(.unsupportedSort) { try declare(.conversations, ["participants"]) }
    failure(.unsupportedSort) { try declare(.messages, nil, .sum(of: ["isUnread"])) }
    failure(.unsupportedSort) { try declare(.messages, nil, .sum(of: ["parts", "size"])) }
    failure(.unqueryableProperty) {
      try store.declare(
        AggregateDescription(
          name: "some", kind: .messages, predicate: try QueryPredicate(format: "colour = 'red'")))
    }
    let nested = (0..<300).reduce(QueryPredicate.true) { predicate, _ in .not(predicate) }
    failure(.unsupportedPredicate) {
      try store.declare(AggregateDescription(name: "some", kind: .messages, predicate: nested))
    }
    #expect(try store.aggregates() == [])
    try store.declare(Self.unread)
    failure(.invalidValue) { _ = try store.read { try $0.value(of: Self.unread.untyped, for: .integer(1)) } }
  }

  /// Texts are one group in every spelling; one that is too long is that of its beginning.
  @Test func groupsOfTexts() throws {
    let store = try Scratch().store
    let texts = Aggregate(named: "texts", counting: MessagePart.all, groupedBy: \.text)
    try store.declare(texts)
    let long = String(repeating: "é", count: 3000)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      let parts = ["e\u{301}", "\u{E9}", "", long, long + "!"].map { MessagePart.Draft.text($0) }
      try tx.receive(parts + [.data([1], mimeType: "a/b")], in: "a", from: "bob")
    }
    #expect(try store.value(of: texts, for: "\u{E9}") == 2)
    #expect(try store.value(of: texts, for: "e\u{301}") == 2)
    #expect(try store.value(of: texts, for: long + "?") == 2)
    #expect(try store.values(of: texts).map(\.value) == [1, 1, 2, 2])
    #expect(try store.values(of: texts).first == AggregateValue(group: nil, value: 1))
    #expect(try store.values(of: texts).last?.group == String(repeating: "é", count: 2048))
    try expectSound(store)
  }
}
