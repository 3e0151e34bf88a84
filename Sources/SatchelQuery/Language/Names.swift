/// Which words the predicate language reads as names of properties.
enum Names {
  /// True for a keyword.
  static func isReserved(_ name: String) -> Bool { Keyword(name) != nil }

  /// True for a name that is printed without quotation marks: letters and digits of ASCII, `-` and `_`.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-") else { return false }
    return name.unicodeScalars.allSatisfy { $0.isASCII && continues($0) }
  }

  /// True for a scalar that a name may hold.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// The words of the predicate language, in any case; names after a dot.
enum Keyword: String {
  case and, or, not, truepredicate, falsepredicate, any, all, none, `in`, between, like, beginswith, endswith
  case contains, `true`, yes, `false`, no, `nil`, null, nan
  case matchesText = "matches-text"

  /// The bytes of the longest one.
  private static let longest = 14

  init?(_ name: String) {
    guard name.utf8.count <= Self.longest, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let bytes = name.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
    self.init(rawValue: String(decoding: bytes, as: UTF8.self))
  }
}
