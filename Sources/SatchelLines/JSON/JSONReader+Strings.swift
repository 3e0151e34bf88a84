extension JSONReader {
  /// Reads a string. Its opening quote is the next byte.
  ///
  /// Nearly every string has no escape. The end is searched for eight bytes at a time, and the bytes between the
  /// quotes become the `String` in one step, which also checks that they are UTF-8.
  mutating func readString(_ bytes: RawSpan) throws(JSONError) -> String {
    position += 1
    let start = position
    try skipPlainCharacters(bytes)
    if bytes[position] == UInt8(ascii: "\"") {
      let content = bytes.extracting(start..<position)
      position += 1
      return try makeString(content, start: start, bytes)
    }

    scratch.removeAll(keepingCapacity: true)
    var runStart = start
    while true {
      append(bytes.extracting(runStart..<position))
      if skip(UInt8(ascii: "\""), bytes) { break }
      try readEscape(bytes)
      runStart = position
      try skipPlainCharacters(bytes)
    }
    return unsafe try makeString(scratch.span.bytes, start: start, bytes)
  }

  /// Moves to the next quote or backslash. A control character is an error.
  mutating func skipPlainCharacters(_ bytes: RawSpan) throws(JSONError) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highBits = ones &<< 7
    while position + 8 <= bytes.byteCount {
      // A byte is 0 exactly if subtracting 1 borrows into its clear high bit. A borrow can make the byte above
      // look like a hit too, never one below, so the lowest hit is a true one.
      let word = bytes.word(at: position)
      let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
      let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
      let hits =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word)
        & highBits
      if hits != 0 {
        position += hits.trailingZeroBitCount / 8
        break
      }
      position += 8
    }
    while position < bytes.byteCount {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return
      case 0..<0x20: throw error("no control character in a string (an escape instead)", bytes)
      default: position += 1
      }
    }
    throw error("'\"' at the end of the string", bytes)
  }

  /// Reads an escape, whose backslash is the next byte, and appends the scalar that it stands for.
  mutating func readEscape(_ bytes: RawSpan) throws(JSONError) {
    let start = position
    position += 1
    guard let byte = peek(bytes) else { throw error("an escape", bytes) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "u"):
      try readUnicodeEscape(bytes, start: start)
      return
    default: throw error("an escape: one of \" \\ / b f n r t u", bytes)
    }
    position += 1
  }

  /// Reads an escape that began at `start` from its `u` on, and the second escape of a surrogate pair if the first
  /// needs one.
  private mutating func readUnicodeEscape(_ bytes: RawSpan, start: Int) throws(JSONError) {
    position += 1
    var code = try readHexadecimal(bytes)
    if code & 0xFC00 == 0xD800 {
      guard skip(UInt8(ascii: "\\"), bytes), skip(UInt8(ascii: "u"), bytes) else {
        throw loneSurrogate(start)
      }
      let low = try readHexadecimal(bytes)
      guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(start) }
      code = 0x10000 + (code & 0x3FF) &<< 10 + low & 0x3FF
    }
    guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(start) }
    scratch.append(contentsOf: scalar.utf8)
  }

  private func loneSurrogate(_ offset: Int) -> JSONError {
    JSONError(offset: offset, expected: "a pair of surrogate escapes", found: "one half of a pair")
  }

  private mutating func readHexadecimal(_ bytes: RawSpan) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(bytes) else { throw error("four hexadecimal digits", bytes) }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error("four hexadecimal digits", bytes)
      }
      code = code &<< 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe scratch.append(contentsOf: $0) }
  }

  /// Returns `content` as a string. Its source begins at offset `start` of `bytes` and may contain escapes.
  private func makeString(_ content: RawSpan, start: Int, _ bytes: RawSpan) throws(JSONError) -> String {
    // Not by `String(validating:)`, which is generic code that nobody has specialised.
    if content.firstInvalidUTF8 == nil {
      return unsafe content.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    // An escape is ASCII and stands for a whole scalar, so the content is UTF-8 exactly if its source is.
    let source = bytes.extracting(start..<position)
    let offset = start + (source.firstInvalidUTF8 ?? 0)
    throw JSONError(offset: offset, expected: "UTF-8", in: bytes)
  }
}

extension RawSpan {
  /// The offset at which the first ill-formed sequence begins, or nil.
  /// - Complexity: O(bytes).
  var firstInvalidUTF8: Int? {
    var offset = 0
    while offset < byteCount {
      // Most bytes are ASCII.
      while offset + 8 <= byteCount, word(at: offset) & 0x8080_8080_8080_8080 == 0 { offset += 8 }
      guard offset < byteCount else { return nil }
      let lead = self[offset]
      // The range of the second byte excludes overlong forms, surrogates and values beyond U+10FFFF.
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0..<0x80: length = 1
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return offset
      }
      guard offset + length <= byteCount else { return offset }
      if length > 1, !second.contains(self[offset + 1]) { return offset }
      for next in 2..<max(length, 2) where self[offset + next] & 0xC0 != 0x80 { return offset }
      offset += length
    }
    return nil
  }
}
