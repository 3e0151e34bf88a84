import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelStorage
import TestSupport
import Testing

// Lists that go on from an object.
extension OperatorTests {
  /// Whatever the way, the rows behind an object and those before it are the same, whether it is a result or not, and whether it has a
  /// value or not; so is their number.
  @Test func everyWayGoesOnFromAnObject() throws {
    var random = SeededGenerator()
    let tests = [
      "TRUEPREDICATE", "isUnread = TRUE", "metadata.rank > 2", "metadata.rank >= 'caf'",
      "metadata.rank != nil",
      "metadata.rank = 3", "metadata.rank IN {1, 4, 2.5}", "metadata.place = 'place 3'",
      "metadata.place BEGINSWITH 'place 1'", "metadata.place > 'place 2' AND metadata.rank = nil",
      "metadata.place BETWEEN {'place 1', 'place 20'}", "metadata.rank != 3",
    ]
    var met: Set<String> = []
    try store.read { snapshot in
      let executor = Executor(snapshot)
      for text in tests {
        for sort in Self.orders.filter({ $0.isEmpty || $0[0].path[0] == "metadata" }) {
          var query = QueryDescription(
            kind: .messages, predicate: try QueryPredicate(format: text), sort: sort)
          let list = try rows(executor.plan(executor.question(query)), executor)
          query.predicate = .true
          let everything = try rows(executor.plan(executor.question(query)), executor)
          query.predicate = try QueryPredicate(format: text)
          for _ in 0..<8 {
            let place = random.below(everything.count)
            let anchor = try executor.identifier(of: everything[place], .messages)
            let (before, after) = (Set(everything[..<place]), Set(everything[(place + 1)...]))
            query.limit = random.oneIn(2) ? 1 + random.below(9) : nil
            query.offset = random.oneIn(2) ? random.below(5) : 0
            let later = list.filter(after.contains).dropFirst(query.offset).prefix(query.limit ?? .max)
            let earlier = list.filter(before.contains).dropLast(query.offset).suffix(query.limit ?? .max)
            for (expected, anchor) in [(later, QueryAnchor.after(anchor)), (earlier, .before(anchor))] {
              query.anchor = anchor
              let plan = try executor.plan(executor.question(query), exhaustive: true)
              for path in plan.paths.indices {
                let other = plan.choosing(path)
                met.insert(Self.name(other.path))
                #expect(
                  try rows(other, executor) == Array(expected),
                  "\(query): path \(path) of \(plan.explanation)")
                #expect(try executor.count(other) == expected.count, "\(query): \(plan.explanation)")
              }
            }
            query.anchor = nil
          }
        }
      }
    }
    #expect(met.isSuperset(of: ["text scan in order", "text scan sorted", "values and the others in order"]))
  }

  /// A page behind an object, or before it, begins at it in the index of the values: nothing before it is read.
  @Test(arguments: [
    "TRUEPREDICATE", "metadata.place != nil", "metadata.place = 'place 3'", "metadata.rank > 1",
  ])
  func aPageBehindAnObjectIsReadAlone(_ text: String) throws {
    for sort in [[], ["metadata.rank"], ["-metadata.rank"], ["metadata.place"], ["-metadata.place"]] {
      try store.read { snapshot in
        let executor = Executor(snapshot)
        var query = QueryDescription(
          kind: .messages, predicate: try QueryPredicate(format: text),
          sort: try sort.map { try SortKey($0) },
          limit: 3)
        query.offset = 5
        let plan = try executor.plan(executor.question(query))
        let anchor = try #require(try rows(plan, executor).first)
        query.offset = 0
        for isBefore in [false, true] {
          let identifier = try executor.identifier(of: anchor, .messages)
          query.anchor = isBefore ? .before(identifier) : .after(identifier)
          let plan = try executor.plan(executor.question(query))
          guard plan.path.ordering.isIndex else { continue }
          let read = snapshot.forest.metrics.entriesRead
          let records = snapshot.metrics.recordsRead
          #expect(try 1...3 ~= rows(plan, executor).count)
          #expect(snapshot.forest.metrics.entriesRead - read < 200, "\(plan.explanation)")
          #expect(snapshot.metrics.recordsRead - records < 60, "\(plan.explanation)")
        }
      }
    }
  }
}
