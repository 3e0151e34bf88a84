internal import SatchelModel

/// Reads one JSON text (RFC 8259) from its bytes: total, strict and in one pass.
///
/// Any bytes are safe to read: the result is a value or a `JSONError`, never a trap. Besides what the grammar
/// refuses, these are errors: invalid UTF-8, escapes that are half a surrogate pair, a key that occurs twice in its
/// object, more than `maximumDepth` levels of nesting (so that recursion here and in callers stays shallow), and more
/// than `maximumValues` values that are kept (so that a line takes a few hundred megabytes at most, whatever it
/// says).
///
/// Every function takes the whole text as a parameter, because a span cannot be stored.
package struct JSONReader {
  /// How many arrays and objects may be nested in one another. The deepest metadata needs as many in an update, whose
  /// `{"metadata":{"set":{…}}}` has one object more than a record.
  static let maximumDepth = Metadata.maximumDepth + 2
  /// How many values may be kept. A value that the shape skips counts as one, whatever it contains.
  package static let maximumValues = 1 << 20

  /// Which values are kept.
  let shape: JSONShape
  /// How many values have been kept so far.
  private(set) var keptValues = 0

  /// The offset of the next byte to read.
  var position = 0
  /// The bytes of a string with escapes while it is decoded; reused to save allocations.
  var scratch: [UInt8] = []
  /// The hash and the offset of every key of the objects that are open, innermost object last.
  var openKeys: [KeyMark] = []

  init(_ shape: JSONShape = .everything) { self.shape = shape }

  /// Reads `bytes`, which have to be one JSON text from the first to the last. Further texts may follow: the reader keeps
  /// nothing of a text but memory.
  mutating func read(_ bytes: RawSpan) throws(JSONError) -> JSONValue {
    begin()
    skipWhitespace(bytes)
    let value = try readValue(bytes, depth: 0, shape)
    skipWhitespace(bytes)
    guard position == bytes.byteCount else { throw error("the end", bytes) }
    return value
  }

  /// Begins a text.
  mutating func begin() {
    position = 0
    keptValues = 0
    openKeys.removeAll(keepingCapacity: true)
  }

  mutating func readValue(
    _ bytes: RawSpan, depth: Int, _ shape: JSONShape
  ) throws(JSONError) -> JSONValue {
    guard keptValues < Self.maximumValues else {
      throw error("no more than \(Self.maximumValues) values", bytes)
    }
    keptValues += 1
    switch peek(bytes) {
    case UInt8(ascii: "\"")?: return .string(try readString(bytes))
    case UInt8(ascii: "{")?: return .object(try readObject(bytes, depth: depth + 1, shape))
    case UInt8(ascii: "[")?: return .array(try readArray(bytes, depth: depth + 1, shape.elements))
    default: return try readScalar(bytes)
    }
  }

  /// Reads a value that is not a string, array or object.
  mutating func readScalar(_ bytes: RawSpan) throws(JSONError) -> JSONValue {
    guard let byte = peek(bytes) else { throw error("a value", bytes) }
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try readNumber(bytes)
    case UInt8(ascii: "t"):
      try readWord("true", bytes)
      return .bool(true)
    case UInt8(ascii: "f"):
      try readWord("false", bytes)
      return .bool(false)
    case UInt8(ascii: "n"):
      try readWord("null", bytes)
      return .null
    default:
      throw error("a value", bytes)
    }
  }

  private mutating func readArray(
    _ bytes: RawSpan, depth: Int, _ shape: JSONShape
  ) throws(JSONError) -> [JSONValue] {
    try enter(depth, bytes)
    var elements: [JSONValue] = []
    if skip(UInt8(ascii: "]"), bytes) { return elements }
    while true {
      elements.append(try readValue(bytes, depth: depth, shape))
      skipWhitespace(bytes)
      if skip(UInt8(ascii: "]"), bytes) { return elements }
      guard skip(UInt8(ascii: ","), bytes) else { throw error("',' or ']'", bytes) }
      skipWhitespace(bytes)
    }
  }

  private mutating func readObject(
    _ bytes: RawSpan, depth: Int, _ shape: JSONShape
  ) throws(JSONError) -> JSONObject {
    try enter(depth, bytes)
    var members: [JSONObject.Member] = []
    if skip(UInt8(ascii: "}"), bytes) { return JSONObject(members: members) }
    // A line has one outermost object, but may contain many small ones, which reserve little.
    members.reserveCapacity(depth == 1 ? 12 : 2)
    let firstKey = openKeys.count
    while true {
      guard peek(bytes) == UInt8(ascii: "\"") else {
        throw error(members.isEmpty ? "a key or '}'" : "a key", bytes)
      }
      let keyOffset = position
      let key = try readKey(bytes, shape)
      openKeys.append(KeyMark(hash: key.hash, offset: keyOffset))
      skipWhitespace(bytes)
      guard skip(UInt8(ascii: ":"), bytes) else { throw error("':'", bytes) }
      skipWhitespace(bytes)
      if let shape = key.shape {
        let value = try readValue(bytes, depth: depth, shape)
        members.append(JSONObject.Member(key: key.text, value: value, known: key.known))
      } else {
        keptValues += 1
        guard keptValues <= Self.maximumValues else {
          throw error("no more than \(Self.maximumValues) values", bytes)
        }
        try skipValue(bytes, depth: depth)
        members.append(JSONObject.Member(key: key.text, value: .null))
      }
      skipWhitespace(bytes)
      if skip(UInt8(ascii: "}"), bytes) { break }
      guard skip(UInt8(ascii: ","), bytes) else { throw error("',' or '}'", bytes) }
      skipWhitespace(bytes)
    }
    if let repeated = firstRepeatedKey(of: members, marks: openKeys[firstKey...]) {
      throw JSONError(
        offset: repeated, expected: "a key of its own", found: "one that this object has already")
    }
    openKeys.removeLast(members.count)
    return JSONObject(members: members)
  }

  /// Checks the depth, and skips an opening bracket and the white space after it.
  mutating func enter(_ depth: Int, _ bytes: RawSpan) throws(JSONError) {
    guard depth <= Self.maximumDepth else {
      throw error("no more than \(Self.maximumDepth) levels of nesting", bytes)
    }
    position += 1
    skipWhitespace(bytes)
  }

  private mutating func readWord(_ word: StaticString, _ bytes: RawSpan) throws(JSONError) {
    let length = word.utf8CodeUnitCount
    for index in 0..<length {
      guard unsafe peek(bytes) == word.utf8Start[index] else { throw error("'\(word)'", bytes) }
      position += 1
    }
  }
}

extension JSONReader {
  /// The next byte, or nil at the end.
  @inline(__always)
  func peek(_ bytes: RawSpan) -> UInt8? {
    position < bytes.byteCount ? bytes[position] : nil
  }

  /// Skips `byte` if it is next, and returns whether it was.
  @inline(__always)
  mutating func skip(_ byte: UInt8, _ bytes: RawSpan) -> Bool {
    guard position < bytes.byteCount, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func skipWhitespace(_ bytes: RawSpan) {
    while position < bytes.byteCount {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Returns an error at the next byte.
  func error(_ expected: String, _ bytes: RawSpan) -> JSONError {
    JSONError(offset: position, expected: expected, in: bytes)
  }
}

extension JSONValue {
  /// Reads one JSON text; see `JSONReader` for what is refused.
  package init(parsing bytes: RawSpan) throws(JSONError) {
    var reader = JSONReader()
    self = try reader.read(bytes)
  }

  /// Reads one JSON text; see `JSONReader` for what is refused.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    unsafe try self.init(parsing: bytes.span.bytes)
  }
}
