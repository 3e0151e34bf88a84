internal import SatchelText

/// The tokens of a folded text, one after another, in one pass over its bytes.
///
/// - A **word** is the longest run of letters and digits, with the marks and invisible characters between them: Unicode's classes ALetter,
///   Hebrew_Letter and Numeric of Word_Break, with those that WB4 skips. A number that is none of these (², ①) is a word of its own.
/// - A **compound** is what Unicode's rules (UAX #29) keep together though more than one word, or a low line, is in it. It comes before its
///   words. Punctuation at its ends is not part of it.
/// - A **fragment** is what stands in a word between breaks, where folding has left out scalars that are not seen. It comes behind its word.
/// - A **character** is a letter of ``UnspacedScripts``. It ends a word, whatever Unicode's rules say.
///
/// Which words and characters a part of a text has, depends on that part alone, but for the words at its two ends: what looks for a part of a
/// text by its words relies on that. Spaces, punctuation, symbols and emoji are in no token.
///
/// Unsafe to use: nothing checks that the bytes outlive it.
@unsafe package struct TextTokens {
  private let utf8: UnsafeBufferPointer<UInt8>
  private var segments: WordSegments
  private var properties = WordPropertyFinder()
  private var index = 0
  /// The end of the segment that is read.
  private var segmentEnd = 0
  /// Up to where the segment has been looked through for compounds.
  private var knownEnd = 0
  /// Behind the last token that was a character.
  private var characterEnd = -1
  private let breaks: [Int]
  /// The first break that may be in the word that was found last, or behind it.
  private var nextBreak = 0
  /// That word, if it has a break within, and where its next fragment begins.
  private var broken = 0..<0
  private var fragmentStart = 0

  /// - Parameter breaks: ``TextFolder/breaks`` of the text; none for what is looked for, whose words are whole.
  package init(_ utf8: UnsafeBufferPointer<UInt8>, breaks: [Int] = []) {
    unsafe self.utf8 = utf8
    unsafe self.breaks = breaks
    unsafe segments = WordSegments(utf8)
  }

  /// Returns the next token; nil behind the last one.
  /// - Complexity: O(text) for all tokens together.
  package mutating func next() -> TextToken? {
    if unsafe fragmentStart < broken.upperBound, let fragment = unsafe fragment() {
      return TextToken(kind: .fragment, range: fragment)
    }
    while true {
      if unsafe index >= segmentEnd {
        if let word = unsafe simpleWord() { return unsafe token(ofWord: word) }
        guard let segment = unsafe segments.next() else { return nil }
        unsafe index = segment.range.lowerBound
        unsafe segmentEnd = segment.range.upperBound
        unsafe knownEnd = index
      }
      if unsafe index >= knownEnd, let compound = unsafe compound() {
        return TextToken(kind: .compound, range: compound)
      }
      let start = unsafe index
      let (found, next) = unsafe read(at: index)
      unsafe index = next
      switch found {
      case .character:
        let isNext = unsafe characterEnd == start
        unsafe characterEnd = next
        return TextToken(kind: isNext ? .nextCharacter : .character, range: start..<next)
      case .single: return TextToken(kind: .word, range: start..<next)
      case .letter(let isWord):
        if let word = unsafe word(from: start, isWord: isWord) { return unsafe token(ofWord: word) }
      case .mark, .invisible, .lowLine, .other: break
      }
    }
  }

  /// Returns the next word if it is letters and digits of ASCII alone, and what is before it and behind it says so without a rule of Unicode.
  /// Moves to what has to be looked at more closely, if there is none.
  private mutating func simpleWord() -> Range<Int>? {
    // Between words, punctuation and spaces of ASCII are nothing, whatever follows them.
    var start = unsafe segmentEnd
    while unsafe start < utf8.count, unsafe Self.meanings[Int(utf8[start])].isNothing { start += 1 }
    var end = start
    while unsafe end < utf8.count, unsafe Self.meanings[Int(utf8[end])] == .word { end += 1 }
    if end > start, unsafe isEnd(end) {
      unsafe segmentEnd = end
      unsafe index = end
      unsafe segments.move(to: end)
      return start..<end
    }
    unsafe segments.move(to: start)
    return nil
  }

  /// Whether a word of ASCII ends at an offset for certain.
  private func isEnd(_ end: Int) -> Bool {
    guard unsafe end < utf8.count else { return true }
    switch unsafe Self.meanings[Int(utf8[end])] {
    case .end: return true
    case .joiner: return unsafe end + 1 == utf8.count || Self.meanings[Int(utf8[end + 1])].isNothing
    case .word, .unclear: return false
    }
  }

  /// What a byte is between words and behind one.
  private enum Meaning: UInt8 {
    case word
    case end
    /// It may join a word and another one behind it.
    case joiner
    /// A low line, or no ASCII.
    case unclear

    var isNothing: Bool { self == .end || self == .joiner }
  }

  private static let meanings: [Meaning] = (UInt8(0)...255).map { byte in
    if byte >= 0x80 || byte == UInt8(ascii: "_") { return .unclear }
    if case .letter = TokenClass(ascii: byte) { return .word }
    return "'.,:;\"".utf8.contains(byte) ? .joiner : .end
  }

  /// Reads on to the end of a word, whose first letter has been read; nil if no letter or number is in it.
  private mutating func word(from start: Int, isWord: Bool) -> Range<Int>? {
    var isWord = isWord
    var end = unsafe index
    while unsafe index < segmentEnd {
      let (found, next) = unsafe read(at: index)
      guard found.continuesWord else { break }
      unsafe index = next
      switch found {
      case .letter(let makesWord):
        isWord = isWord || makesWord
        end = next
      case .mark: end = next
      case .invisible, .lowLine, .single, .character, .other: break
      }
    }
    return isWord ? start..<end : nil
  }

  // MARK: Fragments

  /// Makes the token of a word, and remembers the word if it has fragments.
  @inline(__always)
  private mutating func token(ofWord word: Range<Int>) -> TextToken {
    if unsafe nextBreak < breaks.count, unsafe hasBreak(word.lowerBound + 1),
      unsafe breaks[nextBreak] < word.upperBound
    {
      unsafe broken = word
      unsafe fragmentStart = word.lowerBound
    }
    return TextToken(kind: .word, range: word)
  }

  /// Whether there is a break at an offset or behind it, of which the first is the next one then.
  private mutating func hasBreak(_ offset: Int) -> Bool {
    while unsafe nextBreak < breaks.count, unsafe breaks[nextBreak] < offset { unsafe nextBreak += 1 }
    return unsafe nextBreak < breaks.count
  }

  /// Returns the next fragment of the broken word that has a letter or a number; nil if there is none. A mark goes on with what is before it.
  private mutating func fragment() -> Range<Int>? {
    while unsafe fragmentStart < broken.upperBound {
      let start = unsafe fragmentStart
      var (place, end, isWord) = (start, start, false)
      while unsafe place < broken.upperBound {
        let (found, next) = unsafe read(at: place)
        if case .letter(let makesWord) = found {
          if place > start, unsafe hasBreak(place), unsafe breaks[nextBreak] == place { break }
          isWord = isWord || makesWord
          end = next
        } else if case .mark = found {
          end = next
        }
        place = next
      }
      unsafe fragmentStart = place
      if isWord, unsafe start..<end != broken { return start..<end }
    }
    return nil
  }

  /// Looks through the segment from the next place on, up to a character, for a compound.
  private mutating func compound() -> Range<Int>? {
    let first = unsafe index
    var start: Int?
    var end = unsafe index
    // The words, and whether there is something else than one word between start and end.
    var words = 0
    var hasLowLine = false
    while unsafe index < segmentEnd {
      let place = unsafe index
      let (found, next) = unsafe read(at: index)
      if case .character = found { break }
      unsafe index = next
      switch found {
      case .lowLine:
        hasLowLine = true
        start = start ?? place
        end = next
      case .letter(let isWord):
        start = start ?? place
        if let word = unsafe word(from: place, isWord: isWord) {
          words += 1
          end = word.upperBound
        } else {
          end = unsafe index
        }
      case .single:
        words += 1
        start = start ?? place
        end = next
      case .mark, .invisible, .character, .other: break
      }
    }
    unsafe knownEnd = index
    unsafe index = first
    guard let start, words > 1 || (words == 1 && hasLowLine) else { return nil }
    return start..<end
  }

  @inline(__always)
  private mutating func read(at index: Int) -> (TokenClass, next: Int) {
    let byte = unsafe utf8[index]
    if byte < 0x80 { return (TokenClass(ascii: byte), index + 1) }
    let (scalar, next) = unsafe utf8.scalarBeyondASCII(at: index, byte)
    return unsafe (TokenClass(scalar, &properties), next)
  }
}
