/// Finds a sequence of scalars in which some match any scalar, with one bit per element of the sequence (the Shift-And
/// algorithm): each scalar of the text costs one step per 64 elements, for any text and sequence.
struct WildcardSearch: Sendable {
  /// The number of elements of the sequence.
  let count: Int
  private let words: Int
  /// The index in `places` at which the bits of a scalar begin. Scalars that are not in it use the bits at 0.
  private let rows: [UInt32: Int]
  /// For each row, one bit per element of the sequence: set if the row's scalar matches the element.
  private let places: [UInt64]

  /// - Parameter scalars: At least one scalar; `wildcard` matches any scalar.
  init(_ scalars: [UInt32], wildcard: UInt32) {
    count = scalars.count
    let words = (scalars.count + 63) / 64
    var anywhere = [UInt64](repeating: 0, count: words)
    for (place, scalar) in scalars.enumerated() where scalar == wildcard {
      anywhere[place / 64] |= 1 << UInt64(place % 64)
    }
    var rows: [UInt32: Int] = [:]
    var places = anywhere
    for (place, scalar) in scalars.enumerated() where scalar != wildcard {
      let row = rows[scalar] ?? places.count
      if row == places.count {
        rows[scalar] = row
        places += anywhere
      }
      places[row + place / 64] |= 1 << UInt64(place % 64)
    }
    self.words = words
    self.rows = rows
    self.places = places
  }

  /// Reads scalars until the sequence is found; returns false if they end before.
  /// - Parameter next: Returns the next scalar; nil at the end.
  /// - Complexity: O(scalars read · (count / 64 + 1)).
  @inline(__always)
  func find(counting steps: inout some StepCount, _ next: () -> UInt32?) -> Bool {
    let last = UInt64(1) << UInt64((count - 1) % 64)
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { state in
      unsafe state.initialize(repeating: 0)
      return unsafe places.withUnsafeBufferPointer { places in
        while let scalar = next() {
          let row = rows[scalar] ?? 0
          var carry: UInt64 = 1
          for word in 0..<words {
            let old = unsafe state[word]
            unsafe state[word] = (old << 1 | carry) & places[row + word]
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
