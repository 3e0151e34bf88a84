import Satchel
import SatchelExecution
import SatchelLive
import SatchelPlanning
import TestSupport
import Testing

/// Rows that come and go one by one, against an array that is sorted anew.
@Suite struct OrderedRowsTests {
  @Test func rowsComeAndGoInOrder() throws {
    let seed = TestEnvironment.seed(for: "ordered rows")
    var random = SeededGenerator(seed: seed)
    let scratch = try Scratch()
    try scratch.store.write { transaction in
      let id = try transaction.createConversation(with: ["bob"]).id
      for number in 0..<1800 {
        try transaction.receive([], in: id, from: "bob", position: Int64(number * 7 % 300))
      }
    }
    let query = QueryDescription(kind: .messages, sort: [try SortKey("-position")])
    let (all, order) = try scratch.store.read { snapshot in
      let question = try snapshot.executor.question(query)
      return (try snapshot.executor.results(question), RowOrder(question))
    }
    var rows = OrderedRows(Array(all.prefix(900)), order: order)
    var held = Set(0..<900)
    for step in 0..<6000 {
      let place = random.below(all.count)
      // Mostly growing, then mostly shrinking.
      let isComing = step < 3000 ? random.percent(70) : random.percent(20)
      if isComing, held.insert(place).inserted { rows.insert(all[place]) }
      if !isComing {
        held.remove(place)
        rows.remove(all[place])
      }
      guard step % 50 == 0 else { continue }
      let sorted = held.sorted()
      #expect(rows.count == sorted.count)
      let first = random.below(sorted.count + 1)
      let places = first..<min(sorted.count, first + random.below(700))
      #expect(rows.references(in: places) == sorted[places].map { all[$0].reference })
      let row = random.below(all.count)
      #expect(rows.rank(of: all[row]) == sorted.count { $0 < row })
    }
  }

  @Test func nothingIsInOrder() throws {
    let scratch = try Scratch()
    let order = try scratch.store.read {
      RowOrder(try $0.executor.question(QueryDescription(kind: .messages)))
    }
    let rows = OrderedRows([], order: order)
    #expect(rows.count == 0 && rows.references(in: 0..<0).isEmpty)
    #expect(rows.rank { _ in true } == 0)
  }
}
