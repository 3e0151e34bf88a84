import Satchel
import SatchelLive
import Testing

/// What one message costs a live list, by how many there are already: counted, not timed.
@Suite struct CatchUpCostTests {
  private static let sizes = [1000, 10_000, 100_000]

  private struct Case: Sendable {
    let predicate: String
    let sort: String
  }

  /// The records that may be read: those of the message and its conversation, for the indexes, the condition, the order
  /// and the row; none of them more often than a few times.
  private static let records = 10

  private static let cases = [
    Case(predicate: "TRUEPREDICATE", sort: "-sentAt"),
    Case(predicate: "conversation = 'c0'", sort: "-position"),
    Case(predicate: "sender.userID = 'bob'", sort: "-sentAt"),
    Case(predicate: "isUnread = TRUE", sort: "sentAt"),
    // Nobody asks an index: all results are held, and none of them is read again.
    Case(predicate: "TRUEPREDICATE", sort: "-metadata.title"),
  ]

  @Test func oneMessageCostsNoMoreInALargerStore() throws {
    var costs: [[CatchUpCost]] = []
    for size in Self.sizes { costs.append(try Self.costs(ofOneMessageAmong: size)) }
    for (number, ofCase) in Self.cases.enumerated() {
      let found = costs.map { $0[number] }
      // A row that is in no tree yet is looked for in the tree as well: a descent more.
      #expect(found[2].nodesRead <= 2 * max(found[0].nodesRead, 4), "\(ofCase): \(found)")
      for cost in found { #expect(cost.recordsRead <= Self.records, "\(ofCase): \(found)") }
      #expect(found.contains { $0.recordsRead > 0 }, "\(ofCase)")
    }
  }

  private static func costs(ofOneMessageAmong size: Int) throws -> [CatchUpCost] {
    let scratch = try Scratch()
    let store = scratch.store
    try store.write { transaction in
      for number in 0..<10 {
        try transaction.createConversation(with: ["bob"], id: Conversation.ID("c\(number)"))
      }
    }
    for start in stride(from: 0, to: size, by: 10_000) {
      try store.write { transaction in
        for number in start..<min(size, start + 10_000) { try receive(number, transaction) }
      }
    }
    var costs: [CatchUpCost] = []
    for (number, ofCase) in cases.enumerated() {
      // One query at a time, so that the cost is its own.
      let feed = LiveFeed(store.base, followsCommits: false)
      let query = QueryDescription(
        kind: .messages, predicate: try QueryPredicate(format: ofCase.predicate),
        sort: [try SortKey(ofCase.sort)])
      let question = LiveQuestion(specification: .init(query: query, window: .first(25)))
      let live = LiveQuery(question.source, feed: feed)
      try live.load(question.specification)
      let total = live.list?.total ?? 0
      try store.write { try receive((size + number) * 10, $0) }
      feed.catchUp()
      #expect(live.list?.total == total + 1)
      costs.append(feed.cost)
    }
    return costs
  }

  private static func receive(_ number: Int, _ transaction: WriteTransaction) throws {
    try transaction.receive(
      [.text("a")], in: Conversation.ID("c\(number % 10)"), from: "bob", position: Int64(number),
      sentAt: Pools.date(1).addingTimeInterval(Double(number)), receivedAt: Pools.date(1),
      metadata: ["title": "a"])
  }
}
