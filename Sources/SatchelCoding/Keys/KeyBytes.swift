internal import SatchelBytes

/// The bytes of a key, at most 24, stored without a heap allocation.
///
/// Numbers in keys are big-endian, so keys compare like the numbers that they consist of.
package struct KeyBytes: Sendable, Hashable {
  /// The bytes as big-endian words, from the first byte on; zero after the last byte.
  @usableFromInline var words: Words
  /// The number of bytes.
  package private(set) var count: Int

  @usableFromInline struct Words: Sendable, Hashable {
    @usableFromInline var first: UInt64 = 0
    @usableFromInline var second: UInt64 = 0
    @usableFromInline var third: UInt64 = 0
  }

  package init() {
    words = Words()
    count = 0
  }

  /// Makes the key of a number of four bytes and one of eight.
  init(_ first: UInt32, _ second: UInt64) {
    words = Words(first: UInt64(first) << 32 | second >> 32, second: second << 32)
    count = 12
  }

  /// Takes a key from a range of bytes; nil if it is empty or too long.
  package init?(_ bytes: RawSpan, _ range: Range<Int>) {
    guard (1...24).contains(range.count), bytes.contains(range.lowerBound, count: range.count) else {
      return nil
    }
    words = Words()
    count = range.count
    words.first = Self.word(bytes, range.lowerBound, count: count)
    if count > 8 { words.second = Self.word(bytes, range.lowerBound &+ 8, count: count &- 8) }
    if count > 16 { words.third = Self.word(bytes, range.lowerBound &+ 16, count: count &- 16) }
  }

  /// Returns the first eight of so many bytes as a word, with zeros behind fewer.
  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int, count: Int) -> UInt64 {
    if count >= 8 { return bytes.be64(offset) }
    // With eight bytes left, as almost always, one load has them all.
    if bytes.contains(offset, count: 8) { return bytes.be64(offset) & ~(.max >> UInt64(8 &* count)) }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(bytes.u8(offset &+ index)) << UInt64(56 &- 8 &* index) }
    return word
  }

  package mutating func append(_ value: UInt8) { append(UInt64(value), size: 1) }
  package mutating func append(_ value: UInt16) { append(UInt64(value), size: 2) }
  package mutating func append(_ value: UInt32) { append(UInt64(value), size: 4) }
  package mutating func append(_ value: UInt64) { append(value, size: 8) }

  /// Calls `body` with the bytes; the pointer is valid during the call only.
  @inlinable
  package func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let big = Words(
      first: words.first.bigEndian, second: words.second.bigEndian, third: words.third.bigEndian)
    // The closure of the standard library's function does not pass a typed error through.
    let outcome: Result<R, E> = unsafe Swift.withUnsafeBytes(of: big) { bytes in
      do throws(E) {
        return .success(try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// The bytes as words, with the first byte in the highest position; zero after the last byte.
  package var bigEndianWords: (UInt64, UInt64, UInt64) { (words.first, words.second, words.third) }

  /// The bytes as an array.
  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

  /// The seed of the checksum of the record under this key.
  package var checksumSeed: UInt64 {
    if 1...15 ~= count {
      return Checksum.hash(low: words.first.byteSwapped, high: words.second.byteSwapped, count: count)
    }
    return unsafe withUnsafeBytes { unsafe Checksum.hash($0.bytes) }
  }

  /// Appends the lowest `size` bytes of a value: what fits goes into the word that has room, the rest into the next.
  @inline(__always)
  private mutating func append(_ value: UInt64, size: Int) {
    precondition(count &+ size <= 24, "a key has at most 24 bytes")
    let leftAligned = value << UInt64(64 &- 8 &* size)
    let used = UInt64(8 &* (count & 7))
    let here = leftAligned >> used
    // A shift by all 64 bits gives zero, which is correct: a word with room for everything leaves nothing for the next.
    let over = leftAligned << (64 &- used)
    switch count >> 3 {
    case 0:
      words.first |= here
      words.second |= over
    case 1:
      words.second |= here
      words.third |= over
    default: words.third |= here
    }
    count &+= size
  }
}

extension KeyBytes: Comparable {
  /// Compares the bytes lexicographically: a prefix is less.
  package static func < (left: Self, right: Self) -> Bool {
    (left.words.first, left.words.second, left.words.third, left.count)
      < (right.words.first, right.words.second, right.words.third, right.count)
  }
}
