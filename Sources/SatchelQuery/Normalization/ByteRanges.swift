import SatchelText

/// A range of byte strings in lexicographic order of unsigned bytes, which is the order of UTF-8 text.
package struct ByteRange: Hashable, Sendable {
  /// The least byte string of the range.
  package let lower: [UInt8]
  /// The least byte string after the range; nil if the range has no end.
  package let upper: [UInt8]?

  package init(lower: [UInt8], upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  /// Creates the range of a single byte string: `[x, x + a zero byte)`.
  package init(point: [UInt8]) {
    lower = point
    var end: [UInt8] = []
    end.reserveCapacity(point.count + 1)
    end.append(contentsOf: point)
    end.append(0)
    upper = end
  }

  /// The only byte string of the range, `[x, x + a zero byte)`; nil if the range has others.
  package var point: [UInt8]? {
    guard let upper, upper.count == lower.count + 1, upper.last == 0, upper.starts(with: lower) else {
      return nil
    }
    return lower
  }

  /// Whether another range has no end before this one's.
  func ends(noLaterThan other: ByteRange) -> Bool {
    guard let end = other.upper else { return true }
    return upper.map { !ByteOrder.isLess(end, $0) } ?? false
  }
}

/// A set of byte strings. It is stored as ascending ranges that neither overlap nor touch, so that equal sets are
/// equal values.
package struct ByteRanges: Hashable, Sendable {
  /// The ranges, ascending.
  package let ranges: [ByteRange]

  private init(sorted ranges: [ByteRange]) { self.ranges = ranges }

  /// The empty set.
  package static let empty = ByteRanges(sorted: [])
  /// The set of every byte string.
  package static let all = ByteRanges(sorted: [ByteRange(lower: [], upper: nil)])

  /// Creates a set from any ranges, in any order; ranges may be empty.
  /// - Complexity: O(n log n) comparisons.
  package init(_ any: [ByteRange]) {
    var result: [ByteRange] = []
    result.reserveCapacity(any.count)
    for range in any.sorted(by: { ByteOrder.isLess($0.lower, $1.lower) }) {
      if let upper = range.upper, !ByteOrder.isLess(range.lower, upper) { continue }
      if let last = result.last, last.upper.map({ !ByteOrder.isLess($0, range.lower) }) ?? true {
        let upper = ByteOrder.laterEnd(last.upper, range.upper)
        result[result.count - 1] = ByteRange(lower: last.lower, upper: upper)
      } else {
        result.append(range)
      }
    }
    ranges = result
  }

  /// Creates a set of single byte strings.
  package init(points: [[UInt8]]) {
    self.init(points.map { ByteRange(point: $0) })
  }

  /// Creates a set of one byte string.
  package init(point: [UInt8]) { self.init(sorted: [ByteRange(point: point)]) }

  /// Creates the set of the byte strings from `lower`, included, to `upper`, excluded.
  package init(from lower: [UInt8] = [], upTo upper: [UInt8]) {
    self.init([ByteRange(lower: lower, upper: upper)])
  }

  /// Creates the set of the byte strings from `lower` on, included.
  package init(from lower: [UInt8]) { self.init([ByteRange(lower: lower, upper: nil)]) }

  /// Creates the set of the byte strings that begin with `prefix`.
  package init(prefix: [UInt8]) {
    // The end is the prefix up to its last byte that is not 0xFF, with that byte incremented.
    var end = prefix
    while end.last == 0xFF { end.removeLast() }
    if let last = end.popLast() { end.append(last + 1) }
    self.init([ByteRange(lower: prefix, upper: end.isEmpty ? nil : end)])
  }

  package var isEmpty: Bool { ranges.isEmpty }
  package var isAll: Bool { ranges.count == 1 && ranges[0].lower.isEmpty && ranges[0].upper == nil }

  /// The byte strings in ascending order; nil unless every range holds a single one.
  package var points: [[UInt8]]? {
    var result: [[UInt8]] = []
    result.reserveCapacity(ranges.count)
    for range in ranges {
      guard let point = range.point else { return nil }
      result.append(point)
    }
    return result
  }

  /// Whether the set contains a byte string.
  /// - Complexity: O(log n) comparisons.
  package func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // The last range that begins at or before the bytes is the only one that can hold them.
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if unsafe ByteOrder.compare(ranges[middle].lower, bytes) <= 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return false }
    return ranges[low - 1].upper.map { unsafe ByteOrder.compare($0, bytes) > 0 } ?? true
  }

  /// Whether the set contains a byte string.
  package func contains(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe contains($0) }
  }

  /// The byte strings that are not in the set.
  package var complement: ByteRanges {
    var result: [ByteRange] = []
    result.reserveCapacity(ranges.count + 1)
    var next: [UInt8] = []
    for range in ranges {
      if ByteOrder.isLess(next, range.lower) { result.append(ByteRange(lower: next, upper: range.lower)) }
      guard let upper = range.upper else { return ByteRanges(sorted: result) }
      next = upper
    }
    result.append(ByteRange(lower: next, upper: nil))
    return ByteRanges(sorted: result)
  }

  /// Returns the byte strings that are in at least one of the sets.
  package static func union(_ sets: [ByteRanges]) -> ByteRanges {
    sets.count == 1 ? sets[0] : ByteRanges(sets.flatMap(\.ranges))
  }

  /// Returns the byte strings that are in all sets; without sets, every byte string.
  /// - Complexity: O(n log n) in the number of all ranges. For this, the intersection of many is computed from complements.
  package static func intersection(_ sets: [ByteRanges]) -> ByteRanges {
    switch sets.count {
    case 1: sets[0]
    case 2: sets[0].intersection(sets[1])
    default: union(sets.map(\.complement)).complement
    }
  }

  package func union(_ other: ByteRanges) -> ByteRanges { .union([self, other]) }

  /// Returns the byte strings that are in both sets.
  /// - Complexity: O(n + m) comparisons.
  package func intersection(_ other: ByteRanges) -> ByteRanges {
    var result: [ByteRange] = []
    var (mine, theirs) = (0, 0)
    while mine < ranges.count, theirs < other.ranges.count {
      let (left, right) = (ranges[mine], other.ranges[theirs])
      let lower = ByteOrder.isLess(left.lower, right.lower) ? right.lower : left.lower
      let endsFirst = left.ends(noLaterThan: right)
      let upper = endsFirst ? left.upper : right.upper
      if upper.map({ ByteOrder.isLess(lower, $0) }) ?? true {
        result.append(ByteRange(lower: lower, upper: upper))
      }
      if endsFirst { mine += 1 } else { theirs += 1 }
    }
    return ByteRanges(sorted: result)
  }

  /// Whether the set has any byte string of a range, which must not be empty.
  package func meets(_ range: ByteRange) -> Bool {
    ranges.contains { own in
      (own.upper.map { ByteOrder.isLess(range.lower, $0) } ?? true)
        && (range.upper.map { ByteOrder.isLess(own.lower, $0) } ?? true)
    }
  }

  /// Whether the set has every byte string of a range, which must not be empty.
  package func covers(_ range: ByteRange) -> Bool {
    ranges.contains { !ByteOrder.isLess(range.lower, $0.lower) && range.ends(noLaterThan: $0) }
  }
}
