import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// The references that the planning of one question has found. A path through several fields asks for the same ones again.
struct PlannedReferences: Sendable {
  struct Sought: Hashable, Sendable {
    let step: ReferenceStep
    let condition: Condition
  }

  private var found: [Sought: (limit: Int, references: FoundReferences)] = [:]

  /// What is known of some objects, of which at most `limit` are wanted; nil if nothing is.
  subscript(sought: Sought, limit limit: Int) -> FoundReferences? {
    get {
      guard let known = found[sought] else { return nil }
      switch known.references {
      case .all(let references): return references.count <= limit ? known.references : .unknown(share: nil)
      case .unknown: return known.limit >= limit ? known.references : nil
      }
    }
    set { found[sought] = newValue.map { (limit, $0) } }
  }

  /// Of how many conditions something is known.
  var count: Int { found.count }
}

/// The references that earlier questions have found by records alone. They are right as long as no record has changed: see
/// `Snapshot.keptReferences`.
final class KeptReferences: Sendable {
  let references: PlannedReferences

  init(_ references: PlannedReferences) { self.references = references }

  /// The most conditions of which something is kept.
  static let most = 16
}

extension PlannedReferences.Sought {
  /// Whether what is found depends on nothing but records: those that are referred to, or those of what conversations are to the store's
  /// user.
  var isOfRecords: Bool {
    let tests = condition.tests
    return step.kind == .records && !tests.isEmpty && condition.pairs.isEmpty
      && tests.allSatisfy {
        guard $0.property.relations.isEmpty, case .recordValue = $0.property.field else { return false }
        return true
      }
  }
}
