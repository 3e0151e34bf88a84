extension ByteString {
  /// Stands where scalars were that are not seen. No text of the tests has it, and it composes with nothing.
  static let breakMark: Unicode.Scalar = "\u{F0000}"

  /// In form D without nonspacing marks and scalars that are not seen, with ``breakMark`` where a word may be several because of them, and
  /// composed again. Each apostrophe is U+0027.
  var seen: ByteString {
    if isASCII { return self }
    let given = decomposed.scalars
    var left: [Unicode.Scalar] = []
    for (place, scalar) in given.enumerated() {
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      if Self.isUnseen(scalar), !Self.joinsEmoji(left, given[place...]) {
        if left.last != Self.breakMark { left.append(Self.breakMark) }
        continue
      }
      // A mark belongs to what is before it, and so does a vowel or a final of Hangul.
      if left.last == Self.breakMark, Self.isAttached(scalar) { left.removeLast() }
      left.append(["\u{2019}", "\u{2BC}"].contains(scalar) ? "'" : scalar)
    }
    return ByteString(scalars: left).composed
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x61C, 0x180E, 0xFEFF: true
    // Spaces without width, joiners and signs of direction; signs of direction; joiners and operators; more of direction and of shapes.
    case 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F: true
    default: false
    }
  }

  private static func isAttached(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return category == .spacingMark || category == .enclosingMark || 0x1160...0x11FF ~= scalar.value
  }

  /// Whether what follows begins with a zero-width joiner between two emoji.
  private static func joinsEmoji(_ before: [Unicode.Scalar], _ behind: ArraySlice<Unicode.Scalar>) -> Bool {
    guard behind.first == "\u{200D}", let next = behind.dropFirst().first, isEmoji(next) else { return false }
    var before = before.filter { $0 != breakMark }[...]
    if before.last?.properties.isEmojiModifier == true { before.removeLast() }
    return before.last.map(isEmoji) ?? false
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isEmoji && !properties.isEmojiModifier && scalar.value > 0xA8
      && !(0x1F1E6...0x1F1FF ~= scalar.value) && CaseFolding.fold(scalar) == scalar
  }
}
