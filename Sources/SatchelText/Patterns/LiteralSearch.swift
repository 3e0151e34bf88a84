/// Finds a sequence in a longer one with the algorithm of Knuth, Morris and Pratt: each element of the longer sequence
/// is read once, and compared at most twice on average.
struct LiteralSearch<Element: Equatable & Sendable>: Sendable {
  let literal: [Element]
  /// For each prefix of the literal: the length of the longest shorter prefix that it ends with.
  private let failures: [Int32]

  init(_ literal: [Element]) {
    self.literal = literal
    failures = literal.failuresOfPrefixes
  }

  /// Returns how many elements of the literal match after one more element, given that `matched` matched before it. The
  /// literal is found when the result is `literal.count`.
  @inline(__always)
  func matched(_ matched: Int, then element: Element, counting steps: inout some StepCount) -> Int {
    unsafe literal.withUnsafeBufferPointer { literal in
      unsafe failures.withUnsafeBufferPointer { failures in
        var matched = matched
        steps.add(1)
        while matched > 0, unsafe literal[matched] != element {
          matched = unsafe Int(failures[matched - 1])
          steps.add(1)
        }
        return unsafe literal[matched] == element ? matched + 1 : 0
      }
    }
  }
}

extension Array where Element: Equatable {
  /// For each prefix: the length of the longest shorter prefix that it ends with. O(count).
  package var failuresOfPrefixes: [Int32] {
    var failures = [Int32](repeating: 0, count: count)
    var matched = 0
    for index in indices.dropFirst() {
      while matched > 0, self[index] != self[matched] { matched = Int(failures[matched - 1]) }
      if self[index] == self[matched] { matched += 1 }
      failures[index] = Int32(truncatingIfNeeded: matched)
    }
    return failures
  }
}
