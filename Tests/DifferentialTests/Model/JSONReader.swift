/// Reads one JSON value from bytes, byte-exactly: no normalisation, no merging of keys that only look alike.
struct JSONReader {
  struct Malformed: Error {
    let reason: String
    let offset: Int
  }

  private let bytes: ArraySlice<UInt8>
  private var at: Int
  private var depth = 0

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  static func read(_ bytes: ArraySlice<UInt8>) throws -> JSONValue {
    var reader = JSONReader(bytes)
    if bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil {
      throw reader.malformed("not UTF-8")
    }
    let value = try reader.value()
    reader.skipSpace()
    guard reader.at == bytes.endIndex else { throw reader.malformed("more after the value") }
    return value
  }

  private func malformed(_ reason: String) -> Malformed {
    Malformed(reason: reason, offset: at - bytes.startIndex)
  }

  private var next: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value() throws -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { try $0.object() }
    case UInt8(ascii: "["): return try nested { try $0.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func nested(_ body: (inout JSONReader) throws -> JSONValue) throws -> JSONValue {
    guard depth < 500 else { throw malformed("nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    at += 1
    return try body(&self)
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw malformed("unknown word") }
    at += word.utf8.count
    return value
  }

  private mutating func object() throws -> JSONValue {
    var members: [JSONValue.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw malformed("':' expected") }
      members.append(.init(key: key, value: try value()))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw malformed("'}' expected") }
    return .object(members)
  }

  private mutating func array() throws -> JSONValue {
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value())
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw malformed("']' expected") }
    return .array(elements)
  }

  private mutating func number() throws -> ByteString {
    let start = at
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    _ = take(UInt8(ascii: "-"))
    guard isDigit(next) else { throw malformed("a value expected") }
    if !take(UInt8(ascii: "0")) { while isDigit(next) { at += 1 } }
    if take(UInt8(ascii: ".")) {
      guard isDigit(next) else { throw malformed("a digit expected") }
      while isDigit(next) { at += 1 }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard isDigit(next) else { throw malformed("a digit expected") }
      while isDigit(next) { at += 1 }
    }
    return ByteString(utf8: Array(bytes[start..<at]))
  }

  private mutating func string() throws -> ByteString {
    guard take(UInt8(ascii: "\"")) else { throw malformed("a string expected") }
    var text: [UInt8] = []
    while true {
      let start = at
      while let byte = next, byte != 0x22, byte != 0x5C, byte >= 0x20 { at += 1 }
      text.append(contentsOf: bytes[start..<at])
      guard let byte = next, byte >= 0x20 else { throw malformed("a string without its end") }
      at += 1
      if byte == 0x22 { return ByteString(utf8: text) }
      try escape(into: &text)
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    guard let kind = next else { throw malformed("an escape without its end") }
    at += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var value = try fourDigits()
      if (0xD800..<0xDC00).contains(value) {
        guard take(0x5C), take(UInt8(ascii: "u")) else { throw malformed("half a surrogate pair") }
        let low = try fourDigits()
        guard (0xDC00..<0xE000).contains(low) else { throw malformed("half a surrogate pair") }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { throw malformed("half a surrogate pair") }
      text.append(contentsOf: ByteString(scalars: [scalar]).utf8)
    default: throw malformed("unknown escape")
    }
  }

  private mutating func fourDigits() throws -> UInt32 {
    let digits = bytes[at..<min(at + 4, bytes.endIndex)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("four hexadecimal digits expected") }
    at += 4
    return value
  }
}
