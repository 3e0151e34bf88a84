extension Unicode.Scalar {
  /// Whether a terminal, or who reads it, could be led astray by the character: one that steers (controls, C1 controls
  /// too, line and paragraph separators, escapes of terminals among them), that turns the direction of the text around it,
  /// or that cannot be seen (zero-width characters, tags, fillers). Selectors of emoji style are harmless and frequent.
  package var isUnsafeToDisplay: Bool {
    if value >= 0x20, value < 0x7F { return false }
    if value >= 0xFE00, value <= 0xFE0F { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
    }
  }

  /// The character as `\n`, `\r`, `\t` or `\u{…}`.
  package var displayEscape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    }
  }
}

extension String {
  /// The text for one line of a terminal or of a table: what is unsafe to display is escaped.
  package var oneLine: String { escaped { $0.isUnsafeToDisplay } }

  /// The text for lines of a terminal: as `oneLine`, but line ends stay.
  package var displayLines: String { escaped { $0.isUnsafeToDisplay && $0 != "\n" } }

  private func escaped(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if isEscaped(scalar) {
        result.append(contentsOf: scalar.displayEscape.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
