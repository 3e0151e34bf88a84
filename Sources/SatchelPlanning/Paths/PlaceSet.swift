/// A set of array indices. The first 64 indices need no allocation, and few lists are longer.
package struct PlaceSet: Sendable, Equatable {
  private var low: UInt64 = 0
  private var high: Set<Int> = []

  package init() {}

  package var count: Int { low.nonzeroBitCount + high.count }
  package var isEmpty: Bool { low == 0 && high.isEmpty }

  /// The smallest index; nil if the set is empty.
  package var first: Int? { low != 0 ? low.trailingZeroBitCount : high.min() }

  package func contains(_ place: Int) -> Bool {
    place < 64 ? low & (1 << UInt64(place)) != 0 : high.contains(place)
  }

  package mutating func insert(_ place: Int) {
    if place < 64 { low |= 1 << UInt64(place) } else { high.insert(place) }
  }

  package mutating func formUnion(_ other: PlaceSet) {
    low |= other.low
    if !other.high.isEmpty { high.formUnion(other.high) }
  }

  package func union(_ other: PlaceSet) -> PlaceSet {
    var union = self
    union.formUnion(other)
    return union
  }

  package func isSubset(of other: PlaceSet) -> Bool {
    low & ~other.low == 0 && high.isSubset(of: other.high)
  }
}

extension PlaceSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral places: Int...) {
    for place in places { insert(place) }
  }
}
