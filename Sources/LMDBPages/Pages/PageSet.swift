/// A set of page numbers: a bit for each page of a store.
@usableFromInline package struct PageSet: Sendable {
  @usableFromInline var words: [UInt64]
  /// One more than the largest number that it can hold.
  @usableFromInline package let limit: UInt64
  /// How many numbers it holds.
  @usableFromInline package private(set) var count: UInt64 = 0

  /// Makes an empty set of numbers below `limit`, which must not be more than the pages of a real file. O(`limit`).
  @usableFromInline package init(limit: UInt64) {
    self.limit = limit
    words = Array(repeating: 0, count: Int(clamping: limit / 64 + 1))
  }

  /// Makes the set of the numbers from 2 on that neither of two sets with the same limit holds.
  @usableFromInline package init(withoutNumbersOf a: PageSet, _ b: PageSet) {
    self.init(limit: a.limit)
    for word in words.indices { words[word] = ~(a.words[word] | b.words[word]) }
    words[0] &= ~3
    words[words.count - 1] &= 1 &<< (limit & 63) &- 1
    count = words.reduce(0) { $0 + UInt64($1.nonzeroBitCount) }
  }

  /// Whether it holds a number. Any number may be asked for.
  @inlinable @inline(__always)
  package func contains(_ page: UInt64) -> Bool {
    guard page < limit else { return false }
    return words[Int(truncatingIfNeeded: page &>> 6)] &>> (page & 63) & 1 != 0
  }

  /// Adds a number. Returns false if the set already holds it or if it is not below the limit.
  @usableFromInline package mutating func insert(_ page: UInt64) -> Bool {
    guard page < limit, !contains(page) else { return false }
    words[Int(truncatingIfNeeded: page &>> 6)] |= 1 &<< (page & 63)
    count += 1
    return true
  }

  @usableFromInline package mutating func remove(_ page: UInt64) {
    guard contains(page) else { return }
    words[Int(truncatingIfNeeded: page &>> 6)] &= ~(1 &<< (page & 63))
    count -= 1
  }

  /// The numbers in ascending order. O(`limit`).
  package var numbers: [UInt64] {
    var numbers: [UInt64] = []
    numbers.reserveCapacity(Int(clamping: count))
    for (index, word) in words.enumerated() where word != 0 {
      for bit in 0..<64 where word &>> UInt64(bit) & 1 != 0 { numbers.append(UInt64(index * 64 + bit)) }
    }
    return numbers
  }

  /// Returns the ranges of numbers from 2 on that neither this set nor another one with the same limit holds.
  /// O(`limit`).
  func gaps(with other: PageSet) -> [ClosedRange<UInt64>] {
    var gaps: [ClosedRange<UInt64>] = []
    var first: UInt64?
    for page in 2..<max(limit, 2) {
      let isMissing = !contains(page) && !other.contains(page)
      if isMissing, first == nil { first = page }
      if !isMissing, let start = first {
        gaps.append(start...page - 1)
        first = nil
      }
    }
    if let first { gaps.append(first...limit - 1) }
    return gaps
  }
}
