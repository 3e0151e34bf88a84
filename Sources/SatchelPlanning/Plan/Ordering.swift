import SatchelQuery

/// How the rows of a path come in the order that the query asks for.
package enum Ordering: Hashable, Sendable {
  /// The index has them in that order, or in its reverse.
  case index(descending: Bool)
  /// Several runs of the index have them in that order each; they are merged.
  case merge(descending: Bool)
  /// They are sorted; with a limit, only that many are held.
  case sort
}

extension Ordering {
  /// True when the rows come in order as they are read.
  package var isIndex: Bool { if case .index = self { true } else { false } }
}
