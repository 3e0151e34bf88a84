import Foundation
import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelScenes
import Testing

/// Comparisons of two properties of one object: by the types of both values, with a missing value on neither side.
@Suite struct TwoPropertiesTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }
  private static let all: Set<String> = ["m0", "m1", "m2", "m3"]

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c", metadata: ["owner": "bob", "limit": .integer(2)])
      try tx.receive(
        [.text("bob")], in: "c", from: "bob", id: "m0", position: 1, sentAt: date(10), receivedAt: date(20),
        metadata: ["author": "bob", "due": .date(Timestamp(date(20))), "n": .integer(1)])
      try tx.receive(
        [.text("x"), .text("carol")], in: "c", from: "bob", id: "m1", position: 2, sentAt: date(20),
        receivedAt: date(20), metadata: ["author": "carol", "due": "1970-01-01T00:00:20Z", "n": .number(2)])
      try tx.receive(
        [], in: "c", from: "carol", id: "m2", position: 3, sentAt: date(30), receivedAt: date(20),
        metadata: ["author": .list(["carol", "dan"]), "n": "3"])
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m3", receivedAt: date(20))
      try tx.update("m3") { $0.sentAt = .some(nil) }
    }
  }

  private static let answers: [(predicate: String, found: Set<String>)] = [
    ("sentAt < receivedAt", ["m0"]), ("sentAt <= receivedAt", ["m0", "m1"]), ("sentAt = receivedAt", ["m1"]),
    ("sentAt >= receivedAt", ["m1", "m2"]), ("sentAt > receivedAt", ["m2"]),
    ("sentAt != receivedAt", ["m0", "m2", "m3"]),
    // Of a list of metadata some text, and the complement that none.
    ("metadata.author = sender.userID", ["m0", "m2"]), ("sender.userID IN metadata.author", ["m0", "m2"]),
    ("metadata.author != sender.userID", ["m1", "m3"]),
    ("sender.userID NOT IN metadata.author", ["m1", "m3"]),
    ("ANY metadata.author != sender.userID", ["m1", "m2"]),
    ("ALL metadata.author = sender.userID", ["m0"]),
    ("ALL metadata.author != sender.userID", ["m1", "m3"]),
    ("NONE metadata.author = sender.userID", ["m1", "m3"]),
    ("metadata.author = metadata.author", ["m0", "m1", "m2"]),
    // Of metadata the type of each value decides: numbers of both kinds are one, a text is no number and no date.
    ("metadata.n = position", ["m0", "m1"]), ("metadata.n >= position", ["m0", "m1"]),
    ("metadata.n < position", []), ("metadata.due = receivedAt", ["m0"]),
    // Through relations, and of parts some one.
    ("sender.userID = conversation.metadata.owner", ["m0", "m1", "m3"]),
    ("position > conversation.metadata.limit", ["m2"]),
    ("sender.userID IN conversation.participants", ["m0", "m1", "m3"]),
    ("sender.userID NOT IN conversation.participants", ["m2"]),
    ("conversation.metadata.owner IN conversation.participants", ["m0", "m1", "m2", "m3"]),
    ("parts.text = metadata.author", ["m0", "m1"]), ("ALL parts.text = metadata.author", ["m0", "m2"]),
    ("sentAt = receivedAt AND metadata.n = position", ["m1"]),
    ("sentAt > receivedAt OR metadata.due = receivedAt", ["m0", "m2"]),
  ]

  @Test func propertiesCompareByTheirTypes() throws {
    try store.read { snapshot in
      for (predicate, expected) in Self.answers {
        let found = try snapshot.fetch(Query<Message>(format: predicate)).map(\.id.rawValue)
        #expect(Set(found) == expected && found.count == expected.count, "\(predicate)")
        #expect(try snapshot.count(Query<Message>(format: predicate)) == expected.count, "\(predicate)")
        let others = try snapshot.fetch(Query<Message>(format: "NOT (\(predicate))")).map(\.id.rawValue)
        #expect(Set(others) == Self.all.subtracting(expected), "NOT (\(predicate))")
      }
    }
  }

  /// Whichever index a query reads beside the comparison, the comparison decides.
  @Test func everyPathGivesTheSame() throws {
    try store.read { snapshot in
      for (predicate, expected) in Self.answers {
        for beside in ["sender.userID = 'bob'", "position >= 2", "metadata.author != nil", "isSent = TRUE"] {
          let query = QueryDescription(
            kind: .messages, predicate: try QueryPredicate(format: "(\(predicate)) AND \(beside)"))
          let executor = snapshot.executor
          let plan = try executor.plan(executor.question(query), exhaustive: true)
          let besides = try snapshot.fetch(Query<Message>(format: beside)).map(\.id.rawValue)
          let wanted = expected.intersection(besides).count
          for number in plan.paths.indices {
            var found = 0
            try executor.forEach(plan.choosing(number)) { _ in
              found += 1
              return true
            }
            #expect(found == wanted, "\(query): path \(number)")
          }
        }
      }
    }
  }

  @Test func closuresCompareAsTextDoes() {
    #expect(
      Message.filter { $0.receivedAt > $0.sentAt }.description == "messages where receivedAt > sentAt")
    #expect(
      Message.filter { $0.sender.userID == $0.conversation.metadata.owner }.description
        == "messages where sender.userID = conversation.metadata.owner")
    #expect(
      Message.filter { $0.conversation.participants.contains($0.sender.userID) }.description
        == "messages where sender.userID IN conversation.participants")
    #expect(
      Message.filter { $0.metadata.n.number <= $0.position && $0.isSent != $0.isUnread }.description
        == "messages where metadata.n <= position AND isSent != isUnread")
  }

  /// Beside a user id a text compares as it was given, of whichever object it is; beside another text in NFC.
  @Test func identifiersCompareWithTextsAsTheyWereGiven() throws {
    let (given, composed) = ("e\u{301}", "\u{E9}")
    try store.write { tx in
      let user = Identity.ID(given)
      try tx.put(Identity(userID: user, displayName: given, metadata: ["own": .text(given)]))
      try tx.createConversation(
        with: [user], id: "d", metadata: ["given": .text(given), "composed": .text(composed)])
      try tx.receive(
        [.text(given)], in: "d", from: user, id: "d0", position: 1,
        metadata: ["given": .text(given), "composed": .text(composed), "list": .list([given])])
    }
    func count(_ predicate: String, of kind: ObjectKind) throws -> Int {
      try store.read {
        try $0.count(QueryDescription(kind: kind, predicate: QueryPredicate(format: predicate)))
      }
    }
    for (kind, path) in [
      (ObjectKind.messages, ""), (.messages, "conversation."), (.parts, "message."),
      (.parts, "message.conversation."),
    ] {
      let sender = (kind == .parts ? "message." : "") + "sender.userID"
      #expect(try count("\(path)metadata.given = \(sender)", of: kind) == 1, "\(kind) \(path)")
      #expect(try count("\(path)metadata.composed = \(sender)", of: kind) == 0, "\(kind) \(path)")
      #expect(try count("\(path)metadata.composed = \(path)metadata.given", of: kind) == 1, "\(kind) \(path)")
    }
    #expect(
      try count("metadata.list = sender.userID AND sender.displayName = sender.userID", of: .messages) == 1)
    #expect(
      try count(
        "parts.text = sender.userID AND parts.text IN conversation.participants AND conversation = 'd'",
        of: .messages) == 1)
    #expect(try count("message.sender.displayName = message.sender.userID", of: .parts) == 1)
    #expect(try count("metadata.given IN participants", of: .conversations) == 1)
    #expect(try count("metadata.composed IN participants", of: .conversations) == 0)
    #expect(try count("metadata.own = userID AND displayName = userID", of: .identities) == 1)
  }

  @Test func dictionariesWithinMetadataAreEqualAsAWhole() throws {
    try store.write { tx in
      try tx.createConversation(
        with: ["carol"], id: "d", metadata: ["address": ["city": "Bern", "floor": .integer(2)]])
      try tx.receive([.text("x")], in: "d", from: "carol", id: "d0", position: 1)
    }
    for (predicate, expected) in [
      ("metadata.address = {'city': 'Bern', 'floor': 2.0}", ["d"]),
      ("metadata.address = {'city': 'Bern'}", []),
      ("metadata.address != {'city': 'Bern'}", ["c", "d"]), ("metadata.owner = {'city': 'Bern'}", []),
    ] as [(String, [String])] {
      let found = try store.fetch(Query<Conversation>(format: predicate)).map(\.id.rawValue)
      #expect(Set(found) == Set(expected), "\(predicate)")
    }
  }
}
