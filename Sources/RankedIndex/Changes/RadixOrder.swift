/// Sorting by words, without comparisons. The result is the order of things that have an index each; every sort leaves those
/// that are equal as it finds them, so that sorting by the last word first sorts by several.
package struct RadixOrder {
  private var pairs: [Pair]
  private var other: [Pair]
  private var counts = [Int](repeating: 0, count: digits)

  private struct Pair {
    var key: UInt64
    var index: UInt32
  }

  private static let digitBits: UInt64 = 11
  private static let digits = 1 << 11

  /// The order of the indices.
  package init(count: Int) {
    precondition(count <= Int(UInt32.max))
    pairs = (0..<count).map { Pair(key: 0, index: UInt32(truncatingIfNeeded: $0)) }
    other = pairs
  }

  /// Returns the indices of the keys in the order of the keys, and of the indices where keys are equal. O(n) for each
  /// eleven bits that the keys differ in.
  package static func indices(of keys: [UInt64]) -> [UInt32] {
    var order = RadixOrder(count: keys.count)
    order.sort(by: keys)
    return order.indices
  }

  /// The indices in their order.
  package var indices: [UInt32] { pairs.map(\.index) }

  /// Sorts by keys, of which each index has one. O(n) for each eleven bits that the keys differ in.
  package mutating func sort(by keys: [UInt64]) {
    precondition(keys.count == pairs.count)
    guard let first = keys.first else { return }
    // Only the bits in which keys differ have to be looked at.
    var differing: UInt64 = 0
    for position in pairs.indices {
      let key = keys[Int(pairs[position].index)]
      pairs[position].key = key
      differing |= key ^ first
    }
    var shift: UInt64 = 0
    while shift < 64, differing >> shift != 0 {
      // Bits that are the same in all keys are no part of a digit.
      shift += UInt64((differing >> shift).trailingZeroBitCount)
      pass(shift)
      shift += Self.digitBits
    }
  }

  /// Sorts by one digit.
  private mutating func pass(_ shift: UInt64) {
    let mask = UInt64(Self.digits - 1)
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe other.withUnsafeMutableBufferPointer { other in
          unsafe counts.update(repeating: 0)
          for position in pairs.indices {
            unsafe counts[Int((pairs[position].key >> shift) & mask)] &+= 1
          }
          var start = 0
          for digit in 0..<Self.digits {
            let count = unsafe counts[digit]
            unsafe counts[digit] = start
            start &+= count
          }
          for position in pairs.indices {
            let pair = unsafe pairs[position]
            let digit = Int((pair.key >> shift) & mask)
            unsafe other[counts[digit]] = pair
            unsafe counts[digit] &+= 1
          }
        }
      }
    }
    swap(&pairs, &other)
  }
}
