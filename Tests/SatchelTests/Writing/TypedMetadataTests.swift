import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Values of metadata that are no texts: written, read back as they were, queried, sorted, and told of.
@Suite struct TypedMetadataTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }
  private static let due = Timestamp(microseconds: 1_800_000_000_000_001)

  init() throws { scratch = try Scratch() }

  /// Values that are equal in several spellings, and values that are nearly equal.
  private static let values: [MetadataValue] = [
    .boolean(false), .boolean(true), .number(-1e300), .integer(.min), .integer(-5), .number(-2.5),
    .number(-0.0),
    .integer(0), .number(0.5), .integer(5), .number(5), .number(5.000_000_1), .number(0x1p53),
    .integer(1 << 53 + 1),
    .integer(.max), .number(0x1p63), .date(Timestamp(microseconds: .min)), .date(due), .text(""), .text("5"),
    .text("true"), .text("é"),
  ]

  /// Writes a conversation with a message, and an identity, for each value; as many without one; and some with a dictionary there.
  private func fill() throws {
    try store.write { transaction in
      for (number, value) in Self.values.enumerated() {
        let id = Conversation.ID("c\(100 + number)")
        try transaction.createConversation(with: ["bob"], id: id, metadata: ["v": value, "n": ["v": value]])
        try transaction.send([.text("x")], to: id, id: Message.ID("m\(100 + number)"), metadata: ["v": value])
        try transaction.put(Identity(userID: Identity.ID("i\(100 + number)"), metadata: ["v": value]))
      }
      for (number, metadata) in ([[:], ["v": ["w": 5]], ["v": [:]]] as [Metadata]).enumerated() {
        let id = Conversation.ID("c\(200 + number)")
        try transaction.createConversation(with: ["bob"], id: id, metadata: metadata)
        try transaction.send([.text("x")], to: id, id: Message.ID("m\(200 + number)"), metadata: metadata)
      }
    }
  }

  @Test func valuesAreGivenBackAsTheyCame() throws {
    try fill()
    for store in [store, try scratch.reopened()] {
      for (number, value) in Self.values.enumerated() {
        let expected: Metadata = ["v": value]
        let found = try #require(try store.message(Message.ID("m\(100 + number)"))).metadata
        #expect(found.hasSameBytes(as: expected), "\(found)")
        let identity = try #require(try store.identity(Identity.ID("i\(100 + number)")))
        #expect(identity.metadata.hasSameBytes(as: expected), "\(identity.metadata)")
      }
    }
  }

  /// Which of the values a predicate finds of each kind, by the index of conversations and of identities, and by testing each message.
  private func found(_ predicate: String) throws -> [Int] {
    let conversations = try store.identifiers(Query<Conversation>(format: predicate)).map {
      Int($0.rawValue.dropFirst())! - 100
    }
    let messages = try store.identifiers(Query<Message>(format: predicate)).map {
      Int($0.rawValue.dropFirst())! - 100
    }
    #expect(conversations == messages, "\(predicate)")
    let inner = try store.identifiers(
      Query<Message>(format: predicate.replacing("metadata.v", with: "conversation.metadata.n.v")))
    if !predicate.contains("!=") && !predicate.contains("NOT") && !predicate.contains("= nil") {
      #expect(inner.map { Int($0.rawValue.dropFirst())! - 100 } == messages, "\(predicate)")
    }
    #expect(try store.count(Query<Conversation>(format: predicate)) == conversations.count, "\(predicate)")
    let identities = try store.identifiers(Query<Identity>(format: predicate)).map {
      Int($0.rawValue.dropFirst())! - 100
    }
    #expect(identities == conversations.filter { $0 < 100 }, "\(predicate)")
    return conversations
  }

  private func indices(_ holds: (MetadataValue) -> Bool) -> [Int] {
    Self.values.indices.filter { holds(Self.values[$0]) }
  }

  @Test func theTypeOfTheLiteralDecides() throws {
    try fill()
    let others = [100, 101, 102]
    #expect(try found("metadata.v = 5") == indices { $0 == 5 })
    #expect(indices { $0 == 5 }.count == 2)
    #expect(try found("metadata.v = 5.0") == indices { $0 == 5 })
    #expect(try found("metadata.v = '5'") == indices { $0 == "5" })
    #expect(try found("metadata.v = TRUE") == [1])
    #expect(try found("metadata.v = 1") == [])
    #expect(try found("metadata.v = 0") == indices { $0 == 0 })
    #expect(try found("metadata.v = 9007199254740992") == indices { $0 == .number(0x1p53) })
    #expect(
      try found("metadata.v > 9007199254740992")
        == indices { [.integer(1 << 53 + 1), .integer(.max), .number(0x1p63)].contains($0) })
    #expect(try found("metadata.v < 0") == Array(2...5))
    #expect(try found("metadata.v <= 0") == Array(2...7))
    #expect(try found("metadata.v BETWEEN {-2.5, 5}") == Array(5...10))
    #expect(try found("metadata.v BETWEEN {5, -2.5}") == [])
    #expect(try found("metadata.v IN {5, -5, 7}") == indices { [5, -5].contains($0) })
    #expect(try found("metadata.v != 5") == indices { $0 != 5 } + others)
    #expect(try found("metadata.v NOT IN {TRUE}") == indices { $0 != true } + others)
    #expect(
      try found("metadata.v < 2000-01-01T00:00:00Z") == indices { $0 == .date(Timestamp(microseconds: .min)) }
    )
    #expect(try found("metadata.v > 2000-01-01T00:00:00Z") == indices { $0 == .date(Self.due) })
    #expect(try found("metadata.v < 'z'") == [18, 19, 20])
    #expect(try found("metadata.v >= ''") == [18, 19, 20, 21])
    #expect(try found("metadata.v LIKE '%'") == [18, 19, 20, 21])
    #expect(try found("NOT metadata.v LIKE '%'") == Array(0..<18) + others)
    #expect(try found("metadata.v CONTAINS 'r'") == [20])
    #expect(try found("NOT metadata.v CONTAINS 'r'") == Array(0..<20) + [21] + others)
    #expect(try found("metadata.v != nil") == Array(Self.values.indices))
    #expect(try found("metadata.v = nil") == others)
    #expect(try found("metadata.v > 4 AND metadata.v < 6") == indices { $0 == 5 || $0 == 5.000_000_1 })
    #expect(try found("metadata.v > 4 AND metadata.v < 'z'") == [])
    #expect(
      try found("metadata.v = 5 OR metadata.v = '5' OR metadata.v = TRUE")
        == indices { $0 == 5 || $0 == "5" || $0 == true })
    #expect(try found("metadata.v") == [1])
  }

  @Test func valuesSortByTypeAndValue() throws {
    try fill()
    for kind in ["asc", "desc"] {
      let query =
        kind == "asc" ? Conversation.order { $0.metadata.v } : Conversation.order { $0.metadata.v.descending }
      let found = try store.identifiers(query).map { Int($0.rawValue.dropFirst())! - 100 }
      let expected = [100, 101, 102] + Array(Self.values.indices)
      // Equal ones are in the order of their creation, which is that of the values.
      #expect(found == (kind == "asc" ? expected : expected.reversed()))
      // By the index alone: those that have a value.
      let present = try store.identifiers(
        Query<Conversation>(format: "metadata.v != nil").order([
          SortKey(["metadata", "v"], descending: kind == "desc")
        ]))
      let order = Array(Self.values.indices)
      #expect(
        present.map { Int($0.rawValue.dropFirst())! - 100 } == (kind == "asc" ? order : order.reversed()))
    }
    let messages = try store.identifiers(Message.order { $0.metadata.v.number })
    #expect(
      messages.map { Int($0.rawValue.dropFirst())! - 100 } == [100, 101, 102] + Array(Self.values.indices))
  }

  @Test func conversationsAreFoundByTheIndex() throws {
    try fill()
    let explanation = try store.explain(Query<Conversation>(format: "metadata.v > 4.5"))
    #expect("\(explanation)".contains("conversation.metadata [4.5 … dates)"), "\(explanation)")
    let count = try store.explain(Query<Conversation>(format: "metadata.v IN {5, 0}"), as: .count)
    #expect("\(count)".contains("count ranges of conversation.metadata"), "\(count)")
  }

  @Test func changesAreToldAndFound() throws {
    try fill()
    let before = try store.read { $0.sequence }
    try store.write { transaction in
      try transaction.setMetadata(6, at: "v", of: .conversation("c109"))
      try transaction.setMetadata(5.0, at: "v", of: .message("m109"))
      try transaction.setMetadata(["w": true], at: "v", of: .identity("i109"))
    }
    #expect(try store.count(Conversation.filter { $0.metadata.v.number == 6 }) == 1)
    #expect(try store.count(Conversation.filter { $0.metadata.v.number == 5 }) == 1)
    #expect(try store.count(Identity.filter { $0.metadata.v.w.boolean }) == 1)
    let commits = try store.changes(since: before)
    let changes = commits.flatMap(\.changes)
    #expect(changes.first { $0.object == .conversation("c109") }?["metadata.v"]?.before == .number(5))
    #expect(changes.first { $0.object == .conversation("c109") }?["metadata.v"]?.after == .number(6))
    #expect(changes.first { $0.object == .message("m109") }?["metadata.v"]?.before == .number(5))
    #expect(changes.first { $0.object == .message("m109") }?["metadata.v"]?.after == .double(5))
    #expect(changes.first { $0.object == .identity("i109") }?["metadata.v.w"]?.after == .boolean(true))
  }

  @Test(arguments: [Double.nan, .infinity])
  func wrongNumbersAreRefused(_ number: Double) throws {
    try fill()
    let error = #expect(throws: SatchelError.self) {
      try store.write { try $0.mergeMetadata(["a": ["b": number]], into: .conversation("c100")) }
    }
    #expect(error?.code == .invalidValue && error?.context["keyPath"] == "a.b")
    #expect(try store.conversation("c100")?.metadata.value(at: "a") == nil)
  }

  @Test func aggregatesGroupByValuesOfAllTypes() throws {
    let aggregate = Aggregate(named: "by value", counting: Conversation.all, groupedBy: \.metadata.v)
    try store.write { try $0.declare(aggregate) }
    try fill()
    let groups = try store.read { snapshot in
      try snapshot.values(of: try #require(try snapshot.aggregates().first))
    }
    let expected: [(QueryPredicate.Constant, Int64)] = [
      (.null, 3), (.boolean(false), 1), (.boolean(true), 1), (.number(-1e300), 1), (.integer(.min), 1),
      (.integer(-5), 1), (.number(-2.5), 1), (.integer(0), 2), (.number(0.5), 1), (.integer(5), 2),
      (.number(5.000_000_1), 1), (.integer(1 << 53), 1), (.integer(1 << 53 + 1), 1), (.integer(.max), 1),
      (.number(0x1p63), 1), (.date(Timestamp(microseconds: .min)), 1), (.date(Self.due), 1), (.text(""), 1),
      (.text("5"), 1), (.text("true"), 1), (.text("é"), 1),
    ]
    #expect(groups.map(\.group) == expected.map(\.0))
    #expect(groups.map(\.value) == expected.map { .integer($0.1) })
    let description = try #require(try store.read { try $0.aggregates() }.first)
    #expect(try store.read { try $0.value(of: description, for: .number(5)) } == .integer(2))
    #expect(try store.read { try $0.value(of: description, for: .text("5")) } == .integer(1))
    #expect(try store.read { try $0.value(of: aggregate, for: "5") } == 1)
    let error = #expect(throws: SatchelError.self) { try store.read { try $0.values(of: aggregate) } }
    #expect(error?.code == .invalidValue)
  }
}
