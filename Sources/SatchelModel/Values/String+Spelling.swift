// How the predicate language spells names, key paths and texts.

extension String {
  /// Whether the text is spelled without quotation marks where a name stands: ASCII letters and digits, `-` and `_`, the first of them
  /// no `-`.
  package var isPlainName: Bool { utf8.first != UInt8(ascii: "-") && Metadata.isName(self) }

  /// The text in quotation marks.
  package var quoted: String {
    var text = "'"
    for scalar in unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}

extension [String] {
  /// The names of a key path: joined by dots, those that are no names in quotation marks.
  package var spelledPath: String {
    lazy.map { $0.isPlainName ? $0 : $0.quoted }.joined(separator: ".")
  }
}
