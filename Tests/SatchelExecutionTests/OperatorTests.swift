import Foundation
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// The operators of a plan, over a store: whatever the way, the rows are the same, in the same order, and a reader that
/// has enough gets no more.
@Suite final class OperatorTests {
  private let directory: String
  let store: Store

  /// Six hundred messages, of which some are unread, not sent, without a position, or have a picture. All have a place, and most a rank.
  init() throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("satchel-execution-\(UUID().uuidString)").path
    var options = Store.Options()
    options.create = true
    options.durability = .temporaryImport
    store = try Store.open(directory: directory, user: "ann", options: options)
    var random = SeededGenerator(seed: 7)
    try store.write { writer in
      for row in 0..<6 {
        _ = try writer.insertConversation(
          ConversationDraft(
            identifier: Conversation.ID("c\(row)"), participants: ["ann", ["bob", "cy"][row % 2]],
            metadata: ["room": .text("room \(row % 3)")]))
      }
      for number in 0..<600 {
        let isUnread = random.oneIn(5)
        var parts: [MessagePart.Draft] = [.text("text \(number % 40)")]
        if random.oneIn(6) { parts.append(.data([1, 2, 3], mimeType: "image/png")) }
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(number)"), sender: random.pick(["ann", "bob", "cy"]),
            position: random.oneIn(10) ? nil : Int64(number),
            sentAt: random.oneIn(8) ? nil : Timestamp(microseconds: Int64(random.below(300)) * 1_000_000),
            receivedAt: Timestamp(microseconds: Int64(number)), isSent: !random.oneIn(9),
            isUnread: isUnread, parts: parts, metadata: try Self.metadata(&random)),
          in: Conversation.ID("c\(random.below(6))"))
      }
    }
  }

  private static func metadata(_ random: inout SeededGenerator) throws -> Metadata {
    var metadata: Metadata = ["place": .text("place \(random.below(30))")]
    let rank: MetadataValue? =
      switch random.below(5) {
      case 0: nil
      case 1: .integer(Int64(random.below(9)))
      case 2: .boolean(random.oneIn(2))
      case 3: .number(Double(random.below(9)) / 2)
      default: .text("caf\u{65}\u{301} \(random.below(9))")
      }
    if let rank { try metadata.set(rank, at: "rank") }
    return metadata
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static let tests = [
    "isUnread = TRUE", "isSent = FALSE", "sender.userID = 'bob'", "sender.userID IN {'ann', 'cy'}",
    "conversation.identifier = 'c1'", "conversation.identifier IN {'c2', 'c3'}", "position < 300",
    "position = NULL", "sentAt > '1970-01-01T00:02:00Z'", "ANY parts.mimeType = 'image/png'",
    "conversation.metadata.room = 'room 1'", "identifier IN {'m1', 'm5', 'm77', 'm4000'}",
    "parts.text CONTAINS '3'",
  ]

  static let orders: [[SortKey]] = [
    [], [SortKey(["sentAt"], descending: true)], [SortKey(["position"])],
    [SortKey(["sender", "userID"]), SortKey(["sentAt"])], [SortKey(["receivedAt"], descending: true)],
    [SortKey(["metadata", "rank"])], [SortKey(["metadata", "rank"], descending: true)],
    [SortKey(["metadata", "place"])], [SortKey(["metadata", "place"], descending: true)],
  ]

  func rows(_ plan: Plan, _ executor: Executor) throws -> [RowReference] {
    var rows: [RowReference] = []
    try executor.forEach(plan) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// The ways that the random questions have to meet.
  private static let wanted: Set = [
    "scan in order", "scan merged", "scan sorted", "identifiers in order", "intersection in order",
    "union in order", "text scan in order", "values and the others in order",
  ]

  @Test func everyWayGivesTheSameRows() throws {
    var random = SeededGenerator()
    var met: Set<String> = []
    try store.read { snapshot in
      let executor = Executor(snapshot)
      // Chance alone does not meet each way within a number of rounds: it goes on until it has.
      let rounds = TestEnvironment.rounds(150)
      var round = 0
      while round < rounds || round < 20 * rounds && !met.isSuperset(of: Self.wanted) {
        round += 1
        let tests = (0..<1 + random.below(3)).map { _ in random.pick(Self.tests) }
        let text = tests.joined(separator: random.oneIn(3) ? " OR " : " AND ")
        let query = QueryDescription(
          kind: .messages, predicate: try QueryPredicate(format: text), sort: random.pick(Self.orders),
          limit: random.oneIn(3) ? 1 + random.below(30) : nil, offset: random.oneIn(3) ? random.below(40) : 0)
        let plan = try executor.plan(executor.question(query), exhaustive: true)
        let expected = try rows(plan.choosing(0), executor)
        var unlimited = query
        unlimited.limit = nil
        unlimited.offset = 0
        let all = try rows(executor.plan(executor.question(unlimited)), executor)
        #expect(
          Array(all.dropFirst(query.offset).prefix(query.limit ?? .max)) == expected, "\(query)")
        for (place, path) in plan.paths.enumerated() {
          let other = plan.choosing(place)
          met.insert(Self.name(path))
          #expect(try rows(other, executor) == expected, "\(query): path \(place) of \(plan.explanation)")
          #expect(try executor.count(other) == expected.count, "\(query)")
          // Who wants three rows gets three.
          var given: [RowReference] = []
          try executor.forEach(other) { row in
            given.append(row)
            return given.count < 3
          }
          #expect(given == Array(expected.prefix(3)), "\(query)")
        }
      }
    }
    #expect(met.isSuperset(of: Self.wanted), "not met: \(Self.wanted.subtracting(met)); met: \(met)")
  }

  /// The greatest values of metadata are read from their index, whether all messages have one or not.
  @Test(arguments: ["rank", "place"]) func theFirstOfAnOrderAreReadAlone(_ name: String) throws {
    try store.read { snapshot in
      let executor = Executor(snapshot)
      let query = QueryDescription(
        kind: .messages, predicate: .true, sort: [SortKey(["metadata", name], descending: true)], limit: 5)
      let plan = try executor.plan(executor.question(query))
      #expect(try rows(plan, executor).count == 5)
      #expect(snapshot.metrics.recordsRead == 0, "\(plan.explanation)")
    }
  }

  /// Parts come in the order of their messages, forwards and backwards, and each once.
  @Test func partsFollowTheirMessages() throws {
    try store.read { snapshot in
      let executor = Executor(snapshot)
      for text in [
        "message.isUnread = TRUE", "message.sender.userID = 'bob' AND mimeType = 'image/png'",
        "mimeType = 'text/plain' AND message.conversation.identifier = 'c2'", "size > 6",
      ] {
        for isDescending in [false, true] {
          let query = QueryDescription(
            kind: .parts, predicate: try QueryPredicate(format: text),
            sort: [SortKey(["message", "sentAt"], descending: isDescending)])
          let plan = try executor.plan(executor.question(query), exhaustive: true)
          let expected = try rows(plan.choosing(0), executor)
          #expect(!expected.isEmpty && Set(expected).count == expected.count, "\(query)")
          for place in plan.paths.indices {
            #expect(try rows(plan.choosing(place), executor) == expected, "\(plan.explanation)")
          }
        }
      }
    }
  }

  /// Any range of an order is that range of all rows, and any point of it divides them.
  @Test func rangesOfAnOrder() throws {
    var random = SeededGenerator()
    try store.read { snapshot in
      let executor = Executor(snapshot)
      for sort in Self.orders {
        for text in ["TRUEPREDICATE", "isUnread = TRUE", "sender.userID IN {'ann', 'bob'}"] {
          let query = QueryDescription(
            kind: .messages, predicate: try QueryPredicate(format: text), sort: sort)
          let question = try executor.question(query)
          let plan = try executor.plan(question)
          let all = try rows(plan, executor)
          let sorted = try executor.results(question)
          #expect(sorted.map(\.reference) == all, "\(query)")
          for _ in 0..<10 {
            let first = random.below(all.count)
            let last = first + random.below(all.count - first)
            #expect(try executor.rows(plan, in: first..<last) == Array(all[first..<last]), "\(query)")
            #expect(try executor.count(plan, from: .at(sorted[first])) == all.count - first, "\(query)")
            #expect(
              try executor.rows(plan, from: .behind(sorted[first]), limit: 5)
                == Array(all[(first + 1)...].prefix(5)), "\(query)")
          }
        }
      }
    }
  }

  static func name(_ path: AccessPath) -> String {
    let source =
      switch path.source {
      case .scan: "scan"
      case .textScan: "text scan"
      case .search: "search"
      case .rows: "identifiers"
      case .intersection: "intersection"
      case .union: "union"
      case .parts: "parts"
      case .byValue: "values and the others"
      }
    let order =
      switch path.ordering {
      case .index: "in order"
      case .merge: "merged"
      case .sort: "sorted"
      }
    return source + " " + order
  }
}
