extension String {
  /// How many columns of a terminal the text takes.
  package var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

  /// Returns the text in at most the given columns. A longer text is cut and ends with `…`.
  package func cut(to columns: Int) -> String {
    guard utf8.count > columns, displayWidth > columns else { return self }
    guard columns > 0 else { return "" }
    var result = String.UnicodeScalarView()
    var width = 0
    for scalar in unicodeScalars {
      width += scalar.displayWidth
      guard width < columns else { break }
      result.append(scalar)
    }
    result.append("…")
    return String(result)
  }

  /// Returns the text with spaces after it, or before it, up to the given columns.
  package func padded(to columns: Int, onTheLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: Swift.max(0, columns - displayWidth))
    return onTheLeft ? spaces + self : self + spaces
  }
}

extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: none for marks and formats, two for East Asian wide ones and
  /// emoji.
  package var displayWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// The blocks of East Asian wide and full-width characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
    0x1B000...0x1B2FF, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

extension Substring {
  /// The text without white space around it.
  package var trimmed: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
