/// A set of integers as ascending ranges that neither overlap nor touch, so that equal sets are equal values.
package struct IntegerSet: Hashable, Sendable {
  /// The ranges, ascending.
  package let ranges: [ClosedRange<Int64>]

  private init(sorted ranges: [ClosedRange<Int64>]) { self.ranges = ranges }

  /// No integer.
  package static let empty = IntegerSet(sorted: [])
  /// Every integer.
  package static let all = IntegerSet(sorted: [.min ... .max])

  /// One range.
  package init(_ range: ClosedRange<Int64>) { ranges = [range] }

  /// One integer.
  package init(_ value: Int64) { ranges = [value...value] }

  /// Any ranges, in any order.
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

  /// Any integers, in any order.
  package init(values: [Int64]) { self.init(values.map { $0...$0 }) }

  package var isEmpty: Bool { ranges.isEmpty }
  package var isAll: Bool { ranges == [.min ... .max] }

  /// The integers, ascending, when every range is a single one.
  package var points: [Int64]? {
    guard ranges.allSatisfy({ $0.lowerBound == $0.upperBound }) else { return nil }
    return ranges.map(\.lowerBound)
  }

  /// True for an integer of the set.
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

  /// The integers of any of the sets.
  package static func union(_ sets: [IntegerSet]) -> IntegerSet {
    sets.count == 1 ? sets[0] : IntegerSet(sets.flatMap(\.ranges))
  }

  /// The integers of each of the sets; of no sets, every integer.
  /// - Complexity: O(n log n) in all ranges together: that is why it goes by complements.
  package static func intersection(_ sets: [IntegerSet]) -> IntegerSet {
    sets.count == 1 ? sets[0] : union(sets.map(\.complement)).complement
  }

  package func union(_ other: IntegerSet) -> IntegerSet { .union([self, other]) }
  package func intersection(_ other: IntegerSet) -> IntegerSet { .intersection([self, other]) }
}
