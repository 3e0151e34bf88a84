import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelScenes
import TestSupport
import Testing

/// The memory of plans says which way is taken, never what is found, and follows the data.
@Suite struct PlanMemoryTests {
  /// Conversations of which few are red and many have the title "a", and the other way round after a change.
  private func store() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.store.write { tx in
      for number in 0..<300 {
        try tx.createConversation(
          with: ["bob", Identity.ID("user \(number)")], id: Conversation.ID("c\(number)"),
          metadata: [
            "color": .text(number < 3 ? "red" : "blue"), "title": .text(number % 2 == 0 ? "a" : "b\(number)"),
          ])
        // Without a message a conversation is not shown.
        try tx.receive(
          [.text("Hello")], in: Conversation.ID("c\(number)"), from: "bob", id: Message.ID("m\(number)"),
          position: 1, sentAt: date(Double(number)))
      }
    }
    return scratch
  }

  private func query(_ color: String, _ title: String) -> Query<Conversation> {
    Conversation.filter { $0.metadata.color == color && $0.metadata.title == title }
  }

  /// The plan that a query gets: whether all ways were weighed for it, and the properties whose trees are read.
  private func plan(_ query: Query<Conversation>, _ snapshot: StoreSnapshot) throws -> (
    isWeighed: Bool, way: [String]
  ) {
    let plan = try snapshot.executor.plan(snapshot.executor.question(query.untyped))
    return (plan.paths.count > 1, properties(plan.path))
  }

  private func properties(_ path: AccessPath) -> [String] {
    switch path.source {
    case .search(let scan): [scan.index.name]
    case .textScan(let scan): [scan.property?.path.joined(separator: ".") ?? scan.name]
    case .intersection(let paths), .union(let paths): paths.flatMap(properties)
    case .scan(let scan): [scan.index.tree.name]
    case .byValue(let values, _): properties(values)
    case .rows, .parts: []
    }
  }

  /// The identifiers of a query's results without any index but that of all objects, and by the plan that it gets.
  private func expectSameAnswers(_ query: Query<Conversation>, _ snapshot: StoreSnapshot) throws {
    let executor = snapshot.executor
    let question = try executor.question(query.untyped)
    var expected: [RowReference] = []
    try executor.forEach(executor.plan(question, exhaustive: true).choosing(0)) { row in
      expected.append(row)
      return true
    }
    var found: [RowReference] = []
    try executor.forEach(executor.plan(question)) { row in
      found.append(row)
      return true
    }
    #expect(found == expected, "\(query)")
    let count = try snapshot.count(query)
    #expect(count == expected.count, "\(query)")
  }

  @Test func aWayIsRememberedAndFollowsTheData() throws {
    let scratch = try store()
    let few = ["metadata.color"]
    try scratch.store.read { snapshot in
      let first = try plan(query("red", "a"), snapshot)
      #expect(first.isWeighed && first.way == few)
      let second = try plan(query("red", "b1"), snapshot)
      #expect(!second.isWeighed && second.way == few)
      // What few have is not what many have: all ways are weighed again, and the other one is better.
      let third = try plan(query("blue", "b7"), snapshot)
      #expect(third.isWeighed && third.way == ["metadata.title"])
      try expectSameAnswers(query("blue", "b7"), snapshot)
      let fourth = try plan(query("blue", "b9"), snapshot)
      #expect(!fourth.isWeighed && fourth.way == ["metadata.title"])
    }
    try scratch.store.write { tx in
      for number in 0..<300 {
        let id = Conversation.ID("c\(number)")
        try tx.setMetadata(.text(number % 2 == 0 ? "red" : "blue"), at: "color", of: .conversation(id))
        try tx.setMetadata(.text(number == 4 ? "a" : "c"), at: "title", of: .conversation(id))
      }
    }
    try scratch.store.read { snapshot in
      let after = try plan(query("red", "c"), snapshot)
      #expect(after.isWeighed, "150 red ones and 299 with the title c")
      let rare = try plan(query("red", "a"), snapshot)
      #expect(rare.way == ["metadata.title"])
      try expectSameAnswers(query("red", "a"), snapshot)
      let found = try snapshot.identifiers(query("red", "a"))
      #expect(found == ["c4"])
    }
  }

  @Test func allWaysAreWeighedAgainAfterSomeUses() throws {
    try store().store.read { snapshot in
      for round in 0..<2 {
        let first = try plan(query("red", "a"), snapshot)
        #expect(first.isWeighed, "round \(round)")
        for use in 1...PlanMemory.uses {
          let again = try plan(query("red", "a"), snapshot)
          #expect(!again.isWeighed && again.way == first.way, "use \(use) of round \(round)")
        }
      }
    }
  }

  @Test func theMemoryIsBoundedAndNotUsedInWrites() throws {
    let scratch = try store()
    try scratch.store.read { snapshot in
      let memory = try #require((snapshot.base.companion as? ReadCompanion)?.plans)
      #expect(memory.count == 0)
      for number in 0..<2 * PlanMemory.capacity {
        // One condition alone may be exactly a run of an index, which is taken without weighing.
        _ = try snapshot.count(
          Conversation.filter { $0.metadata["key\(number)"].in(["a", "b"]) && $0.metadata.color == "red" })
        #expect(memory.count <= PlanMemory.capacity && memory.count > 0)
      }
    }
    try scratch.store.write { tx in
      let id = Conversation.ID("c1")
      for color in ["green", "white"] {
        try tx.setMetadata(.text(color), at: "color", of: .conversation(id))
        try tx.read { snapshot in
          let found = try snapshot.identifiers(query(color, "b1"))
          #expect(found == [id] && snapshot.base.companion == nil)
        }
      }
    }
  }

  @Test func answersAreTheSameWhateverWasAskedBefore() throws {
    let scratch = try store()
    var random = SeededGenerator(for: "answersAreTheSameWhateverWasAskedBefore")
    let colors = ["red", "blue", "green", "none"]
    let titles = ["a", "b1", "b3", "c", "none"]
    for _ in 0..<12 {
      try scratch.store.write { tx in
        for _ in 0..<40 {
          let id = Conversation.ID("c\(Int.random(in: 0..<300, using: &random))")
          let color = colors.dropLast().randomElement(using: &random) ?? "red"
          let title = titles.dropLast().randomElement(using: &random) ?? "a"
          try tx.setMetadata(.text(color), at: "color", of: .conversation(id))
          try tx.setMetadata(.text(title), at: "title", of: .conversation(id))
        }
      }
      try scratch.store.read { snapshot in
        for _ in 0..<40 {
          let color = colors.randomElement(using: &random) ?? "red"
          let title = titles.randomElement(using: &random) ?? "a"
          let user = Identity.ID("user \(Int.random(in: 0..<301, using: &random))")
          let queries = [
            query(color, title), query(color, title).limit(5).offset(2),
            Conversation.filter { $0.metadata.color.in([color, "red"]) }.order { $0.metadata.title },
            Conversation.filter { $0.metadata.color == color || $0.metadata.title == title },
            Conversation.filter { $0.metadata.color == color && $0.participants.contains(user) },
            Conversation.filter { $0.participants.in([user, "user 1"]) && $0.metadata.title != title },
            Conversation.filter { $0.metadata.title.beginsWith(title) && $0.metadata.color != color },
          ]
          for query in queries { try expectSameAnswers(query, snapshot) }
        }
      }
    }
  }

  @Test func shapesAreEqualExactlyWhenOnlyValuesDiffer() throws {
    let texts = [
      "isUnread = TRUE", "isUnread = TRUE AND position > 3", "isUnread = TRUE OR position > 3",
      "position > 3", "position < 3", "position = 3", "position != 3", "position = nil",
      "position IN {30, 50, 80}",
      "conversation = 'a'", "conversation.identifier = 'a'", "identifier = 'a'", "sender.userID = 'a'",
      "sender.displayName = 'a'", "sender.displayName != 'a'", "sender.displayName >= 'a'",
      "sender.displayName LIKE 'a%'", "NOT sender.displayName LIKE 'a%'", "metadata.a = 'a'",
      "metadata.a.b = 'a'", "metadata.ab = 'a'", "conversation.metadata.a = 'a'",
      "recipientStatus.a = 'read'", "recipientStatus.b = 'read'", "parts.mimeType = 'a'",
      "NOT parts.mimeType = 'a'", "parts.text = 'a'",
      "conversation.participants = {'a'}", "conversation.participants CONTAINS 'a'",
      "conversation.participants IN {'a'}", "sentAt > '2026-01-01T00:00:00Z'",
      "receivedAt > '2026-01-01T00:00:00Z'",
      "isUnread = TRUE AND (position > 3 OR metadata.a = 'a')",
      "isUnread = TRUE AND (metadata.a = 'a' OR position > 3)",
      "(isUnread = TRUE AND position > 3) OR metadata.a = 'a'",
    ]
    try Scratch().store.read { snapshot in
      func shape(_ query: Query<Message>, isCount: Bool = false) throws -> QuestionShape {
        QuestionShape(try snapshot.executor.question(query.untyped, isCount: isCount))
      }
      var shapes: [(String, QuestionShape)] = []
      for text in texts {
        let query = try Query<Message>(format: text)
        shapes.append((text, try shape(query)))
        shapes.append(("count " + text, try shape(query, isCount: true)))
        shapes.append((text + " limit", try shape(query.limit(20))))
        shapes.append((text + " long limit", try shape(query.limit(2000))))
        shapes.append((text + " offset", try shape(query.offset(20))))
        shapes.append((text + " order", try shape(query.order { $0.sentAt })))
        shapes.append((text + " order descending", try shape(query.order { $0.sentAt.descending })))
        shapes.append((text + " two keys", try shape(query.order { ($0.sentAt, $0.position) })))
        // Other values.
        let other = try Query<Message>(
          format: text.replacing("'a'", with: "'zebra'").replacing("3", with: "4")
            .replacing("2026", with: "2025"))
        let ofOther = try shape(other)
        let (ofSome, ofMore) = (try shape(query.limit(21)), try shape(query.limit(25)))
        let own = try shape(query)
        #expect(ofOther == own, "\(text)")
        #expect(ofSome == ofMore)
      }
      for (place, (name, shape)) in shapes.enumerated() {
        for (otherName, other) in shapes[..<place] where other == shape {
          // The same question in two spellings.
          let spellings = [name, otherName].map {
            $0.replacing("conversation.identifier", with: "conversation")
          }
          #expect(spellings[0] == spellings[1], "\(name) and \(otherName)")
        }
      }
    }
  }
}
