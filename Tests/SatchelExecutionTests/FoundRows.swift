import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Returns the rows that a query of a kind's objects gives, by the path that the planner chooses.
func foundRows(
  _ text: String, _ kind: ObjectKind = .messages, in snapshot: Snapshot
) throws -> Set<RowReference> {
  let executor = Executor(snapshot)
  let description = QueryDescription(kind: kind, predicate: try QueryPredicate(format: text, arguments: []))
  var rows: Set<RowReference> = []
  try executor.forEach(executor.plan(executor.question(description))) { row in
    rows.insert(row)
    return true
  }
  return rows
}
