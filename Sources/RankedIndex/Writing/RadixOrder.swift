/// Sorting by words, without comparisons.
package enum RadixOrder {
  /// Returns the indices of the keys in the order of the keys, and of the indices where keys are equal. O(n) for each
  /// eleven bits that the keys differ in.
  package static func indices(of keys: [UInt64]) -> [UInt32] {
    precondition(keys.count <= Int(UInt32.max))
    var pairs: [Pair] = []
    pairs.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() {
      pairs.append(Pair(key: key, index: UInt32(truncatingIfNeeded: index)))
    }
    sort(&pairs)
    return pairs.map(\.index)
  }

  private struct Pair {
    var key: UInt64
    var index: UInt32
  }

  private static let digitBits: UInt64 = 11
  private static let digits = 1 << Int(digitBits)

  private static func sort(_ pairs: inout [Pair]) {
    guard let first = pairs.first?.key else { return }
    // Only the bits in which keys differ have to be looked at.
    var differing: UInt64 = 0
    for pair in pairs { differing |= pair.key ^ first }
    var other = pairs
    var counts = [Int](repeating: 0, count: digits)
    var shift: UInt64 = 0
    let mask = UInt64(digits - 1)
    while shift < 64, differing >> shift != 0 {
      defer { shift += digitBits }
      guard (differing >> shift) & mask != 0 else { continue }
      for digit in 0..<digits { counts[digit] = 0 }
      for pair in pairs { counts[Int((pair.key >> shift) & mask)] += 1 }
      var start = 0
      for digit in 0..<digits {
        let count = counts[digit]
        counts[digit] = start
        start += count
      }
      for pair in pairs {
        let digit = Int((pair.key >> shift) & mask)
        other[counts[digit]] = pair
        counts[digit] += 1
      }
      swap(&pairs, &other)
    }
  }
}
