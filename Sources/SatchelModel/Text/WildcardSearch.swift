/// Finds a sequence of scalars some of which may be any, by a bit for each place of it (Shift-And): a scalar of the text
/// costs one step for 64 scalars of the sequence, whatever the two are.
struct WildcardSearch: Sendable {
  /// The scalars that the sequence has.
  let count: Int
  private let words: Int
  /// Where the places of a scalar begin in `places`; other scalars have those at 0.
  private let rows: [UInt32: Int]
  /// For each row the places of the sequence that its scalar fits, a bit each.
  private let places: [UInt64]

  /// - Parameter scalars: One at least; `wildcard` fits any scalar.
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

  /// Reads scalars until the sequence has come; false where they end before.
  /// - Parameter next: The next scalar; nil at the end.
  /// - Complexity: O(scalars read · (count / 64 + 1)).
  @inline(__always)
  func find(counting steps: inout some StepCount, _ next: () -> UInt32?) -> Bool {
    let last = UInt64(1) << UInt64((count - 1) % 64)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { state in
      state.initialize(repeating: 0)
      return places.withUnsafeBufferPointer { places in
        while let scalar = next() {
          let row = rows[scalar] ?? 0
          var carry: UInt64 = 1
          for word in 0..<words {
            let old = state[word]
            state[word] = (old << 1 | carry) & places[row + word]
            carry = old >> 63
          }
          steps.add(words)
          if state[words - 1] & last != 0 { return true }
        }
        return false
      }
    }
  }
}
