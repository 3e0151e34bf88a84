extension JSONReader {
  /// Skips a value. It is checked like a value that is kept, except that a key may occur twice in an object.
  /// - Complexity: O(bytes); nothing is built.
  mutating func skipValue(_ bytes: RawSpan, depth: Int) throws(JSONError) {
    switch peek(bytes) {
    case UInt8(ascii: "\"")?: try skipString(bytes)
    case UInt8(ascii: "{")?: try skipObject(bytes, depth: depth + 1)
    case UInt8(ascii: "[")?: try skipArray(bytes, depth: depth + 1)
    default: _ = try readScalar(bytes)
    }
  }

  private mutating func skipArray(_ bytes: RawSpan, depth: Int) throws(JSONError) {
    try enter(depth, bytes)
    if skip(UInt8(ascii: "]"), bytes) { return }
    while true {
      try skipValue(bytes, depth: depth)
      skipWhitespace(bytes)
      if skip(UInt8(ascii: "]"), bytes) { return }
      guard skip(UInt8(ascii: ","), bytes) else { throw error("',' or ']'", bytes) }
      skipWhitespace(bytes)
    }
  }

  private mutating func skipObject(_ bytes: RawSpan, depth: Int) throws(JSONError) {
    try enter(depth, bytes)
    if skip(UInt8(ascii: "}"), bytes) { return }
    var isFirst = true
    while true {
      guard peek(bytes) == UInt8(ascii: "\"") else { throw error(isFirst ? "a key or '}'" : "a key", bytes) }
      isFirst = false
      try skipString(bytes)
      skipWhitespace(bytes)
      guard skip(UInt8(ascii: ":"), bytes) else { throw error("':'", bytes) }
      skipWhitespace(bytes)
      try skipValue(bytes, depth: depth)
      skipWhitespace(bytes)
      if skip(UInt8(ascii: "}"), bytes) { return }
      guard skip(UInt8(ascii: ","), bytes) else { throw error("',' or '}'", bytes) }
      skipWhitespace(bytes)
    }
  }

  private mutating func skipString(_ bytes: RawSpan) throws(JSONError) {
    position += 1
    let start = position
    try skipPlainCharacters(bytes)
    while !skip(UInt8(ascii: "\""), bytes) {
      scratch.removeAll(keepingCapacity: true)
      try readEscape(bytes)
      try skipPlainCharacters(bytes)
    }
    // An escape is ASCII, so the content is UTF-8 exactly if its source is.
    if let invalid = bytes.extracting(start..<position).firstInvalidUTF8 {
      throw JSONError(offset: start + invalid, expected: "UTF-8", in: bytes)
    }
  }
}
