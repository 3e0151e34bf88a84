#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// All terms that an index of words has in its tree, one behind the other, with a zero byte around each: no term has one. Who looks for parts
/// of words goes through them by the fastest search for bytes that there is.
///
/// They are of one state of the tree, in which pending entries are not.
package final class KeptTerms: Sendable {
  /// The number of the index.
  let index: UInt32
  /// The state of the tree: see `Forest.state(of:)`.
  let state: (sequence: UInt64, count: UInt64)
  private let bytes: [UInt8]
  /// How often each byte is there.
  private let counts: [Int]

  /// More bytes of terms are not kept.
  static let maximumBytes = 16 << 20

  init(index: UInt32, state: (sequence: UInt64, count: UInt64), bytes: [UInt8]) {
    self.index = index
    self.state = state
    self.bytes = bytes
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    self.counts = counts
  }

  /// Calls `body` with each term that has some bytes in it, in ascending order. A zero byte at their end is the end of the term.
  /// - Parameter pattern: At least one byte.
  /// - Complexity: O(bytes of all terms). Places of the byte of the pattern that terms have least are looked at.
  package func forEach(having pattern: [UInt8], _ body: ([UInt8]) -> Void) {
    guard let rarest = pattern.indices.min(by: { counts[Int(pattern[$0])] < counts[Int(pattern[$1])] }) else {
      return
    }
    unsafe bytes.withUnsafeBytes { all in
      unsafe pattern.withUnsafeBytes { wanted in
        guard let begin = all.baseAddress, let sought = wanted.baseAddress else { return }
        let behind = wanted.count - rarest
        var place = rarest
        while place + behind <= all.count,
          let found = unsafe memchr(begin + place, Int32(pattern[rarest]), all.count - behind + 1 - place)
        {
          let hit = unsafe begin.distance(to: found)
          place = hit + 1
          guard unsafe memcmp(begin + hit - rarest, sought, wanted.count) == 0 else { continue }
          var (start, end) = (hit - rarest, hit - rarest)
          while start > 0, unsafe all[start - 1] != 0 { start -= 1 }
          while end < all.count, unsafe all[end] != 0 { end += 1 }
          body(unsafe [UInt8](all[start..<end]))
          place = max(place, end + rarest)
        }
      }
    }
  }
}
