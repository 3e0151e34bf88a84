/// A position between the entries of a tree: before the first or after the last entry whose key begins with a prefix.
///
/// With no columns, `before` is the start of the tree and `after` its end.
package struct Bound: Sendable, Hashable {
  /// The prefix; the words from `columns` on are 0.
  package let words: Words
  /// How many leading key columns are compared.
  package let columns: Int
  /// Whether the position is after the entries with the prefix.
  package let isAfter: Bool

  init(words: Words, columns: Int, isAfter: Bool) {
    precondition(columns >= 0 && columns <= Words.count)
    self.words = words.prefix(columns)
    self.columns = columns
    self.isAfter = isAfter
  }

  /// Before every entry.
  package static var start: Bound { Bound(words: Words(), columns: 0, isAfter: false) }

  /// After every entry.
  package static var end: Bound { Bound(words: Words(), columns: 0, isAfter: true) }

  /// Before the entries whose first `columns` words are these, or where they would be.
  package static func before(_ words: Words, columns: Int) -> Bound {
    Bound(words: words, columns: columns, isAfter: false)
  }

  /// After the entries whose first `columns` words are these, or where they would be.
  package static func after(_ words: Words, columns: Int) -> Bound {
    Bound(words: words, columns: columns, isAfter: true)
  }

  /// Whether an entry with this key stands before the position.
  package func isPast(_ key: Words) -> Bool {
    let order = key.compare(words, columns: columns)
    return order < 0 || order == 0 && isAfter
  }
}

/// The entries between two positions; none when the lower one is not before the upper one.
package struct KeyRange: Sendable, Hashable {
  package var lower: Bound
  package var upper: Bound

  package init(lower: Bound, upper: Bound) {
    self.lower = lower
    self.upper = upper
  }

  /// Every entry.
  package static var all: KeyRange { KeyRange(lower: .start, upper: .end) }

  /// The entries whose first `columns` words are these.
  package static func prefix(_ words: Words, columns: Int) -> KeyRange {
    KeyRange(lower: .before(words, columns: columns), upper: .after(words, columns: columns))
  }

  /// Whether an entry with this key is in the range.
  package func contains(_ key: Words) -> Bool {
    upper.isPast(key) && !lower.isPast(key)
  }
}
