/// Finds a sequence of scalars in which some match any scalar, with one bit per element of the sequence (the Shift-And
/// algorithm): each scalar of the text costs one step per 64 elements, for any text and sequence.
struct WildcardSearch: Sendable {
  /// The number of elements of the sequence.
  let count: Int
  private let words: Int
  /// The index in `masks` at which the bits of a scalar begin. Scalars that are not in it use the bits at 0.
  private let rows: [UInt32: Int]
  /// For each row, one bit per element of the sequence: set if the row's scalar matches the element.
  private let masks: [UInt64]

  /// - Parameter scalars: At least one scalar; `wildcard` matches any scalar.
  init(_ scalars: [UInt32], wildcard: UInt32) {
    count = scalars.count
    let words = (scalars.count + 63) / 64
    var anywhere = [UInt64](repeating: 0, count: words)
    for (index, scalar) in scalars.enumerated() where scalar == wildcard {
      anywhere[index / 64] |= 1 << UInt64(index % 64)
    }
    var rows: [UInt32: Int] = [:]
    var masks = anywhere
    for (index, scalar) in scalars.enumerated() where scalar != wildcard {
      let row = rows[scalar] ?? masks.count
      if row == masks.count {
        rows[scalar] = row
        masks += anywhere
      }
      masks[row + index / 64] |= 1 << UInt64(index % 64)
    }
    self.words = words
    self.rows = rows
    self.masks = masks
  }

  /// Reads scalars until the sequence is found; returns false if they end before.
  /// - Parameter next: Returns the next scalar; nil at the end.
  /// - Complexity: O(scalars read · (count / 64 + 1)).
  @inline(__always)
  func find(counting steps: inout some StepCount, _ next: () -> UInt32?) -> Bool {
    let last = UInt64(1) << UInt64((count - 1) % 64)
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { state in
      unsafe state.initialize(repeating: 0)
      return unsafe masks.withUnsafeBufferPointer { masks in
        while let scalar = next() {
          let row = rows[scalar] ?? 0
          var carry: UInt64 = 1
          for word in 0..<words {
            let old = unsafe state[word]
            unsafe state[word] = (old << 1 | carry) & masks[row + word]
            carry = old >> 63
          }
          steps.add(words)
          if unsafe state[words - 1] & last != 0 { return true }
        }
        return false
      }
    }
  }
}
