internal import SatchelText

/// The tokens of a folded text, one after another, in one pass over its bytes.
///
/// - A **word** is the longest run of letters and digits, with the marks and invisible characters between them: Unicode's classes ALetter,
///   Hebrew_Letter and Numeric of Word_Break, with those that WB4 skips. A number that is none of these (², ①) is a word of its own.
/// - A **compound** is what Unicode's rules (UAX #29) keep together though more than one word, or a low line, is in it. It comes before its
///   words. Punctuation at its ends is not part of it.
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

  package init(_ utf8: UnsafeBufferPointer<UInt8>) {
    unsafe self.utf8 = utf8
    unsafe segments = WordSegments(utf8)
  }

  /// Returns the next token; nil behind the last one.
  /// - Complexity: O(text) for all tokens together.
  package mutating func next() -> TextToken? {
    while true {
      if unsafe index >= segmentEnd {
        guard let segment = unsafe segments.next() else { return nil }
        unsafe segmentEnd = segment.range.upperBound
        unsafe index = segmentEnd
        if segment.isWord, unsafe isSimple(segment.range) {
          return TextToken(kind: .word, range: segment.range)
        }
        // Spaces and punctuation of ASCII are all the rest of most texts. A vowel sign is a character also where no letter is before it.
        if unsafe !segment.isWord && utf8[segment.range.lowerBound] < 0x80 && segment.range.count == 1 {
          continue
        }
        unsafe index = segment.range.lowerBound
        unsafe knownEnd = index
        continue
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
        if let word = unsafe word(from: start, isWord: isWord) { return TextToken(kind: .word, range: word) }
      case .mark, .invisible, .lowLine, .other: break
      }
    }
  }

  /// Whether a segment is letters and digits of ASCII alone.
  @inline(__always)
  private func isSimple(_ range: Range<Int>) -> Bool {
    for index in range {
      let byte = unsafe utf8[index]
      guard byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 else { return false }
    }
    return true
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
