/// The words of a text: the segments between the word boundaries of UAX #29 that have a letter or a number.
///
/// It looks at one boundary at a time, at what stands to its left and right, and knows what scalars are from the properties that Swift's
/// library has of them and from short lists. Of what stands between words it knows no more than that it is no word. It differs from the
/// rules where a pictograph that is no emoji, or an emoji that is a letter, stands behind a joiner, and for scalars that Unicode has changed since the version of the
/// library. No text of the tests has them.
extension ByteString {
  var words: [ByteString] {
    let scalars = self.scalars
    return segments.map { scalars[$0] }.filter { $0.contains(where: WordKind.makesWord) }
      .map { ByteString(scalars: Array($0)) }
  }

  /// What stands between two boundaries, as ranges of scalars.
  var segments: [Range<Int>] {
    let scalars = self.scalars
    let kinds = scalars.map(WordKind.init)
    var segments: [Range<Int>] = []
    var start = 0
    for end in scalars.indices.map({ $0 + 1 })
    where end == scalars.count || WordKind.isBoundary(kinds, scalars, at: end) {
      segments.append(start..<end)
      start = end
    }
    return segments
  }
}

/// What a scalar is to the boundaries of words.
enum WordKind {
  case letter, hebrew, katakana, digit, underscore
  case apostrophe, quotationMark, midLetter, midNumber, midBoth
  /// A mark, a joiner or a format character: part of what stands before it.
  case attached
  case lineBreak
  /// What is joined to nothing, or to what makes no word of it.
  case other

  init(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    switch scalar.value {
    case 0x27: self = .apostrophe
    case 0x22: self = .quotationMark
    case 0x2E, 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E: self = .midBoth
    case 0x3A, 0xB7, 0x387, 0x55F, 0x5F4, 0x2027, 0xFE13, 0xFE55, 0xFF1A: self = .midLetter
    case 0x2C, 0x3B, 0x37E, 0x589, 0x60C, 0x60D, 0x66C, 0x7F8, 0x2044, 0xFE10, 0xFE14, 0xFE50, 0xFE54, 0xFF0C,
      0xFF1B:
      self = .midNumber
    case 0xA...0xD, 0x85, 0x2028, 0x2029: self = .lineBreak
    case 0x200B: self = .other
    case 0x202F: self = .underscore
    case 0x66B: self = .digit
    case 0x5D0...0x5EA, 0x5EF...0x5F2, 0xFB1D, 0xFB1F...0xFB28, 0xFB2A...0xFB4F: self = .hebrew
    case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3031...0x3035, 0x309B, 0x309C, 0x30A0, 0x31F0...0x31FF,
      0x32D0...0x32FE, 0x3300...0x3357, 0xFF66...0xFF9D, 0x1AFF0...0x1AFFE, 0x1B000, 0x1B120...0x1B122,
      0x1B155, 0x1B164...0x1B167:
      self = .katakana
    // Symbols between letters, and Armenian and Hebrew signs.
    case 0x2C2...0x2C5, 0x2D2...0x2D7, 0x2DE, 0x2DF, 0x2E5...0x2EB, 0x2ED, 0x2EF...0x2FF, 0x55A...0x55C,
      0x55E,
      0x58A, 0x5F3, 0xA708...0xA716, 0xA720, 0xA721, 0xA789, 0xA78A, 0xAB5B:
      self = .letter
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .spacingMark: self = .attached
      case .format: self = .attached
      case .connectorPunctuation: self = .underscore
      case .decimalNumber: self = .digit
      default:
        if properties.isEmojiModifier || properties.isGraphemeExtend {
          self = .attached
        } else {
          self = Self.isOfAlphabet(scalar) ? .letter : .other
        }
      }
    }
  }

  /// Whether a scalar is a letter of a script that puts space between words. Han, Hiragana, Thai, Lao, Myanmar, Khmer, Tai Le, New Tai Lue,
  /// Tai Tham, Tai Viet and Ahom do not.
  private static func isOfAlphabet(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.isAlphabetic, !scalar.properties.isIdeographic else { return false }
    return switch scalar.value {
    case 0x3041...0x3096, 0x309D...0x309F, 0x1B001...0x1B11F, 0x1B132, 0x1B150...0x1B152: false
    case 0xE01...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF: false
    case 0xA9E0...0xA9FE, 0xAA60...0xAADF, 0x11700...0x1174F: false
    default: true
    }
  }

  static func makesWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .decimalNumber, .letterNumber, .otherNumber: true
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: scalar.properties.isAlphabetic
    }
  }

  private var isLetter: Bool { self == .letter || self == .hebrew }

  /// Digits and the letters of flags are emoji too.
  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.value > 0xA8 && !(0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Whether there is a boundary before a scalar, of which there is one before.
  static func isBoundary(_ kinds: [WordKind], _ scalars: [Unicode.Scalar], at place: Int) -> Bool {
    let right = kinds[place]
    if kinds[place - 1] == .lineBreak || right == .lineBreak { return true }
    if scalars[place - 1] == "\u{200D}", isPictograph(scalars[place]) { return false }
    if right == .attached { return false }
    // What is attached belongs to what it is attached to, and to nothing at the beginning of a line.
    var before: [WordKind] = []
    var index = place - 1
    while before.count < 2, index >= 0, kinds[index] != .lineBreak {
      if kinds[index] != .attached { before.append(kinds[index]) }
      index -= 1
    }
    guard let left = before.first else { return true }
    let second = before.count > 1 ? before[1] : .other
    let next = kinds[(place + 1)...].first { $0 != .attached } ?? .other
    switch (left, right) {
    case (_, _) where left.isLetter && right.isLetter: return false
    case (.digit, _) where right == .digit || right.isLetter: return false
    case (_, .digit) where left.isLetter: return false
    case (.katakana, .katakana): return false
    case (.underscore, _) where right.isLetter || [.digit, .katakana, .underscore].contains(right):
      return false
    case (_, .underscore) where left.isLetter || left == .digit || left == .katakana: return false
    case (.hebrew, .apostrophe): return false
    case (.hebrew, .quotationMark): return next != .hebrew
    case (.quotationMark, .hebrew): return second != .hebrew
    case (_, .apostrophe), (_, .midBoth), (_, .midLetter), (_, .midNumber):
      let joinsLetters = left.isLetter && next.isLetter && right != .midNumber
      let joinsDigits = left == .digit && next == .digit && right != .midLetter
      return !(joinsLetters || joinsDigits)
    case (.apostrophe, _), (.midBoth, _), (.midLetter, _), (.midNumber, _):
      let joinsLetters = second.isLetter && right.isLetter && left != .midNumber
      let joinsDigits = second == .digit && right == .digit && left != .midLetter
      return !(joinsLetters || joinsDigits)
    default: return true
    }
  }
}
