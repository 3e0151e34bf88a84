/// What is wrong with a line.
public struct LineError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Walks through one line of JSON, forward only, without building a tree: the fastest way that plain Swift has to get at
/// the records of a file, so that reading the lines weighs little in the imports that are compared.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The byte after white space; 0 at the end.
  mutating func peek() -> UInt8 {
    while place < bytes.count, bytes[place] == 0x20 || (bytes[place] >= 0x09 && bytes[place] <= 0x0D) {
      place += 1
    }
    return place < bytes.count ? bytes[place] : 0
  }

  mutating func expect(_ character: Unicode.Scalar) throws {
    guard peek() == UInt8(ascii: character) else {
      throw LineError("\(character) is missing at byte \(place)")
    }
    place += 1
  }

  /// Takes a character if it is the next one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Calls `body` before each value of an object, with its key.
  mutating func object(_ body: (inout JSONScanner, String) throws -> Void) throws {
    try expect("{")
    if take("}") { return }
    repeat {
      let key = try string()
      try expect(":")
      try body(&self, key)
    } while take(",")
    try expect("}")
  }

  /// Calls `body` before each value of an array.
  mutating func array(_ body: (inout JSONScanner) throws -> Void) throws {
    try expect("[")
    if take("]") { return }
    repeat { try body(&self) } while take(",")
    try expect("]")
  }

  mutating func string() throws -> String {
    try expect("\"")
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") {
      place += 1
    }
    guard place < bytes.count else { throw LineError("a string does not end") }
    if bytes[place] == UInt8(ascii: "\"") {
      place += 1
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<place - 1]), as: UTF8.self)
    }
    return try escapedString(from: start)
  }

  private mutating func escapedString(from start: Int) throws -> String {
    var text = Array(bytes[start..<place])
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] == UInt8(ascii: "\\") else {
        text.append(bytes[place])
        place += 1
        continue
      }
      guard place + 1 < bytes.count else { break }
      let character = bytes[place + 1]
      place += 2
      switch character {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try unicodeEscape())).utf8)
      default: text.append(character)
      }
    }
    try expect("\"")
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func unicodeEscape() throws -> Unicode.Scalar {
    var value = try fourDigits()
    if (0xD800..<0xDC00).contains(value), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    {
      place += 2
      value = 0x10000 + (value - 0xD800) << 10 + (try fourDigits() &- 0xDC00) & 0x3FF
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func fourDigits() throws -> UInt32 {
    guard place + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw LineError("\\u without four digits at byte \(place)") }
    place += 4
    return value
  }

  mutating func integer() throws -> Int64 {
    let isNegative = take("-")
    let start = place
    var value: Int64 = 0
    while place < bytes.count, bytes[place] >= UInt8(ascii: "0"), bytes[place] <= UInt8(ascii: "9") {
      value = value &* 10 &+ Int64(bytes[place] & 15)
      place += 1
    }
    guard place > start else { throw LineError("a number is missing at byte \(place)") }
    return isNegative ? -value : value
  }

  mutating func boolean() throws -> Bool {
    let isTrue = peek() == UInt8(ascii: "t")
    try skip()
    return isTrue
  }

  /// Takes a null if it is the next value.
  mutating func null() -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    place += 4
    return true
  }

  /// Passes over a value of any kind.
  mutating func skip() throws {
    switch peek() {
    case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip() }
    case UInt8(ascii: "["): try array { try $0.skip() }
    case UInt8(ascii: "\""): _ = try string()
    default:
      let start = place
      while place < bytes.count, !Self.endsValue(bytes[place]) { place += 1 }
      guard place > start else { throw LineError("a value is missing at byte \(place)") }
    }
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
  }

  /// The text of a value as it stands in the line.
  mutating func verbatim(_ body: (inout JSONScanner) throws -> Void) throws -> String {
    _ = peek()
    let start = place
    try body(&self)
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<place]), as: UTF8.self)
  }
}
