import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The references that the planning of one question has found. A path through several fields asks for the same ones again.
struct PlannedReferences {
  struct Sought: Hashable {
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

  /// Whether nothing is known.
  var isEmpty: Bool { found.isEmpty }
}
