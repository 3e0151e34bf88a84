import Satchel
import SatchelExecution
import SatchelPlanning
import TestSupport
import Testing

/// How queries are answered: every path that the planner considers, with its exact cardinality and cost, and the one
/// that it takes. `SATCHEL_REWRITE=1` writes the plans of the commands in `plans.golden` anew, and fails.
struct PlanTests {
  @Test func plansAreTheExpectedOnes() throws {
    let golden = GoldenFile("plans.golden", besideFolderOf: #filePath)
    let script = try PlanScript(golden.read())
    #expect(script.commands.count >= 30)
    let chat = try GeneratedStore(messages: 2000, seed: 1)
    let found = try chat.store.read { snapshot in
      try script.run { command in
        let query = try command.query
        let explanation = try snapshot.explain(query, as: command.type)
        let found = try Self.count(query, snapshot)
        for path in explanation.paths where path.isExact && path.residual.isEmpty && query.anchor == nil {
          #expect(path.cardinality == found, "\(query): \(path.index) \(path.bounds)")
        }
        return explanation.description + "\nresults: \(found)"
      }
    }
    if let complaint = try golden.complaint(about: found) { Issue.record("\(complaint)") }
  }

  /// How many objects meet a query's predicate, by testing every one.
  private static func count(_ query: QueryDescription, _ snapshot: StoreSnapshot) throws -> Int {
    let all = QueryDescription(kind: query.kind, predicate: query.predicate)
    let plan = try snapshot.executor.plan(
      snapshot.executor.question(all, isCount: true), exhaustive: true)
    return try snapshot.executor.count(plan.choosing(0))
  }
}
