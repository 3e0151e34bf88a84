import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Lists of texts in metadata: written, read back as they were, found by their texts with the index and without it.
@Suite struct ListMetadataTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  private static let lists: [[String]] = [
    ["urgent"], ["late", "urgent", "late"], [], ["e\u{301}", "z"], ["urgently"], ["m", "p"],
  ]

  init() throws {
    scratch = try Scratch()
    try store.write { transaction in
      for (number, texts) in Self.lists.enumerated() {
        try Self.add(.list(texts), number, to: transaction)
      }
    }
  }

  private static func add(_ value: MetadataValue, _ number: Int, to transaction: WriteTransaction) throws {
    let id = Conversation.ID("c\(number)")
    try transaction.createConversation(with: ["bob"], id: id, metadata: ["tags": value])
    try transaction.send([.text("x")], to: id, id: Message.ID("m\(number)"), metadata: ["tags": value])
    try transaction.put(Identity(userID: Identity.ID("i\(number)"), metadata: ["tags": value]))
  }

  /// The numbers of the objects that a predicate finds: the same of each kind, by an index or not, and as many are counted.
  private func found(_ predicate: QueryPredicate) throws -> [Int] {
    let conversations = try store.identifiers(Conversation.filter(predicate)).map {
      Int($0.rawValue.dropFirst())!
    }
    let messages = try store.identifiers(Message.filter(predicate)).map { Int($0.rawValue.dropFirst())! }
    let identities = try store.identifiers(Identity.filter(predicate)).map { Int($0.rawValue.dropFirst())! }
    #expect(conversations == messages && conversations == identities, "\(predicate)")
    #expect(try store.count(Conversation.filter(predicate)) == conversations.count, "\(predicate)")
    return conversations
  }

  private func found(_ predicate: String) throws -> [Int] {
    try found(QueryPredicate(format: predicate))
  }

  @Test func listsAreGivenBackAsTheyCame() throws {
    for store in [store, try scratch.reopened()] {
      for (number, texts) in Self.lists.enumerated() {
        let expected: Metadata = ["tags": .list(texts)]
        let message = try #require(try store.message(Message.ID("m\(number)")))
        #expect(message.metadata.hasSameBytes(as: expected), "\(message.metadata)")
        #expect(message.metadata.value(at: "tags")?.listValue == texts)
        let conversation = try #require(try store.conversation(Conversation.ID("c\(number)")))
        #expect(conversation.metadata.hasSameBytes(as: expected), "\(conversation.metadata)")
        let coded = try JSONEncoder().encode(message.metadata)
        #expect(try JSONDecoder().decode(Metadata.self, from: coded).hasSameBytes(as: expected))
      }
    }
  }

  @Test func aComparisonMeansSomeText() throws {
    #expect(try found("metadata.tags = 'urgent'") == [0, 1])
    #expect(try found("'urgent' IN metadata.tags") == [0, 1])
    #expect(try found("metadata.tags = 'é'") == [3])
    #expect(try found("metadata.tags != 'urgent'") == [2, 3, 4, 5])
    #expect(try found("NOT metadata.tags != 'urgent'") == [0, 1])
    #expect(try found("metadata.tags IN {'late', 'm', 'p'}") == [1, 5])
    #expect(try found("metadata.tags NOT IN {'late', 'm', 'p'}") == [0, 2, 3, 4])
    #expect(try found("metadata.tags BEGINSWITH 'urgent'") == [0, 1, 4])
    #expect(try found("metadata.tags CONTAINS 'gent'") == [0, 1, 4])
    #expect(try found("NOT metadata.tags LIKE '%T'") == [2, 3, 4, 5])
    #expect(try found("metadata.tags = 'late' AND metadata.tags = 'urgent'") == [1])
    // One text may be less and another one greater: a range is BETWEEN.
    #expect(try found("metadata.tags < 'n' AND metadata.tags > 'o'") == [1, 5])
    #expect(try found("metadata.tags BETWEEN {'n', 'o'}") == [])
    #expect(try found("metadata.tags != nil") == Array(Self.lists.indices))
    #expect(try found("metadata.tags = 5") == [])
    #expect(try found("metadata.tags != 5") == Array(Self.lists.indices))
    #expect(try found("metadata.tags = 'm' OR metadata.tags = 'late' OR metadata.tags = 5") == [1, 5])
    #expect(try found("metadata.tags != 'm' OR metadata.tags != 'p'") == [0, 1, 2, 3, 4])
  }

  @Test func aListEqualsOneWithTheSameTexts() throws {
    #expect(try found("metadata.tags = {'urgent', 'late'}") == [1])
    #expect(try found("metadata.tags = {'urgent'}") == [0])
    #expect(try found("metadata.tags = {'é', 'z'}") == [3])
    #expect(try found("metadata.tags = {}") == [2])
    #expect(try found("metadata.tags != {'urgent'}") == [1, 2, 3, 4, 5])
    #expect(try found("NOT metadata.tags != {'p', 'm', 'p'}") == [5])
    #expect(try found("metadata = {'tags': {'late', 'urgent'}}") == [1])
    #expect(try found("metadata = {'tags': {}}") == [2])
    #expect(try found("metadata != {'tags': {'late', 'urgent'}}") == [0, 2, 3, 4, 5])
  }

  @Test func theClosuresSayTheSame() throws {
    #expect(try store.count(Message.filter { $0.metadata.tags == "urgent" }) == 2)
    #expect(try store.count(Message.filter { $0.metadata.tags.list.contains("urgent") }) == 2)
    #expect(try store.count(Message.filter { $0.metadata.tags.contains("urgent") }) == 3)
    #expect(try store.count(Message.filter { $0.metadata.tags.list.contains(anyOf: ["m", "late"]) }) == 2)
    #expect(
      try store.count(Message.filter { $0.metadata.tags.list.contains(allOf: ["urgent", "late"]) }) == 1)
    #expect(try store.count(Message.filter { $0.metadata.tags.list == ["late", "urgent"] }) == 1)
    #expect(try store.count(Message.filter { $0.metadata.tags.list != ["late", "urgent"] }) == 5)
    #expect(try store.count(Message.filter { $0.metadata.tags.list != nil }) == 6)
    #expect(try store.count(Message.filter { $0.metadata.tags.list.any { $0 != "urgent" } }) == 4)
    #expect(try store.count(Message.filter { $0.metadata.tags.list.all { $0 > "m" } }) == 4)
    #expect(try store.count(Message.filter { $0.metadata.tags.list.none { $0.beginsWith("ur") } }) == 3)
  }

  /// Texts and lists at one path: both are found, in one order, and nothing twice.
  @Test func textsAndListsMeetAtOnePath() throws {
    try store.write { transaction in
      for (number, value) in [MetadataValue.text("urgent"), "a", 5, true, ["b"]].enumerated() {
        try Self.add(value, 6 + number, to: transaction)
      }
    }
    #expect(try found("metadata.tags = 'urgent'") == [0, 1, 6])
    #expect(try found("metadata.tags < 'c'") == [7, 10])
    #expect(try found("metadata.tags IN {'a', 'b', 'late', 'urgent'}") == [0, 1, 6, 7, 10])
    #expect(try found("metadata.tags != 'urgent'") == [2, 3, 4, 5, 7, 8, 9, 10])
    #expect(try found("metadata.tags = {'urgent'}") == [0])
    for isDescending in [false, true] {
      let sorted = Conversation.filter { $0.metadata.tags != nil }.order([
        SortKey(["metadata", "tags"], descending: isDescending)
      ])
      let expected = [9, 8, 7, 6, 0, 1, 2, 3, 4, 5, 10]
      #expect(
        try store.identifiers(sorted).map { Int($0.rawValue.dropFirst())! }
          == (isDescending ? expected.reversed() : expected))
      let page = try store.identifiers(sorted.offset(4).limit(3)).map { Int($0.rawValue.dropFirst())! }
      #expect(page == Array((isDescending ? Array(expected.reversed()) : expected)[4..<7]))
    }
  }

  /// Who has a text alone comes before who has it in a list, also where the index finds both in one run.
  @Test func oneTextAndItsListsAreInOrder() throws {
    try store.write { transaction in
      for (number, value) in [MetadataValue.text("urgent"), "late", 5].enumerated() {
        try Self.add(value, 6 + number, to: transaction)
      }
    }
    for (text, expected) in [
      ("metadata.tags = 'urgent'", [6, 0, 1]), ("metadata.tags IN {'urgent'}", [6, 0, 1]),
      ("metadata.tags = 'late' OR metadata.tags = 5", [8, 7, 1]),
    ] {
      for isDescending in [false, true] {
        let expected = isDescending ? expected.reversed() : expected
        let keys = [SortKey(["metadata", "tags"], descending: isDescending)]
        let conversations = try Query<Conversation>(format: text).order(keys)
        let messages = try Query<Message>(format: text).order(keys)
        let ofConversations = try store.identifiers(conversations).map { Int($0.rawValue.dropFirst())! }
        let ofMessages = try store.identifiers(messages).map { Int($0.rawValue.dropFirst())! }
        #expect(ofConversations == expected, "\(text)")
        #expect(ofMessages == expected, "\(text)")
        for (place, number) in expected.enumerated() {
          #expect(
            try store.identifiers(messages.offset(place).limit(1)) == [Message.ID("m\(number)")], "\(text)")
        }
      }
    }
  }

  @Test func oneTextIsFoundByTheIndex() throws {
    let query = Conversation.filter { $0.metadata.tags == "urgent" }
    let explanation = try store.explain(query)
    #expect(explanation.paths.contains { $0.index == "conversation.metadata" && $0.cardinality == 2 })
    let count = try store.explain(query, as: .count)
    #expect("\(count)".contains("count ranges of conversation.metadata"), "\(count)")
    // A range may have two texts of one list.
    let range = try store.explain(Conversation.filter { $0.metadata.tags.beginsWith("ur") })
    #expect(range.paths.allSatisfy { $0.index != "conversation.metadata" }, "\(range)")
  }

  /// What every element has to be is one range, and counted, where no object has a list; where one has, its texts are tested.
  @Test func everyElementIsFoundByTheIndex() throws {
    try store.write { transaction in
      for number in 0..<6 {
        try transaction.setMetadata(
          .text("a\(number % 3)"), at: "kind", of: .conversation(Conversation.ID("c\(number)")))
      }
    }
    let query = try Query<Conversation>(format: "ALL metadata.kind = 'a1'")
    let explanation = try store.explain(query, as: .count)
    #expect("\(explanation)".contains("count ranges of conversation.metadata"), "\(explanation)")
    #expect(try store.identifiers(query) == ["c1", "c4"])
    #expect(try store.count(query) == 2)
    try store.write { transaction in
      try transaction.setMetadata(["a1", "a2"], at: "kind", of: .conversation("c0"))
      try transaction.setMetadata(["a1"], at: "kind", of: .conversation("c2"))
      try transaction.setMetadata([], at: "kind", of: .conversation("c3"))
    }
    #expect(try store.identifiers(query) == ["c1", "c2", "c3", "c4"])
    #expect(try store.count(query) == 4)
  }

  @Test func changesAreTold() throws {
    let before = try store.read { $0.sequence }
    let long = (0..<300).map { "\($0)" }
    try store.write { transaction in
      try transaction.setMetadata(["x", "y"], at: "tags", of: .conversation("c1"))
      try transaction.setMetadata(long, at: "tags", of: .message("m0"))
      try transaction.removeMetadata(at: "tags", of: .identity("i2"))
    }
    #expect(try store.count(Conversation.filter { $0.metadata.tags == "late" }) == 0)
    #expect(try store.count(Conversation.filter { $0.metadata.tags == "y" }) == 1)
    try store.write { try $0.setMetadata("z", at: "tags", of: .message("m0")) }
    let changes = try store.changes(since: before).flatMap(\.changes)
    let conversation = changes.first { $0.object == .conversation("c1") }?["metadata.tags"]
    #expect(conversation?.before == .list(["late", "urgent", "late"]))
    #expect(conversation?.after == .list(["x", "y"]))
    #expect(changes.first { $0.object == .identity("i2") }?["metadata.tags"]?.before == .list([]))
    // More than the log keeps.
    let last = changes.last { $0.object == .message("m0") }?["metadata.tags"]
    #expect(last?.before == .unknown && last?.after == .text("z"))
  }

  /// An empty list equals an empty dictionary, and only the list has an entry in an index.
  @Test func anEmptyListTakesTheTurnOfAnEmptyDictionary() throws {
    let owners: [MetadataOwner] = [.conversation("c0"), .message("m0"), .identity("i0")]
    for (value, isFound) in [
      (MetadataValue.dictionary([:]), false), (.list([]), true), (.dictionary([:]), false), (.list([]), true),
      ("text", true),
    ] {
      try store.write { transaction in
        for owner in owners { try transaction.setMetadata(value, at: "tags", of: owner) }
      }
      #expect(try found("metadata.tags != nil").contains(0) == isFound, "\(value)")
      try expectSound(store)
    }
  }

  @Test func aSectionHoldsAllLists() throws {
    let list = store.controller(
      for: Conversation.order { $0.metadata.tags }, sectionKey: "metadata.tags")
    try list.execute()
    #expect(list.numberOfSections == 1)
  }

  static let refused: [(MetadataValue, String)] = [
    (.list([String(repeating: "x", count: 2049)]), "2048"),
    (.list(Array(repeating: String(repeating: "x", count: 2048), count: 33)), "65,536"),
  ]

  @Test(arguments: refused.indices) func listsThatAreTooLongAreRefused(_ index: Int) throws {
    let (value, limit) = Self.refused[index]
    let error = #expect(throws: SatchelError.self) {
      try store.write { try $0.setMetadata(value, at: "a.b", of: .conversation("c0")) }
    }
    #expect(error?.code == .invalidValue && error?.context["keyPath"] == "a.b")
    #expect(error?.description.contains(limit) == true)
  }

  @Test(arguments: [
    ("metadata.tags = {'a', 5}", SatchelError.Code.invalidValue),
    ("metadata.tags = {5}", .invalidValue), ("metadata.tags > {'a'}", .invalidValue),
    ("metadata = {'tags': {'a', 5}}", .syntaxError), ("metadata = {'tags': {5}}", .syntaxError),
    ("metadata.tags = {'a' 'b'}", .syntaxError),
  ])
  func wrongListsAreRefused(_ predicate: String, _ code: SatchelError.Code) throws {
    let error = #expect(throws: SatchelError.self) {
      try store.count(Query<Message>(format: predicate))
    }
    #expect(error?.code == code, "\(String(describing: error))")
  }

  @Test func aPredicateIsPrintedAsItIsRead() throws {
    for text in ["metadata.tags = {'a', 'b'}", "metadata = {'t': {'a', 'b'}}", "'a' IN metadata.tags"] {
      #expect(try QueryPredicate(format: text).description == text)
    }
    let empty = try QueryPredicate(format: "metadata = {'t': { }}")
    #expect(try QueryPredicate(format: empty.description) == empty)
    let made = Message.filter { $0.metadata == ["t": .list([])] }
    #expect(try Query<Message>(format: made.description.split(separator: "where ")[1].description) == made)
  }
}
