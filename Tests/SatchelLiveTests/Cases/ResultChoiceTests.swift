import Satchel
import SatchelLive
import SatchelPlanning
import Testing

/// Which live queries hold their results and which ask an index, and that equal conditions are tested once.
@Suite struct ResultChoiceTests {
  @Test(arguments: [
    (ObjectKind.messages, "TRUEPREDICATE", [String]()), (.messages, "TRUEPREDICATE", ["-sentAt"]),
    (.messages, "conversation = 'c1'", ["position"]), (.messages, "conversation = 'c1'", ["-position"]),
    (.messages, "conversation = 'c1' AND isUnread = TRUE", ["position"]),
    (.messages, "isUnread = TRUE", ["sentAt"]), (.messages, "sender.userID = 'bob'", ["-sentAt"]),
    (.conversations, "TRUEPREDICATE", ["-lastMessage.receivedAt"]),
    (.conversations, "hasUnreadMessages = TRUE", ["-lastMessage.receivedAt"]),
    (.conversations, "TRUEPREDICATE", ["createdAt"]), (.conversations, "participants CONTAINS 'bob'", []),
    (.parts, "mimeType = 'text/plain'", []), (.announcements, "TRUEPREDICATE", ["sentAt"]),
    (.identities, "TRUEPREDICATE", []),
  ])
  func anIndexHasThem(_ kind: ObjectKind, _ predicate: String, _ sort: [String]) throws {
    #expect(try isIndexed(kind, predicate, sort) == true)
  }

  @Test(arguments: [
    (ObjectKind.messages, "metadata.title = 'a'", [String]()),
    (.messages, "TRUEPREDICATE", ["metadata.title"]),
    (.messages, "parts.text LIKE '%a%'", ["sentAt"]), (.messages, "sender.displayName = 'a'", ["sentAt"]),
    (.messages, "TRUEPREDICATE", ["conversation.lastMessage.sentAt"]),
    (.conversations, "metadata.title = 'a'", ["createdAt"]), (.conversations, "messageCount > 2", []),
    (.parts, "text = 'a'", []), (.identities, "followed = TRUE", ["displayName"]),
  ])
  func theyAreHeld(_ kind: ObjectKind, _ predicate: String, _ sort: [String]) throws {
    #expect(try isIndexed(kind, predicate, sort) == false)
  }

  @Test func aConditionOfTheProgramHoldsThem() throws {
    let residual = LiveQuestion.Residual(name: "all") { _ in true }
    #expect(try isIndexed(.messages, "conversation = 'c1'", ["position"], residual) == false)
  }

  @Test(arguments: [
    ("metadata.title = 'a'", ["sentAt"]), ("metadata.title = 'a'", ["-sentAt"]),
    ("TRUEPREDICATE", ["metadata.title", "sentAt"]),
    ("metadata.title > 'a'", ["-metadata.title", "-sentAt"]),
  ])
  func aDeclaredIndexHasThem(_ predicate: String, _ sort: [String]) throws {
    let index = Index(named: "titles", on: Message.self) { [$0.metadata.title, $0.sentAt] }
    #expect(try isIndexed(.messages, predicate, sort, index: index) == true)
  }

  private func isIndexed(
    _ kind: ObjectKind, _ predicate: String, _ sort: [String], _ residual: LiveQuestion.Residual? = nil,
    index: Index? = nil
  ) throws -> Bool? {
    let scratch = try Scratch()
    if let index { try scratch.store.declare(index) }
    try scratch.store.write { transaction in
      let id = try transaction.createConversation(with: ["bob"], id: "c1").id
      for position in Int64(0)..<20 {
        try transaction.receive([.text("a")], in: id, from: "bob", position: position)
      }
    }
    let query = QueryDescription(
      kind: kind, predicate: try QueryPredicate(format: predicate),
      sort: try sort.map { try SortKey($0) })
    var question = LiveQuestion(specification: .init(query: query, window: .first(5)))
    question.residual = residual
    let live = LiveQuery(question.source, feed: LiveFeed(scratch.store.base, followsCommits: false))
    try live.load(question.specification)
    return live.isIndexed
  }

  @Test func equalConditionsHaveOneNumber() throws {
    let scratch = try Scratch()
    func condition(_ text: String) throws -> Condition {
      let predicate = try QueryPredicate(format: text)
      return try scratch.store.read {
        try $0.executor.question(QueryDescription(kind: .messages, predicate: predicate)).condition
      }
    }
    let numbers = ConditionNumbers()
    let first = numbers.number(of: try condition("isUnread = TRUE"), .messages)
    #expect(try numbers.number(of: condition("NOT (isUnread = FALSE)"), .messages) == first)
    #expect(try numbers.number(of: condition("isUnread = TRUE"), .announcements) != first)
    #expect(try numbers.number(of: condition("isSent = TRUE"), .messages) != first)
    numbers.release(first)
    #expect(try numbers.number(of: condition("isUnread = TRUE"), .messages) == first)
    numbers.release(first)
    numbers.release(first)
    // Nobody has it any more: what is remembered by the old number is not taken for the new one's.
    #expect(try numbers.number(of: condition("isUnread = TRUE"), .messages) != first)
  }
}
