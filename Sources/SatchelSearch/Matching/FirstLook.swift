internal import SatchelText

/// Looks for a word or a phrase in the bytes of a folded text, before the text is broken into words: most texts say so much sooner that they have it,
/// or have not.
///
/// It relies on this: a letter or a digit of ASCII is in a word, whatever stands beside it, and between two of them that touch no word ends; and spaces,
/// punctuation, symbols and emoji are in no word. So what has only these around it is decided here; the rest is left to ``TextTokens``.
package struct FirstLook: Sendable {
  package enum Answer: Sendable {
    case absent, present
    /// The words of the text have to say.
    case open
  }

  /// What follows one another, of the phrase's beginning if that is long.
  private let elements: [SearchPhrase.Element]
  private let first: UInt8
  /// Whether the first one may be the end of a word, and the last one its beginning.
  private let isEnding: Bool
  private let isBeginning: Bool
  /// Whether bytes alone can say that it is there: it is letters and digits of ASCII, and all of it is looked for.
  private let isDecidable: Bool
  /// Whether a word that has a break within has nothing else to be found by: in phrases the whole word counts, not its fragments.
  package let passesOverBreaks: Bool

  /// Of a longer phrase so many elements are looked for, and longer words are not, so that a text is read in O(text).
  private static let mostElements = 8
  private static let mostBytes = TextTerms.maximumBytes

  /// - Returns: nil for a part, which has no words, and for a very long word.
  package init?(_ form: SearchForm) {
    switch form {
    case .word(let bytes): self.init(SearchPhrase(bytes), isPhrase: false)
    case .beginning(let bytes): self.init(SearchPhrase(bytes, isBeginning: true), isPhrase: false)
    case .ending(let bytes): self.init(SearchPhrase(bytes, isEnding: true), isPhrase: false)
    case .phrase(let phrase): self.init(phrase, isPhrase: true)
    case .part: return nil
    }
  }

  private init?(_ phrase: SearchPhrase, isPhrase: Bool) {
    guard phrase.elements.allSatisfy({ $0.bytes.count <= Self.mostBytes }) else { return nil }
    elements = Array(phrase.elements.prefix(Self.mostElements))
    first = elements[0].bytes[0]
    passesOverBreaks = isPhrase
    isEnding = phrase.isEnding
    isBeginning = phrase.isBeginning || elements.count < phrase.elements.count
    isDecidable =
      elements.count == phrase.elements.count && elements.allSatisfy { $0.bytes.allSatisfy(Self.isWord) }
  }

  /// Looks through a folded text. Where it has breaks, and ``passesOverBreaks`` is false, what is absent may be a fragment.
  /// - Complexity: O(text).
  package func answer(in text: UnsafeBufferPointer<UInt8>) -> Answer {
    unsafe elements[0].bytes.withUnsafeBufferPointer { literal in
      var place = 0
      while let next = unsafe ByteSearch.candidate(literal, in: text, from: place) {
        let answer = unsafe answer(in: text, at: next)
        if answer != .absent { return answer }
        place = next + 1
      }
      return .absent
    }
  }

  /// Whether it stands at a place.
  private func answer(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> Answer {
    var isOpen = !isDecidable
    if place > 0 {
      let before = unsafe text[place - 1]
      if !isEnding, Self.isWord(before), Self.isWord(first) { return .absent }
      if unsafe before >= 0x80 && !Self.isBetweenWords(text, before: place) { isOpen = true }
    }
    guard unsafe has(elements[0], text, at: place) else { return .absent }
    var end = place + elements[0].bytes.count
    for element in elements.dropFirst() {
      var next = end
      if !element.isNext { next = unsafe Self.endOfSpace(text, from: next) }
      guard next < text.count else { return .absent }
      guard unsafe has(element, text, at: next) else {
        return unsafe element.isNext || Self.beginsToken(text, at: next) ? .absent : .open
      }
      if next == end, unsafe Self.isWord(text[next - 1]), unsafe Self.isWord(text[next]) { return .absent }
      end = next + element.bytes.count
    }
    if end < text.count, !isBeginning {
      let behind = unsafe text[end]
      if unsafe Self.isWord(behind) && Self.isWord(text[end - 1]) { return .absent }
      if unsafe behind >= 0x80 && Self.endOfSpace(text, from: end) == end { isOpen = true }
    }
    return isOpen ? .open : .present
  }

  private func has(_ element: SearchPhrase.Element, _ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool
  {
    unsafe text.count - place >= element.bytes.count && ByteTable.isEqual(text, from: place, element.bytes)
  }

  /// Returns where what is in no word ends: but for low lines, all of ASCII without letters and digits is among it.
  private static func endOfSpace(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var place = start
    while place < text.count {
      let byte = unsafe text[place]
      if byte < 0x80 {
        if isWord(byte) { break }
        place += 1
      } else {
        let (scalar, next) = unsafe text.scalarBeyondASCII(at: place, byte)
        var properties = WordPropertyFinder()
        guard case .other = TokenClass(scalar, &properties) else { break }
        place = next
      }
    }
    return place
  }

  /// Whether the scalar beyond ASCII before a place is in no word.
  private static func isBetweenWords(_ text: UnsafeBufferPointer<UInt8>, before place: Int) -> Bool {
    guard let (scalar, _) = unsafe text.scalarBeyondASCII(endingAt: place) else { return false }
    var properties = WordPropertyFinder()
    return if case .other = TokenClass(scalar, &properties) { true } else { false }
  }

  /// Whether what stands at a place is in a word, or is a character: another one than what is looked for is no space between words.
  private static func beginsToken(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let byte = unsafe text[place]
    if byte < 0x80 { return isWord(byte) }
    var properties = WordPropertyFinder()
    switch unsafe TokenClass(text.scalarBeyondASCII(at: place, byte).scalar, &properties) {
    case .letter(let isWord): return isWord
    case .single, .character: return true
    case .mark, .invisible, .lowLine, .other: return false
    }
  }

  /// Whether a byte of a folded text is a letter or a digit of ASCII.
  @inline(__always)
  private static func isWord(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }
}

extension SearchPhrase {
  /// A single word.
  fileprivate init(_ word: [UInt8], isEnding: Bool = false, isBeginning: Bool = false) {
    self.init(
      elements: [Element(bytes: word, isCharacter: false, isNext: false)], isEnding: isEnding,
      isBeginning: isBeginning)
  }
}
