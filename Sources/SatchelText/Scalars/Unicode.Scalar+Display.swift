extension Unicode.Scalar {
  /// Whether the character could mislead a terminal or its reader.
  ///
  /// Such a character controls the terminal (C0 and C1 controls, the escape character among them, and line and
  /// paragraph separators), changes the direction of the text around it, or is invisible (zero-width characters, tags,
  /// fillers). The selectors of emoji style are harmless and frequent, so they are not among them.
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
  /// The text for one line of a terminal or a table: characters that are unsafe to display are escaped.
  package var oneLine: String { escaped { $0.isUnsafeToDisplay } }

  /// The text for several lines of a terminal: like `oneLine`, but line feeds stay.
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
