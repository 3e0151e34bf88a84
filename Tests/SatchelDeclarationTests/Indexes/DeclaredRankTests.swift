import Foundation
import Satchel
import TestSupport
import Testing

/// Where objects are in the order of a declared index, and what lies before and after them.
@Suite struct DeclaredRankTests {
  private static let tickets = Message.filter { $0.metadata.kind == "ticket" }
  private static let ordered = tickets.order { ($0.metadata.priority.descending, $0.sentAt) }

  @Test func theRankOfEachObjectIsItsPlace() throws {
    let store = try DeclaredIndexTests.store()
    try store.declare(DeclaredIndexTests.tickets)
    for query in [Self.ordered, Self.tickets.order { ($0.metadata.priority, $0.sentAt.descending) }] {
      let all = try store.fetch(query).map(\.id)
      #expect(all.count == 150)
      for (rank, id) in all.enumerated() {
        #expect(try store.rank(of: id, in: query) == rank)
        #expect(try store.count(query.after(id)) == all.count - rank - 1)
        #expect(try store.count(query.before(id)) == rank)
      }
      for rank in stride(from: 0, to: all.count, by: 13) {
        let id = all[rank]
        #expect(
          try store.fetch(query.after(id).limit(5)).map(\.id) == Array(all.dropFirst(rank + 1).prefix(5)))
        #expect(try store.fetch(query.before(id).limit(5)).map(\.id) == Array(all.prefix(rank).suffix(5)))
        let page = try store.page(query.around(id, before: 4, after: 4))
        #expect(page.objects.map(\.id) == Array(all[max(0, rank - 4)..<min(all.count, rank + 5)]))
      }
      #expect(try store.rank(of: "m1", in: query) == nil)
    }
  }

  @Test func aRankReadsNoOtherRecord() throws {
    let store = try DeclaredIndexTests.store(tickets: 0)
    try store.declare(DeclaredIndexTests.tickets)
    try store.write { tx in for number in 0..<3000 { try DeclaredIndexTests.receive(number, tx) } }
    let id = try #require(try store.fetch(Self.ordered.limit(1).offset(1200)).first?.id)
    let (rank, records, nodes) = try store.read { snapshot in
      let before = (snapshot.base.metrics.recordsRead, snapshot.base.forest.metrics.nodesRead)
      let rank = try snapshot.rank(of: id, in: Self.ordered)
      return (
        rank, snapshot.base.metrics.recordsRead - before.0, snapshot.base.forest.metrics.nodesRead - before.1
      )
    }
    #expect(rank == 1200)
    #expect(records <= 4)
    #expect(nodes <= 40)
  }

  /// The same with the index as without: also from objects that are no results, and around dates.
  @Test func stretchesAreTheSameWithoutTheIndex() throws {
    let store = try DeclaredIndexTests.store()
    let urgent = Message.filter { $0.metadata.kind == "ticket" && $0.metadata.priority.number == 4 }
    let date = Date(timeIntervalSince1970: 49)
    let queries = [
      Self.ordered.after("m1"), Self.ordered.before("m1").limit(7), Self.ordered.after("m3").limit(9),
      urgent.order { $0.sentAt }.after("m1"), urgent.order { $0.sentAt.descending }.after("m7"),
      urgent.order { ($0.sentAt, $0.metadata.priority) }.after("m9"),
      urgent.order { ($0.metadata.priority, $0.sentAt) }.after("m9"),
      urgent.order { ($0.metadata.priority.descending, $0.sentAt) }.before("m11"),
      urgent.order { $0.sentAt }.around(date, before: 5, after: 5),
      urgent.order { $0.sentAt.descending }.around(date, before: 5, after: 5),
    ]
    func answers() throws -> [[Message.ID]] { try queries.map { try store.fetch($0).map(\.id) } }
    func places() throws -> [Int] { try queries.map { try store.page($0).rowsBefore } }
    let (expected, expectedPlaces) = (try answers(), try places())
    try store.declare(DeclaredIndexTests.tickets)
    #expect(try answers() == expected)
    #expect(try places() == expectedPlaces)
    #expect(expected.allSatisfy { !$0.isEmpty })
  }

  /// Lists come behind all texts, also among the objects that have one text in common.
  @Test func whoHasATextAloneComesBeforeWhoHasItInAList() throws {
    let store = try DeclaredIndexTests.store(tickets: 12)
    try store.write { tx in
      for number in 12..<18 {
        try tx.receive(
          [.text("x")], in: "a", from: "bob", id: Message.ID("m\(number)"), metadata: ["tags": "t1"])
      }
    }
    let query = Message.filter { $0.metadata.tags.contains("t1") }.order { ($0.metadata.tags, $0.sentAt) }
    let expected = try store.fetch(query).map(\.id)
    #expect(expected.count == 9)
    try store.declare(Index(named: "tags", on: Message.self) { [$0.metadata.tags.list, $0.sentAt] })
    #expect(try store.fetch(query).map(\.id) == expected)
    for (rank, id) in expected.enumerated() { #expect(try store.rank(of: id, in: query) == rank) }
  }
}
