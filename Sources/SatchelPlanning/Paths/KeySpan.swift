package import RankedKeys

/// A run of an index: the keys whose leading columns lie between two lists of words, both included.
package struct KeySpan: Hashable, Sendable {
  package var lower: [UInt64]
  package var upper: [UInt64]

  package init(lower: [UInt64], upper: [UInt64]) {
    self.lower = lower
    self.upper = upper
  }

  package init(point words: [UInt64]) { self.init(lower: words, upper: words) }

  /// Every key.
  package static let all = KeySpan(lower: [], upper: [])

  /// True if the span fixes each of its columns to one value.
  package var isPoint: Bool { lower == upper }

  /// Returns the span narrowed by the words that a further segment allows. Only a point can be narrowed.
  package func appending(_ next: KeySpan) -> KeySpan {
    if lower.isEmpty, upper.isEmpty { return next }
    return KeySpan(lower: lower + next.lower, upper: upper + next.upper)
  }

  /// The span as a range between two bounds in an index.
  package var range: KeyRange {
    KeyRange(
      lower: lower.isEmpty ? .start : .before(words(lower), columns: lower.count),
      upper: upper.isEmpty ? .end : .after(words(upper), columns: upper.count))
  }

  private func words(_ list: [UInt64]) -> Words {
    var words = Words(repeating: 0)
    for (index, word) in list.enumerated() { words[index] = word }
    return words
  }
}
