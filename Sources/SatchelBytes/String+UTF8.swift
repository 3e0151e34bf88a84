extension String {
  /// Creates a string from UTF-8 bytes; nil if the bytes are not UTF-8.
  ///
  /// `String(validating:as:)` is generic over its bytes and takes several times as long.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard unsafe bytes.isUTF8 else { return nil }
    unsafe self.init(checkedUTF8: bytes)
  }

  /// Creates a string from bytes for which `isUTF8` was true, without looking at them again.
  ///
  /// The bytes must be memory that nothing has changed since that check: never a file's map.
  package init(checkedUTF8 bytes: UnsafeRawBufferPointer) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
      self.init(copying: unsafe UTF8Span(unchecked: span))
    } else {
      self = unsafe String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8 (Unicode 16, table 3-7).
  package var isUTF8: Bool {
    guard unsafe count >= Self.fewestForBlocks else {
      return unsafe isASCII || isUTF8(from: 0, to: count) == count
    }
    // A block looks at the three bytes before it, which have to be whole characters.
    let start = unsafe isUTF8(from: 0, to: 3)
    guard start >= 3 else { return false }
    return unsafe areUTF8Blocks(from: start)
  }

  /// Whether the bytes are ASCII: identifiers, keys and names mostly are. It is for few bytes, all of which it looks at. The last word
  /// overlaps the one before it, so that no byte is looked at alone.
  package var isASCII: Bool {
    let span = unsafe bytes
    let count = span.byteCount
    if count >= 8 {
      var all = span.u64(count &- 8)
      var offset = 0
      while offset &+ 8 < count {
        all |= span.u64(offset)
        offset &+= 8
      }
      return all & 0x8080_8080_8080_8080 == 0
    }
    if count >= 4 { return (span.u32(0) | span.u32(count &- 4)) & 0x8080_8080 == 0 }
    return count == 0 || span.u8(0) | span.u8(count >> 1) | span.u8(count &- 1) < 0x80
  }

  /// The fewest bytes for which a block of 16 fits behind the first ten, as many as the check before it passes.
  private static var fewestForBlocks: Int { 26 }

  /// Checks 16 bytes at a time, from a character's first byte on.
  ///
  /// Whether a byte fits depends on the three bytes before it only: it has to be a continuation exactly if one of them
  /// begins a character that reaches that far. Swift's vectors have no shuffle of bytes, so the bytes before are loaded
  /// again from one, two and three places earlier.
  ///
  /// Vectors are compared with vectors, never with numbers, and masks are looked at as words: the standard library has
  /// loops over the single bytes for everything else.
  private func areUTF8Blocks(from start: Int) -> Bool {
    var misfits = UTF8Block.Mask(repeating: false)
    let last = count &- 16
    var offset = start
    while true {
      let third = unsafe block(offset &- 3)
      let bytes = unsafe block(offset)
      // All of these and the three before them are ASCII: nothing to check.
      if !UTF8Block.isASCII(third | bytes) {
        let (first, second) = unsafe (block(offset &- 1), block(offset &- 2))
        misfits = misfits .| UTF8Block.misfits(bytes, after: first, second, third)
      }
      if offset == last { break }
      // The last block overlaps the one before it.
      offset = Swift.min(offset &+ 16, last)
    }
    // No character is cut off at the end.
    let span = unsafe bytes
    let end = span.byteCount
    let isCut = span.u8(end &- 1) >= 0xC0 || span.u8(end &- 2) >= 0xE0 || span.u8(end &- 3) >= 0xF0
    return !isCut && !UTF8Block.hasAny(misfits)
  }

  @inline(__always)
  private func block(_ offset: Int) -> SIMD16<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// Checks whole characters from `start` until `end` is reached or passed.
  /// - Returns: Where the next character begins; -1 if one is not UTF-8.
  private func isUTF8(from start: Int, to end: Int) -> Int {
    let span = unsafe bytes
    var offset = start
    while offset < end {
      if offset &+ 8 <= count {
        let high = span.u64(offset) & 0x8080_8080_8080_8080
        if high == 0 {
          offset &+= 8
          continue
        }
        // Skips to the first byte that is not ASCII.
        offset &+= high.trailingZeroBitCount / 8
        if offset >= end { break }
      }
      let first = span.u8(offset)
      if first < 0x80 {
        offset += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0:
        length = 3
        second = 0xA0...0xBF
      case 0xED:
        length = 3
        second = 0x80...0x9F
      case 0xE1...0xEF: length = 3
      case 0xF0:
        length = 4
        second = 0x90...0xBF
      case 0xF1...0xF3: length = 4
      case 0xF4:
        length = 4
        second = 0x80...0x8F
      default: return -1
      }
      guard offset + length <= count, second.contains(span.u8(offset + 1)) else { return -1 }
      for index in 2..<Swift.max(2, length) where span.u8(offset + index) & 0xC0 != 0x80 { return -1 }
      offset += length
    }
    return offset
  }
}

/// The check of sixteen bytes.
private enum UTF8Block {
  typealias Bytes = SIMD16<UInt8>
  typealias Mask = SIMDMask<SIMD16<Int8>>

  @inline(__always)
  static func isASCII(_ bytes: Bytes) -> Bool {
    let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    return (words.x | words.y) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  static func hasAny(_ mask: Mask) -> Bool {
    let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    return words.x | words.y != 0
  }

  /// Returns which bytes cannot be at their place.
  /// - Parameters:
  ///   - first: The bytes one place before each.
  ///   - second: The bytes two places before each.
  ///   - third: The bytes three places before each.
  @inline(__always)
  static func misfits(_ bytes: Bytes, after first: Bytes, _ second: Bytes, _ third: Bytes) -> Mask {
    let (b80, bC0, bE0, bF0) = (all(0x80), all(0xC0), all(0xE0), all(0xF0))
    let isContinuation = (bytes & bC0) .== b80
    let isExpected = (first .>= bC0) .| (second .>= bE0) .| (third .>= bF0)
    let isOverlong = ((first .== bE0) .& (bytes .< all(0xA0))) .| ((first .== bF0) .& (bytes .< all(0x90)))
    let isTooHigh =
      ((first .== all(0xED)) .& (bytes .>= all(0xA0))) .| ((first .== all(0xF4)) .& (bytes .>= all(0x90)))
    let isNever = (bytes .>= all(0xF5)) .| ((bytes & all(0xFE)) .== bC0)
    return (isContinuation .^ isExpected) .| isOverlong .| isTooHigh .| isNever
  }

  @inline(__always)
  private static func all(_ byte: UInt8) -> Bytes { Bytes(repeating: byte) }
}
