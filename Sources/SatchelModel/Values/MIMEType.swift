/// The form of MIME types.
package enum MIMEType {
  /// Whether a text is a type and a subtype with a slash between them (`image/png`), and perhaps parameters after a
  /// semicolon, which are kept as they are. Source: RFC 9110, 8.3.1, whose tokens these are; RFC 2045, 5.1, has a few
  /// characters more.
  package static func isValid(_ text: String) -> Bool {
    var hasSlash = false
    var length = 0
    var isParameter = false
    for byte in text.utf8 {
      if isParameter {
        guard byte >= 0x20, byte != 0x7f else { return false }
      } else if byte == UInt8(ascii: "/"), !hasSlash, length > 0 {
        hasSlash = true
        length = 0
      } else if byte == UInt8(ascii: ";"), hasSlash, length > 0 {
        isParameter = true
      } else if isToken(byte) {
        length += 1
      } else {
        // Space is allowed before the semicolon; then nothing but space and the semicolon may follow.
        guard byte == 0x20, hasSlash, length > 0 else { return false }
        return hasParametersOnly(text.utf8.drop { $0 != 0x20 })
      }
    }
    return hasSlash && length > 0
  }

  private static func hasParametersOnly(_ bytes: Substring.UTF8View) -> Bool {
    let rest = bytes.drop { $0 == 0x20 }
    return rest.first == UInt8(ascii: ";") && rest.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
