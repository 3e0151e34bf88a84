/// A text as full-text search sees it: the words, compounds and characters of Documentation/Search.md, found one scalar at a time.
///
/// Letters of scripts that are searched character by character are known by the blocks in which their scripts are. Letters of theirs in other
/// blocks are not in the texts of the tests.
struct SearchText {
  struct Token: Equatable {
    /// A fragment is what a word has between scalars that are not seen.
    enum Kind { case word, compound, fragment, character }

    let kind: Kind
    let range: Range<Int>
    /// Whether it is a character directly behind another one.
    var isNext = false
  }

  /// Without cases, marks and what is not seen.
  let scalars: [Unicode.Scalar]
  /// Where scalars were that are not seen.
  private let breaks: Set<Int>
  private(set) var tokens: [Token] = []

  init(_ text: ByteString) { self.init(folded: TextForm.ofSearch.apply(to: text)) }

  /// - Parameter text: Folded, with a mark at each break.
  init(folded text: ByteString) {
    let pieces = text.scalars.split(separator: ByteString.breakMark, omittingEmptySubsequences: false)
    scalars = pieces.flatMap(\.self)
    var count = 0
    breaks = Set(
      pieces.dropLast().map { piece in
        count += piece.count
        return count
      })
    for segment in ByteString(scalars: scalars).segments {
      var start = segment.lowerBound
      while start < segment.upperBound {
        let isCharacter = Meaning(scalars[start]) == .character
        var end = start + 1
        if !isCharacter {
          while end < segment.upperBound, Meaning(scalars[end]) != .character { end += 1 }
          addWords(of: start..<end)
        } else {
          let isNext = tokens.last.map { $0.kind == .character && $0.range.upperBound == start } ?? false
          tokens.append(Token(kind: .character, range: start..<end, isNext: isNext))
        }
        start = end
      }
    }
  }

  /// Adds the words of what stands together and has no characters, and before them the compound that they make.
  private mutating func addWords(of piece: Range<Int>) {
    var words: [Range<Int>] = []
    // Words, runs of letters that make none, and low lines: the compound goes from the first one to the last one.
    var ends: [Range<Int>] = []
    var hasLowLine = false
    var start = piece.lowerBound
    while start < piece.upperBound {
      var end = start + 1
      switch Meaning(scalars[start]) {
      case .letter:
        while end < piece.upperBound, [.letter, .mark, .invisible].contains(Meaning(scalars[end])) {
          end += 1
        }
        let next = end
        while Meaning(scalars[end - 1]) == .invisible { end -= 1 }
        ends.append(start..<end)
        if scalars[start..<end].contains(where: WordKind.makesWord) { words.append(start..<end) }
        end = next
      case .number:
        ends.append(start..<end)
        words.append(start..<end)
      case .lowLine:
        ends.append(start..<end)
        hasLowLine = true
      case .character, .mark, .invisible, .nothing: break
      }
      start = end
    }
    guard let first = ends.first, let last = ends.last, !words.isEmpty else { return }
    if words.count > 1 || hasLowLine {
      tokens.append(Token(kind: .compound, range: first.lowerBound..<last.upperBound))
    }
    for word in words { tokens += [Token(kind: .word, range: word)] + fragments(of: word) }
  }

  private func fragments(of word: Range<Int>) -> [Token] {
    let cuts = word.filter { $0 > word.lowerBound && breaks.contains($0) && Meaning(scalars[$0]) == .letter }
    guard !cuts.isEmpty else { return [] }
    return zip([word.lowerBound] + cuts, cuts + [word.upperBound]).compactMap { start, end in
      var end = end
      while Meaning(scalars[end - 1]) == .invisible { end -= 1 }
      guard scalars[start..<end].contains(where: WordKind.makesWord) else { return nil }
      return Token(kind: .fragment, range: start..<end)
    }
  }

  /// What stands at a token.
  subscript(token: Token) -> [Unicode.Scalar] { Array(scalars[token.range]) }

  /// Words, compounds and fragments.
  var words: [[Unicode.Scalar]] { tokens.filter { $0.kind != .character }.map { self[$0] } }

  /// Words and characters, in which phrases are looked for: a compound is where its words are, a fragment where its word is.
  var places: [Token] { tokens.filter { $0.kind == .word || $0.kind == .character } }
}

/// What a scalar is to words.
private enum Meaning {
  case letter, mark, invisible, lowLine, character
  /// One that is no letter and no digit, such as ².
  case number
  case nothing

  init(_ scalar: Unicode.Scalar) {
    if Self.isCharacter(scalar) {
      self = .character
      return
    }
    switch WordKind(scalar) {
    case .letter, .hebrew, .digit: self = .letter
    case .underscore: self = .lowLine
    case .attached:
      let isFormat = scalar.properties.generalCategory == .format
      self = isFormat && scalar != "\u{200C}" ? .invisible : .mark
    case .apostrophe, .quotationMark, .midLetter, .midNumber, .midBoth, .lineBreak, .katakana, .other:
      self = WordKind.makesWord(scalar) ? .number : .nothing
    }
  }

  /// Letters, and the vowel signs that stand beside theirs, of Thai, Lao, Myanmar, Hangul, Khmer, Tai Le, New Tai Lue, Tai Tham, kana, Han and
  /// Tai Viet.
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
      .letterNumber:
      break
    default: return false
    }
    return switch scalar.value {
    case 0xE01...0xE7F, 0xE80...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1950...0x19DF,
      0x1A20...0x1AAF:
      true
    case 0x2E80...0x3035, 0x3038...0x30FF: true
    case 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xA9E0...0xA9FF,
      0xAA60...0xAADF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC:
      true
    case 0x1AFF0...0x1B16F, 0x20000...0x3FFFD: true
    default: false
    }
  }
}

extension Column {
  /// The string at a rank as full-text search sees it; nil if the value is no string. Made once.
  func searchText(at rank: Int) -> SearchText? {
    if let made = searched[rank] { return made }
    let made = string(at: rank, in: .ofSearch).map { SearchText(folded: $0) }
    searched[rank] = .some(made)
    return made
  }
}
