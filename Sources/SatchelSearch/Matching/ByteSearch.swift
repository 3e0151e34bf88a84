import SatchelText

/// Finds bytes in other bytes with the algorithm of Knuth, Morris and Pratt: each byte of the text is read once, and compared at most twice on
/// average. Where nothing has matched yet, eight places are looked at in one step: one may be the beginning that has the first byte of the literal
/// and, at its distance, the last one.
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
        var matched = 0
        var index = 0
        while index < text.count {
          if matched == 0 {
            guard let place = unsafe Self.candidate(literal, in: text, from: index) else { return }
            index = place + 1
            matched = 1
          } else {
            let byte = unsafe text[index]
            index += 1
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

  /// Returns the first place from one on at which the literal may begin; nil if it begins nowhere.
  /// - Complexity: O(bytes up to the place / 8).
  static func candidate(
    _ literal: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    let distance = literal.count - 1
    let (first, last) = unsafe (literal[0], literal[distance])
    // Behind the last place that has room for it.
    let end = text.count - distance
    guard start < end, let base = text.baseAddress else { return nil }
    var place = start
    let (firsts, lasts) = (UInt64(first) &* ones, UInt64(last) &* ones)
    while place &+ 8 <= end {
      let one = unsafe UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
      let other = unsafe UnsafeRawPointer(base + place + distance).loadUnaligned(as: UInt64.self)
      let both =
        zeroBytes(UInt64(littleEndian: one) ^ firsts) & zeroBytes(UInt64(littleEndian: other) ^ lasts)
      if both != 0 { return place + both.trailingZeroBitCount / 8 }
      place &+= 8
    }
    while place < end {
      if unsafe text[place] == first && text[place + distance] == last { return place }
      place &+= 1
    }
    return nil
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the highest bit of each byte that is 0, and of no other one.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    let low = ones &* 0x7F
    return ~((word & low) &+ low | word | low)
  }
}
