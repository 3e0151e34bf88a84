import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import TestSupport
import Testing

/// The planner alone, over a source in memory: which way it takes, and that what it says of a way is true.
@Suite struct PlannerTests {
  let source = ListedSource()

  /// A thousand messages of three users in ten conversations; each hundredth is not sent, each tenth is unread.
  init() {
    for sequence in 1...1000 as ClosedRange<UInt64> {
      source.add(
        sequence, in: UInt32(sequence % 10), from: ["ann", "bob", "cy"][Int(sequence % 3)],
        position: sequence % 50 == 0 ? nil : Int64(sequence), sentAt: Int64(sequence) * 1_000_000,
        receivedAt: sequence % 4 == 0 ? nil : Int64(sequence) * 1_000_000 + 5, isSent: sequence % 100 != 0,
        isUnread: sequence % 10 == 0,
        parts: [("text/plain", 10)] + (sequence % 200 == 0 ? [("image/png", 50_000)] : []))
    }
  }

  private func question(
    _ text: String, of kind: ObjectKind = .messages, sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0, isCount: Bool = false
  ) throws -> Question {
    let normalizer = Normalizer(kind: kind, user: "ann")
    return Question(
      kind: kind, condition: try normalizer.condition(for: try QueryPredicate(format: text)),
      sort: try normalizer.sort(for: sort), limit: limit, offset: offset, anchor: nil, isCount: isCount,
      text: text)
  }

  private func plan(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    try Planner(source: source).plan(question, exhaustive: exhaustive)
  }

  @Test(arguments: [
    ("isSent = FALSE", "message.unsent", 10),
    ("isUnread = TRUE", "message.unread", 100),
    ("isUnread = TRUE AND sender.userID = 'bob'", "message.unreadSender", 34),
    ("sender.userID = 'cy'", "message.sender", 333),
    ("conversation.identifier = 'c3'", "message.place", 100),
    ("conversation.identifier = 'c0' AND isUnread = TRUE", "message.placeUnread", 100),
    ("conversation.identifier = 'c3' AND sender.userID = 'bob'", "message.placeSender", 33),
  ])
  func anIndexOfAllThatIsAsked(_ predicate: String, _ index: String, _ count: Int) throws {
    let plan = try plan(question(predicate, isCount: true))
    let summary = plan.summaries[plan.chosen]
    #expect(summary.access == index)
    #expect(summary.cardinality == count)
    #expect(summary.residual.isEmpty)
    #expect(plan.path.countsByRanges)
  }

  /// What one part has to meet is met by some part, condition by condition: an index of types finds those messages, and the whole
  /// is tested on them. That no part meets it says nothing of single conditions.
  @Test func aConditionOfOnePartNarrows() throws {
    let group = "parts (mimeType = 'image/png' AND size > 10)"
    let some = try plan(question("ANY " + group), exhaustive: true)
    let summary = some.summaries[some.chosen]
    #expect(summary.access == "message.types")
    #expect(summary.cardinality == 5)
    #expect(summary.residual == "parts (mimeType and size)")
    let count = try plan(question("ANY " + group, isCount: true))
    #expect(!count.path.countsByRanges)
    #expect(count.path.cardinality == 5)
    let joined = try plan(question("ANY " + group + " AND sender.userID = 'bob'"), exhaustive: true)
    #expect(joined.summaries.allSatisfy { $0.residual.contains("parts (mimeType and size)") })
    for text in ["NONE " + group, "ALL parts (mimeType = 'image/png' OR size > 10)"] {
      let none = try plan(question(text), exhaustive: true)
      #expect(none.summaries.allSatisfy { $0.access != "message.types" || $0.cardinality == 1000 }, "\(text)")
    }
    let either = try plan(
      question("ANY parts (mimeType = 'image/png' AND size > 10) OR isSent = FALSE"), exhaustive: true)
    #expect(either.paths.contains { if case .union = $0.source { $0.cardinality == 15 } else { false } })
  }

  /// No index answers two properties compared: each way that the rest of the question leaves tests them, and none is a count of ranges.
  @Test func twoPropertiesAreTestedOnEveryWay() throws {
    let later = "receivedAt > sentAt"
    for (rest, index, count) in [
      ("isUnread = TRUE", "message.unread", 100), ("sender.userID = 'cy'", "message.sender", 333),
      ("conversation.identifier = 'c3' AND sender.userID = 'bob'", "message.placeSender", 33),
    ] {
      let plan = try plan(question("\(rest) AND \(later)"), exhaustive: true)
      let summary = plan.summaries[plan.chosen]
      #expect(summary.access == index && summary.cardinality == count)
      #expect(plan.summaries.allSatisfy { $0.residual.contains("sentAt < receivedAt") })
      #expect(try !self.plan(question("\(rest) AND \(later)", isCount: true)).path.countsByRanges)
    }
    // Nor does it help as an alternative: all messages are tested.
    let either = try plan(question("isUnread = TRUE OR \(later)"), exhaustive: true)
    #expect(
      either.summaries.allSatisfy { $0.cardinality == 1000 && $0.residual.contains("sentAt < receivedAt") })
  }

  @Test func theOrderOfAnIndexIsUsed() throws {
    let byDate = SortKey(["sentAt"], descending: true)
    let sorted = try plan(question("isUnread = TRUE", sort: [byDate], limit: 5))
    #expect(sorted.path.ordering == .index(descending: true))
    #expect(sorted.summaries[sorted.chosen].access == "message.unread")
    // Two senders: each has its run of the index, and the runs are merged.
    let merged = try plan(
      question("sender.userID IN {'ann', 'bob'} AND isUnread = TRUE", sort: [byDate], limit: 5),
      exhaustive: true)
    #expect(
      merged.summaries.contains { $0.access == "message.unreadSender" && $0.order == "merged, backwards" })
  }

  @Test func aStoreOfAnOlderSetIsNotAskedForLaterIndexes() throws {
    let later = Set(IndexCatalog.later.map(\.name))
    let predicates = [
      "isSent = FALSE", "receivedAt = NULL", "isUnread = TRUE AND sender.userID = 'bob'",
    ]
    for predicate in predicates {
      let question = try question(predicate, isCount: true)
      #expect(try plan(question, exhaustive: true).summaries.contains { later.contains($0.access) })
      source.indexSet = 1
      #expect(try !plan(question, exhaustive: true).summaries.contains { later.contains($0.access) })
      source.indexSet = IndexCatalog.latestSet
    }
  }

  @Test func nothingIsReadForNothing() throws {
    for question in [
      try question("isUnread = TRUE", limit: 0), try question("isUnread = TRUE AND isUnread = FALSE"),
    ] {
      let before = source.counts
      let plan = try plan(question)
      #expect(plan.path.cardinality == 0)
      guard case .rows([]) = plan.path.source else {
        Issue.record("\(plan.explanation)")
        continue
      }
      #expect(source.counts == before)
    }
  }

  @Test func aKnownWayIsNotWeighedAgain() throws {
    let memory = PlanMemory()
    let planner = Planner(source: source, memory: memory)
    func ask(_ user: String) throws -> (Plan, counts: Int) {
      let before = source.counts
      let plan = try planner.plan(question("isUnread = TRUE AND sender.userID = '\(user)'", limit: 3))
      return (plan, source.counts - before)
    }
    let (first, weighed) = try ask("ann")
    let (second, recalled) = try ask("bob")
    #expect(second.summaries[second.chosen].access == first.summaries[first.chosen].access)
    #expect(recalled < weighed)
  }

  /// A page of many conversations counts some of them; a count counts all.
  @Test func manyRunsAreEstimated() throws {
    let many = ListedSource()
    for sequence in 1...2000 as ClosedRange<UInt64> {
      many.add(
        sequence, in: UInt32(sequence % 100), from: "ann", position: Int64(sequence), sentAt: 1,
        receivedAt: nil,
        isSent: true, isUnread: false, parts: [("text/plain", 10)])
    }
    let names = stride(from: 0, to: 100, by: 2).map { "'c\($0)'" }.joined(separator: ", ")
    let text = "conversation.identifier IN {\(names)}"
    let sort = [SortKey(["sentAt"])]
    let page = try Planner(source: many).plan(question(text, sort: sort, limit: 10), exhaustive: true)
    let ranges = page.explanation.split(separator: "\n").filter { $0.contains("message.place 50 ranges") }
    #expect(
      ranges.count == 1 && ranges.allSatisfy { $0.contains(": about 1000 rows") }, "\(page.explanation)")
    #expect(page.summaries.allSatisfy { $0.bounds != "50 ranges" || !$0.isExact })
    let before = many.counts
    _ = try Planner(source: many).plan(question(text, sort: sort, limit: 10))
    let ofPage = many.counts - before
    let count = try Planner(source: many).plan(question(text, isCount: true), exhaustive: true)
    let counted = count.summaries[count.chosen]
    #expect(counted.isExact && counted.cardinality == 1000 && count.path.countsByRanges)
    let exact = many.counts
    _ = try Planner(source: many).plan(question(text, limit: 10, isCount: true), exhaustive: true)
    #expect(ofPage < many.counts - exact)
  }

  /// For random questions: what a way of exact cardinality says is the number of messages that meet the condition, and
  /// the way that is taken is the cheapest one.
  @Test func waysAreCountedExactly() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(300) {
      let predicate = Self.predicate(&random)
      let isCount = random.oneIn(2)
      let question = try question(predicate, limit: isCount ? nil : 10, isCount: isCount)
      let plan = try plan(question, exhaustive: true)
      let expected = source.messages.count { Self.matches($0, question.condition, source) }
      for summary in plan.summaries where summary.isExact && summary.residual.isEmpty {
        #expect(summary.cardinality == expected, "\(predicate): \(summary.access) \(summary.bounds)")
      }
      let least = plan.summaries.map(\.cost).min() ?? 0
      // Two ways are taken without a look at the others: objects found by their identifiers, and a count of ranges.
      let isFound = if case .rows = plan.path.source { true } else { false }
      let isDirect = isFound || isCount && plan.path.countsByRanges
      #expect(plan.summaries[plan.chosen].cost == least || isDirect, "\(plan.explanation)")
    }
  }

  private static func predicate(_ random: inout SeededGenerator) -> String {
    func test(_ random: inout SeededGenerator) -> String {
      let number = random.below(1100)
      let user = random.pick(["ann", "bob", "cy", "nobody"])
      switch random.below(11) {
      case 9: return "receivedAt \(random.pick(["=", "!=", "<", "<=", ">", ">="])) sentAt"
      case 10: return "\(random.pick(["", "NOT "]))(isSent \(random.pick(["=", "!="])) isUnread)"
      case 0: return "isUnread = \(random.pick(["TRUE", "FALSE"]))"
      case 1: return "isSent = \(random.pick(["TRUE", "FALSE"]))"
      case 2: return "sender.userID = '\(user)'"
      case 3: return "sender.userID != '\(user)'"
      case 4: return "sender.userID IN {'ann', '\(user)'}"
      case 5: return "conversation.identifier = 'c\(random.below(11))'"
      case 6: return "position \(random.pick(["<", ">=", "="])) \(number)"
      case 7: return "identifier = 'm\(number)'"
      default: return random.pick(["position = NULL", "position != NULL"])
      }
    }
    let tests = (0...random.below(3)).map { _ in test(&random) }
    return tests.joined(separator: random.oneIn(4) ? " OR " : " AND ")
  }

  /// A date or a Boolean of a message; nil if it is missing.
  private static func number(_ property: ObjectProperty, of message: IndexedMessage) -> Int64? {
    switch property.field {
    case .sentAt: return message.fields.sentAt
    case .receivedAt: return message.fields.receivedAt
    case .isSent: return message.fields.isSent ? 1 : 0
    case .isUnread: return message.fields.isUnread ? 1 : 0
    default:
      Issue.record("\(property.path) is compared with another property, which the test does not know")
      return nil
    }
  }

  /// The condition, tested on one message in the plainest way.
  private static func matches(
    _ message: IndexedMessage, _ condition: Condition, _ source: ListedSource
  ) -> Bool {
    switch condition {
    case .always: return true
    case .never: return false
    case .all(let conditions): return conditions.allSatisfy { matches(message, $0, source) }
    case .any(let conditions): return conditions.contains { matches(message, $0, source) }
    case .elements:
      Issue.record("No question here asks of elements: \(condition)")
      return false
    case .pair(let pair):
      guard let left = number(pair.left, of: message), let right = number(pair.right, of: message) else {
        return pair.isNegated
      }
      let holds =
        switch pair.relation {
        case .equal: left == right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
      return holds != pair.isNegated
    case .test(let test):
      let path = test.property.path.joined(separator: ".")
      switch (path, test.values) {
      case ("isUnread", .integers(let set, _)): return set.contains(message.fields.isUnread ? 1 : 0)
      case ("isSent", .integers(let set, _)): return set.contains(message.fields.isSent ? 1 : 0)
      case ("sender.userID", .text(.ranges(let ranges), _)):
        return ranges.contains(Array((source.user(message.fields.sender) ?? "").utf8))
      case ("conversation.identifier", .text(.ranges(let ranges), _)):
        return ranges.contains(Array("c\(message.conversation)".utf8))
      case ("identifier", .text(.ranges(let ranges), _)):
        return ranges.contains(Array("m\(message.sequence)".utf8))
      case ("position", .integers(let set, let missing)):
        return message.fields.position.map { set.contains($0) } ?? missing
      default:
        Issue.record("\(path) is tested in a form that the test does not know: \(test.values)")
        return false
      }
    }
  }
}
