/// A set of integers. It is stored as ascending ranges that neither overlap nor touch, so that equal sets are equal
/// values.
package struct IntegerSet: Hashable, Sendable {
  /// The ranges, ascending.
  package let ranges: [ClosedRange<Int64>]

  private init(sorted ranges: [ClosedRange<Int64>]) { self.ranges = ranges }

  /// The empty set.
  package static let empty = IntegerSet(sorted: [])
  /// The set of every integer.
  package static let all = IntegerSet(sorted: [.min ... .max])

  /// Creates a set of one range.
  package init(_ range: ClosedRange<Int64>) { ranges = [range] }

  /// Creates a set of one integer.
  package init(_ value: Int64) { ranges = [value...value] }

  /// Creates a set from any ranges, in any order.
  /// - Complexity: O(n log n).
  package init(_ any: [ClosedRange<Int64>]) {
    var result: [ClosedRange<Int64>] = []
    result.reserveCapacity(any.count)
    for range in any.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    ranges = result
  }

  /// Creates a set from any integers, in any order.
  package init(values: [Int64]) { self.init(values.map { $0...$0 }) }

  package var isEmpty: Bool { ranges.isEmpty }
  package var isAll: Bool { ranges == [.min ... .max] }

  /// The integers in ascending order; nil unless every range holds a single one.
  package var points: [Int64]? {
    guard ranges.allSatisfy({ $0.lowerBound == $0.upperBound }) else { return nil }
    return ranges.map(\.lowerBound)
  }

  /// Whether the set contains an integer.
  /// - Complexity: O(log n).
  package func contains(_ value: Int64) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }

  /// The integers that are not in the set.
  package var complement: IntegerSet {
    var result: [ClosedRange<Int64>] = []
    result.reserveCapacity(ranges.count + 1)
    var next = Int64.min
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      if range.upperBound == .max { return IntegerSet(sorted: result) }
      next = range.upperBound + 1
    }
    result.append(next ... .max)
    return IntegerSet(sorted: result)
  }

  /// Returns the integers that are in at least one of the sets.
  package static func union(_ sets: [IntegerSet]) -> IntegerSet {
    sets.count == 1 ? sets[0] : IntegerSet(sets.flatMap(\.ranges))
  }

  /// Returns the integers that are in all sets; without sets, every integer.
  /// - Complexity: O(n log n) in the number of all ranges. For this, the intersection is computed from complements.
  package static func intersection(_ sets: [IntegerSet]) -> IntegerSet {
    sets.count == 1 ? sets[0] : union(sets.map(\.complement)).complement
  }

  package func union(_ other: IntegerSet) -> IntegerSet { .union([self, other]) }
  package func intersection(_ other: IntegerSet) -> IntegerSet { .intersection([self, other]) }
}
