/// A boundary between entries of a tree: before the first or after the last entry whose key begins with a prefix.
///
/// With no columns, `before` is the start of the tree and `after` its end.
package struct Bound: Sendable, Hashable {
  /// The prefix; the words from `columns` on are 0.
  package let words: Words
  /// How many leading key columns are compared.
  package let columns: Int
  /// Whether the boundary is after the entries with the prefix.
  package let isAfter: Bool

  @inlinable
  init(words: Words, columns: Int, isAfter: Bool) {
    precondition(columns >= 0 && columns <= Words.count)
    self.words = words.prefix(columns)
    self.columns = columns
    self.isAfter = isAfter
  }

  /// The boundary before every entry.
  @inlinable package static var start: Bound { Bound(words: Words(), columns: 0, isAfter: false) }

  /// The boundary after every entry.
  @inlinable package static var end: Bound { Bound(words: Words(), columns: 0, isAfter: true) }

  /// Returns the boundary before the entries whose first `columns` words are these, or where such entries would be.
  @inlinable package static func before(_ words: Words, columns: Int) -> Bound {
    Bound(words: words, columns: columns, isAfter: false)
  }

  /// Returns the boundary after the entries whose first `columns` words are these, or where such entries would be.
  @inlinable package static func after(_ words: Words, columns: Int) -> Bound {
    Bound(words: words, columns: columns, isAfter: true)
  }

  /// Whether an entry with this key comes before the boundary.
  @inlinable package func isPast(_ key: Words) -> Bool {
    let order = key.compare(words, columns: columns)
    return order < 0 || order == 0 && isAfter
  }
}

/// The entries between two boundaries; none if the lower boundary is not before the upper one.
package struct KeyRange: Sendable, Hashable {
  package var lower: Bound
  package var upper: Bound

  @inlinable package init(lower: Bound, upper: Bound) {
    self.lower = lower
    self.upper = upper
  }

  /// Every entry.
  @inlinable package static var all: KeyRange { KeyRange(lower: .start, upper: .end) }

  /// Returns the range of the entries whose first `columns` words are these.
  @inlinable package static func prefix(_ words: Words, columns: Int) -> KeyRange {
    KeyRange(lower: .before(words, columns: columns), upper: .after(words, columns: columns))
  }

  /// Whether an entry with this key is in the range.
  @inlinable package func contains(_ key: Words) -> Bool {
    upper.isPast(key) && !lower.isPast(key)
  }
}
