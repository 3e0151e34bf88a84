import SatchelModel
import SatchelPlanning
import SatchelReading

/// The complete declared indexes of a snapshot, as the planner sees them.
final class PlannedIndexes: Sendable {
  let ofKinds: [ObjectKind: [DeclaredIndex]]

  init(_ snapshot: Snapshot) throws {
    var found: [ObjectKind: [DeclaredIndex]] = [:]
    for record in try snapshot.declaredIndexes() where record.entry.state == .complete {
      // One that a later version has declared, and this one cannot read, answers nothing.
      guard let index = try? DeclaredIndex(record.definition, id: record.id, user: snapshot.user) else {
        continue
      }
      found[index.kind, default: []].append(index)
    }
    ofKinds = found
  }
}
