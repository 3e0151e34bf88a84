import SatchelCoding
package import SatchelModel
package import SatchelPlanning
package import SatchelReading

/// The complete declared indexes of a snapshot, as the planner sees them.
package final class PlannedIndexes: Sendable {
  private let ofKinds: [IndexedKind: [DeclaredIndex]]

  /// Returns those of a snapshot, which are found once.
  package static func of(_ snapshot: Snapshot) throws -> PlannedIndexes {
    if let planned = snapshot.plannedIndexes as? PlannedIndexes { return planned }
    let planned = try PlannedIndexes(snapshot)
    snapshot.plannedIndexes = planned
    return planned
  }

  private init(_ snapshot: Snapshot) throws {
    var found: [IndexedKind: [DeclaredIndex]] = [:]
    for record in try snapshot.declaredIndexes() where record.entry.state == .complete {
      guard let kind = record.kind else { continue }
      // One that a later version has declared, and this one cannot read, answers nothing.
      guard let index = try? DeclaredIndex(record.definition, id: record.id, user: snapshot.user) else {
        continue
      }
      found[kind, default: []].append(index)
    }
    ofKinds = found
  }

  /// Returns those that a question may be answered by, in the order of their declarations.
  /// - Parameter recordType: The number of the type whose records are asked for; 0 of other kinds.
  package func indexes(of kind: ObjectKind, recordType: UInt32) -> [DeclaredIndex] {
    ofKinds[IndexedKind(AggregateEntry.Kind(kind), recordType: recordType)] ?? []
  }
}
