/// Records of RFC 4180.
package enum CSV {
  /// Returns a record without its end.
  package static func record(_ fields: [String]) -> String {
    // A record of one empty field would be an empty line, which many readers pass over.
    guard fields != [""] else { return "\"\"" }
    return fields.map(field).joined(separator: ",")
  }

  /// Returns a field, in quotation marks if it has any character that the format gives a meaning to.
  private static func field(_ text: String) -> String {
    // Not by characters: to Swift CR and LF together are one.
    let special: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    guard text.utf8.contains(where: special.contains) else { return text }
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
