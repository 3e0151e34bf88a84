import SatchelText

/// Finds bytes in other bytes with the algorithm of Knuth, Morris and Pratt: each byte of the text is read once, and compared at most twice on
/// average.
package struct ByteSearch: Sendable {
  package let literal: [UInt8]
  /// For each prefix of the literal: the length of the longest shorter prefix that it ends with.
  private let failures: [Int32]

  /// - Parameter literal: At least one byte.
  package init(_ literal: [UInt8]) {
    self.literal = literal
    failures = literal.failuresOfPrefixes
  }

  /// Calls `found` with the end of each occurrence, also of those that overlap, until it returns false.
  /// - Complexity: O(text).
  package func forEach(in text: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Bool) {
    unsafe literal.withUnsafeBufferPointer { literal in
      unsafe failures.withUnsafeBufferPointer { failures in
        let first = unsafe literal[0]
        var matched = 0
        var index = 0
        while index < text.count {
          let byte = unsafe text[index]
          index += 1
          if matched == 0 {
            if byte == first { matched = 1 } else { continue }
          } else {
            while matched > 0, unsafe matched == literal.count || literal[matched] != byte {
              matched = unsafe Int(failures[matched - 1])
            }
            if unsafe literal[matched] == byte { matched += 1 }
          }
          if matched == literal.count, !found(index) { return }
        }
      }
    }
  }
}
