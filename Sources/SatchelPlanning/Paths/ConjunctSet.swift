/// A set of conjuncts, given by their indices. The first 64 need no allocation, and few conditions have more.
package struct ConjunctSet: Sendable, Equatable {
  private var low: UInt64 = 0
  private var high: Set<Int> = []

  package init() {}

  package var count: Int { low.nonzeroBitCount + high.count }
  package var isEmpty: Bool { low == 0 && high.isEmpty }

  /// The smallest index; nil if the set is empty.
  package var first: Int? { low != 0 ? low.trailingZeroBitCount : high.min() }

  package func contains(_ index: Int) -> Bool {
    index < 64 ? low & (1 << UInt64(index)) != 0 : high.contains(index)
  }

  package mutating func insert(_ index: Int) {
    if index < 64 { low |= 1 << UInt64(index) } else { high.insert(index) }
  }

  package mutating func formUnion(_ other: ConjunctSet) {
    low |= other.low
    if !other.high.isEmpty { high.formUnion(other.high) }
  }

  package func union(_ other: ConjunctSet) -> ConjunctSet {
    var union = self
    union.formUnion(other)
    return union
  }

  package func isSubset(of other: ConjunctSet) -> Bool {
    low & ~other.low == 0 && high.isSubset(of: other.high)
  }
}

extension ConjunctSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral indices: Int...) {
    for index in indices { insert(index) }
  }
}
