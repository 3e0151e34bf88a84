import SatchelBytes
package import SatchelModel

/// Writes compact JSON into an array of bytes, key by key in the caller's order.
///
/// UTF-8 is written as it is. Only what must be escaped is: quote, backslash and the control characters below U+0020.
/// The writer adds commas and colons. The caller has to match brackets, and to write keys in objects only.
package struct JSONWriter {
  /// The bytes written so far. A caller that streams takes them and empties the array, best at the end of a line.
  package var bytes: [UInt8] = []
  /// Whether a comma has to come before the next value or key.
  private var needsComma = false

  package init() {}

  package mutating func beginObject() {
    begin(UInt8(ascii: "{"))
  }

  package mutating func endObject() {
    end(UInt8(ascii: "}"))
  }

  package mutating func beginArray() {
    begin(UInt8(ascii: "["))
  }

  package mutating func endArray() {
    end(UInt8(ascii: "]"))
  }

  package mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func null() {
    literal("null")
  }

  package mutating func bool(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  package mutating func integer(_ value: Int64) {
    separate()
    bytes.appendDecimal(value)
  }

  package mutating func unsigned(_ value: UInt64) {
    separate()
    bytes.appendDecimal(value, digits: 1)
  }

  /// Writes a number with the fewest digits that read back as the same number; `null` if it is infinite or no number.
  package mutating func number(_ value: Double) {
    literal(value.isFinite ? value.description : "null")
  }

  package mutating func string(_ value: String) {
    separate()
    var value = value
    value.withUTF8 { unsafe appendQuoted($0) }
  }

  /// Writes a string from its bytes, which must be UTF-8.
  package mutating func string(utf8: [UInt8]) {
    separate()
    unsafe utf8.withUnsafeBufferPointer { unsafe appendQuoted($0) }
  }

  /// Writes a string that is the Base64 form of `content`.
  package mutating func base64(_ content: [UInt8]) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(content, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string that is a point in time; see `RFC3339.append`.
  package mutating func date(microseconds: Int64) throws(RFC3339.OutOfRange) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    try RFC3339.append(microseconds: microseconds, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value), .whole(_, let value): literal(value.literal)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Ends a record of JSON Lines. The next value begins another record.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }
}

extension JSONWriter {
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a string in quotes. Each run of bytes that need no escape is copied in one piece.
  private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var runStart = 0
    for index in 0..<text.count {
      let byte = unsafe text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      unsafe bytes.append(contentsOf: text[runStart..<index])
      appendEscape(byte)
      runStart = index + 1
    }
    unsafe bytes.append(contentsOf: text[runStart...])
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.appendHexadecimal(UInt64(byte), digits: 2)
    default: bytes.append(byte)
    }
  }
}
