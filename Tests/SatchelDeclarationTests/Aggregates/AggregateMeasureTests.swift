import Foundation
import Satchel
import SatchelModel
import SatchelScenes
import Testing

/// Sums, minima and maxima of values of metadata, and of other properties.
@Suite struct AggregateMeasureTests {
  private static let sum = Aggregate(
    named: "sum", summing: \.metadata.v.number, of: Conversation.all, groupedBy: \.metadata.team)
  private static let least = Aggregate(
    named: "least", minimum: \.metadata.v.number, of: Conversation.all, groupedBy: \.metadata.team)
  private static let last = Aggregate(named: "last", maximum: \.metadata.v.date, of: Conversation.all)
  private static let due = Timestamp(microseconds: 1_700_000_000_000_000)

  /// A store in which each value is that of a conversation of a team.
  private static func store(_ values: [(team: String?, value: MetadataValue)]) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.store.write { tx in
      for (number, (team, value)) in values.enumerated() {
        let id = Conversation.ID("c\(number)")
        var metadata: Metadata = ["v": value]
        if let team { try metadata.set(team, at: "team") }
        try tx.createConversation(with: ["bob"], id: id, metadata: metadata)
        try tx.send([.text("x")], to: id)
      }
    }
    return scratch
  }

  private static func values(
    of aggregate: AggregateDescription, _ groups: [QueryPredicate.Constant], _ store: MessageStore
  ) throws -> [QueryPredicate.Constant] {
    try store.read { snapshot in try groups.map { try snapshot.value(of: aggregate, for: $0) } }
  }

  private static func set(_ value: MetadataValue, _ number: Int, _ tx: WriteTransaction) throws {
    try tx.setMetadata(value, at: "v", of: .conversation(Conversation.ID("c\(number)")))
  }

  @Test func sumsAreExact() throws {
    let store = try Self.store([
      ("a", 1e308), ("a", 1e308), ("a", 1), ("b", 0.1), ("b", 0.2), ("b", "5"), ("b", true), ("b", ["5"]),
      (nil, .integer(.max)), (nil, .date(Self.due)), ("c", 0.5), ("c", -0.5), ("d", "none"),
    ]).store
    try store.declare(Self.sum)
    #expect(try store.value(of: Self.sum, for: "a") == .infinity)
    #expect(try store.value(of: Self.sum, for: "b") == 0.30000000000000004)
    #expect(try store.value(of: Self.sum, for: nil) == 0x1p63)
    #expect(try store.value(of: Self.sum, for: "c") == 0)
    #expect(try store.value(of: Self.sum, for: "nobody") == 0)
    #expect(try store.values(of: Self.sum).map(\.group) == [nil, "a", "b"])
    // Without types, whole sums are integers.
    #expect(
      try Self.values(of: Self.sum.untyped, [.null, .text("c"), .text("b")], store) == [
        .integer(.max), .integer(0), .number(0.30000000000000004),
      ])
    // What was absorbed comes back, in a write at once.
    try store.write { tx in
      try Self.set(-1e308, 1, tx)
      #expect(try tx.value(of: Self.sum, for: "a") == 1)
      try tx.delete(Conversation.ID("c3"))
      #expect(try tx.value(of: Self.sum, for: "b") == 0.2)
      try Self.set(2, 8, tx)
      try tx.setMetadata("a", at: "team", of: .conversation("c8"))
      #expect(try tx.value(of: Self.sum, for: "a") == 3)
      #expect(
        try tx.values(of: Self.sum) == [.init(group: "a", value: 3), .init(group: "b", value: 0.2)])
    }
    #expect(
      try store.values(of: Self.sum) == [.init(group: "a", value: 3), .init(group: "b", value: 0.2)])
    try store.write { tx in
      for number in 0..<13 where number != 3 { try tx.delete(Conversation.ID("c\(number)")) }
    }
    #expect(try store.values(of: Self.sum) == [])
    #expect(try store.value(of: Self.sum, for: "b") == 0)
    try expectSound(store)
  }

  @Test func minimaAndMaximaFollowDeletions() throws {
    let store = try Self.store([
      ("a", 5), ("a", 2.5), ("a", -0.0), ("a", 0), ("b", 9_007_199_254_740_993), ("b", "z"),
      ("c", "only a text"),
      ("a", .date(Self.due)), ("b", .date(.init(microseconds: 3))), ("a", true), ("a", ["1"]),
    ]).store
    let texts = Aggregate(named: "texts", maximum: \.metadata.v, of: Conversation.all)
    let flags = Aggregate(named: "flags", minimum: \.metadata.v.boolean, of: Conversation.all)
    try store.write { tx in
      try tx.declare(Self.least)
      try tx.declare(Self.last)
      try tx.declare(texts)
      try tx.declare(flags)
      #expect(try tx.value(of: Self.least, for: "a") == 0)
    }
    #expect(try store.value(of: Self.least, for: "a") == 0)
    #expect(try store.value(of: Self.least, for: "b") == 9_007_199_254_740_992)
    #expect(try store.value(of: Self.least, for: "c") == nil)
    #expect(try store.value(of: Self.least, for: nil) == nil)
    #expect(try store.values(of: Self.least).map(\.group) == ["a", "b"])
    #expect(try store.value(of: Self.last) == Self.due)
    #expect(try store.value(of: texts) == "z")
    #expect(try store.value(of: flags) == true)
    // In the order in which queries sort.
    let least = Self.least.untyped
    #expect(
      try Self.values(of: least, [.text("a"), .text("b"), .text("c"), .text("d")], store) == [
        .boolean(true), .integer(9_007_199_254_740_993), .text("only a text"), .null,
      ])
    let groups = try store.read { try $0.values(of: least).map(\.group) }
    #expect(groups == [.text("a"), .text("b"), .text("c")])
    #expect(try Self.values(of: Self.last.untyped, [.null], store) == [.text("z")])
    try store.write { tx in
      // Two have 0: one may go.
      try tx.delete(Conversation.ID("c2"))
      #expect(try tx.value(of: Self.least, for: "a") == 0)
      try tx.delete(Conversation.ID("c3"))
      #expect(try tx.value(of: Self.least, for: "a") == 2.5)
      try Self.set(-7, 0, tx)
      #expect(try tx.value(of: Self.least, for: "a") == -7)
      try Self.set(8, 0, tx)
      #expect(try tx.value(of: Self.least, for: "a") == 2.5)
      try tx.delete(Conversation.ID("c7"))
      #expect(try tx.value(of: Self.last) == Timestamp(microseconds: 3))
      try Self.set("later", 8, tx)
      #expect(try tx.value(of: Self.last) == nil)
      #expect(try tx.value(of: texts) == "z")
      #expect(try tx.values(of: Self.last) == [])
    }
    #expect(try store.value(of: Self.least, for: "a") == 2.5)
    #expect(try store.value(of: Self.last) == nil)
    try store.write { tx in
      try tx.delete(Conversation.ID("c1"))
      try tx.delete(Conversation.ID("c0"))
      #expect(try tx.value(of: Self.least, for: "a") == nil)
    }
    #expect(try store.values(of: Self.least).map(\.group) == ["b"])
    try expectSound(store)
  }

  /// Groups whose bytes begin alike, and have zeros in them.
  @Test func groupsAreToldApart() throws {
    let teams = ["", "\0", "\0\0", "\0\u{1}", "a", "a\0", "a\0\0", "a\0\u{1}", "a\u{1}", "a\0\u{7F}b"]
    let store = try Self.store(teams.enumerated().map { ($1, .integer(Int64($0) + 1)) }).store
    try store.declare(Self.sum)
    try store.declare(Self.least)
    let sorted = teams.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let expected = sorted.map { Double(teams.firstIndex(of: $0)! + 1) }
    #expect(try store.values(of: Self.sum).map(\.group) == sorted)
    #expect(try store.values(of: Self.sum).map(\.value) == expected)
    #expect(try store.values(of: Self.least).map(\.value) == expected.map { Optional($0) })
    for (team, value) in zip(sorted, expected) {
      #expect(try store.value(of: Self.sum, for: team) == value)
      #expect(try store.value(of: Self.least, for: team) == value)
    }
    try expectSound(store)
  }

  @Test func ofOtherProperties() async throws {
    let scratch = try Self.store([(nil, 1), (nil, 2)])
    let store = scratch.store
    let first = Aggregate(named: "first", minimum: \.sentAt, of: Message.all, groupedBy: \.conversation)
    let text = Aggregate(named: "text", maximum: \.text, of: MessagePart.all)
    let name = Aggregate(named: "name", minimum: \.identifier, of: Conversation.all)
    try await store.declare(first)
    try await store.declare(text)
    try await store.declare(name)
    let long = String(repeating: "z", count: 5000)
    try await store.write { tx in
      for seconds in [9.5, 3, 7] {
        try tx.receive(
          [.text("m\(seconds)")], in: "c0", from: "bob", sentAt: Date(timeIntervalSince1970: seconds))
      }
      try tx.receive([.text(long)], in: "c0", from: "bob")
    }
    #expect(try await store.value(of: first, for: "c0") == Timestamp(microseconds: 3_000_000))
    #expect(try await store.value(of: text) == String(long.prefix(4096)))
    #expect(try await store.value(of: name) == "c0")
    #expect(try await store.values(of: first).map(\.group) == ["c0", "c1"])
    scratch.store.close()
    let reopened = try scratch.reopened()
    #expect(try await reopened.value(of: text) == String(long.prefix(4096)))
    #expect(
      try await reopened.aggregates().map(\.description) == [
        "first: minimum of sentAt of messages by conversation", "text: maximum of text of parts",
        "name: minimum of identifier of conversations",
      ])
    try expectSound(reopened)
  }

  @Test func whatIsRefused() throws {
    let store = try Scratch().store
    func refusal(_ kind: ObjectKind, _ measure: AggregateDescription.Measure) -> String? {
      failure(.unsupportedSort) {
        try store.declare(AggregateDescription(name: "some", kind: kind, measure: measure))
      }.map { "\($0)" }
    }
    let add = "Aggregates add up numbers that an object has one of"
    let compare =
      "Aggregates have a minimum or a maximum of texts, identifiers, numbers, dates, Booleans and references that an object has one of"
    #expect(refusal(.messages, .sum(of: ["sentAt"])) == "\(add) (property: sentAt)")
    #expect(refusal(.messages, .sum(of: ["metadata"])) == "\(add) (property: metadata)")
    #expect(refusal(.messages, .minimum(of: ["metadata"])) == "\(compare) (property: metadata)")
    #expect(refusal(.conversations, .maximum(of: ["participants"])) == "\(compare) (property: participants)")
    failure(.unqueryableProperty) {
      try store.declare(
        AggregateDescription(name: "some", kind: .messages, measure: .maximum(of: ["colour"])))
    }
    try store.declare(Self.sum)
    let other = Aggregate(
      named: "sum", minimum: \.metadata.v.number, of: Conversation.all, groupedBy: \.metadata.team)
    let conflict = failure(.aggregateExists) { try store.declare(other) }
    #expect(conflict?.context["declaredMeasure"] == "exactSum of metadata.v")
    failure(.aggregateExists) { _ = try store.value(of: other, for: "a") }
    try store.declare(other, replacing: true)
    #expect(try store.value(of: other, for: "a") == nil)
    try store.dropAggregate(named: "sum")
    #expect(try store.aggregates() == [])
    try expectSound(store)
  }

  @Test func descriptionsAreCoded() throws {
    for description in [
      Self.sum.untyped, Self.least.untyped, Self.last.untyped,
      Aggregate(named: "n", counting: Message.all).untyped,
      Aggregate(named: "size", summing: \.size, of: MessagePart.all).untyped,
    ] {
      let coded = try JSONEncoder().encode(description)
      #expect(try JSONDecoder().decode(AggregateDescription.self, from: coded) == description)
    }
    #expect("\(AggregateValue(group: "a", value: Optional(2.5)))" == "a: 2.5")
    #expect("\(AggregateValue(group: String?.none, value: Double?.none))" == "none: none")
  }

  /// Groups of numbers of metadata are Doubles, and one that no Double has is told.
  @Test func groupsOfNumbers() throws {
    let store = try Self.store([("a", 5), ("a", 5.0), ("a", 2.5)]).store
    let byValue = Aggregate(named: "by value", counting: Conversation.all, groupedBy: \.metadata.v.number)
    try store.declare(byValue)
    #expect(try store.values(of: byValue) == [.init(group: 2.5, value: 1), .init(group: 5, value: 2)])
    #expect(try store.value(of: byValue, for: 5) == 2)
    try store.write { try Self.set(9_007_199_254_740_993, 0, $0) }
    let error = failure(.invalidValue) { _ = try store.values(of: byValue) }
    #expect(
      error.map { "\($0)" }
        == "A group of the aggregate has a value of another type: ask for its groups without types "
        + "(aggregate: by value, value: 9007199254740993)")
  }
}
