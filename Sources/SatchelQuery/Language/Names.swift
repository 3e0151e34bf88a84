/// The rules for names of properties in the predicate language.
enum Names {
  /// Whether a name is a keyword.
  static func isReserved(_ name: String) -> Bool { Keyword(name) != nil }

  /// Whether a name may contain a scalar.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// The keywords of the predicate language, in any case. After a dot they are names.
enum Keyword: String {
  case and, or, not, truepredicate, falsepredicate, any, all, none, `in`, between, like, beginswith, endswith
  case contains, autocomplete, `true`, yes, `false`, no, `nil`, null, nan, reference
  case matchesText = "matches-text"

  /// The length of the longest keyword, in bytes.
  private static let longest = 14

  init?(_ name: String) {
    guard name.utf8.count <= Self.longest, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let bytes = name.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
    self.init(rawValue: String(decoding: bytes, as: UTF8.self))
  }
}
