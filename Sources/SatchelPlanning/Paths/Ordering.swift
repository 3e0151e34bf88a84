import SatchelQuery

/// How the rows of a path get into the order that the query asks for.
package enum Ordering: Hashable, Sendable {
  /// The rows come in that order as they are read: forwards, or backwards if `descending`.
  case index(descending: Bool)
  /// Several runs of the index each have their rows in that order; the runs are merged.
  case merge(descending: Bool)
  /// The rows are sorted. With a limit, no more than limit + offset rows are held.
  case sort
}

extension Ordering {
  /// True if the rows come in order as they are read, without a merge or sort.
  package var isIndex: Bool { if case .index = self { true } else { false } }

  /// The order from its end.
  package var reversed: Ordering {
    switch self {
    case .index(let descending): .index(descending: !descending)
    case .merge(let descending): .merge(descending: !descending)
    case .sort: .sort
    }
  }
}
