/// The segments of a text between its word boundaries, and which of them are words: the default rules of Unicode (UAX #29, WB1 to
/// WB999), in one pass over the text's UTF-8 bytes.
///
/// Han, Hiragana, and the scripts that Unicode leaves to dictionaries (Thai, Lao, Khmer, Myanmar) have a segment for each scalar, with the
/// marks behind it. Katakana, Hangul and the other alphabets have one for each run of letters and digits. Bytes that are not UTF-8 are
/// segments of one byte, and no words.
///
/// Unsafe to use: nothing checks that the bytes outlive it.
@unsafe package struct WordSegments {
  /// A piece of the text between two boundaries.
  package struct Segment: Equatable, Sendable {
    /// Where it is, as offsets of bytes.
    package let range: Range<Int>
    /// Whether it has a letter or a number; see `WordProperty`.
    package let isWord: Bool
  }

  /// Whether there is a boundary between two scalars.
  private enum Decision {
    case boundary
    case joined(as: WordProperty.Class)
    /// Joined only if the next scalar but skipped ones is of these classes.
    case joinedBeforeLetter, joinedBeforeHebrewLetter, joinedBeforeNumber
  }

  private let utf8: UnsafeBufferPointer<UInt8>
  private var properties = WordPropertyFinder()
  /// Where the next segment begins.
  private var start = 0
  /// How many scalars have been read, each time that one was.
  package private(set) var scalarsRead = 0

  package init(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe self.utf8 = utf8 }

  /// Goes on at another offset, which has to be a boundary or stand directly behind a single scalar that no scalar behind it is joined to but
  /// those that WB4 skips.
  package mutating func move(to offset: Int) { unsafe start = offset }

  /// Returns the next segment; nil behind the last one. The segments are the whole text.
  /// - Complexity: O(text) for all segments together: no scalar is read more than three times.
  package mutating func next() -> Segment? {
    guard unsafe start < utf8.count else { return nil }
    let first = unsafe read(at: start)
    var end = first.next
    var isWord = first.property.makesWord
    var previous = first.property.wordClass
    // The class of the last scalar that WB4 does not skip, or what it was joined as.
    var left = previous
    while unsafe end < utf8.count {
      if left == .letter || left == .numeric {
        let behind = unsafe endOfWordOfASCII(from: end)
        unsafe scalarsRead += behind - end
        if behind > end {
          previous = unsafe utf8[behind - 1] < 0x3A ? .numeric : .letter
          left = previous
          isWord = true
          end = behind
          continue
        }
      }
      let (property, next) = unsafe read(at: end)
      guard let joined = unsafe joined(left, previous, property, next) else { break }
      left = joined
      previous = property.wordClass
      isWord = isWord || property.makesWord
      end = next
    }
    let range = unsafe start..<end
    unsafe start = end
    return Segment(range: range, isWord: isWord)
  }

  /// Returns where the next word is; nil behind the last one.
  package mutating func nextWord() -> Range<Int>? {
    while let segment = unsafe next() {
      if segment.isWord { return segment.range }
    }
    return nil
  }

  /// Returns what stands before the next place if a scalar belongs to the segment before it; nil if there is a boundary.
  /// - Parameters:
  ///   - previous: The class of the scalar before it.
  ///   - next: The offset behind the scalar.
  @inline(__always)
  private mutating func joined(
    _ left: WordProperty.Class, _ previous: WordProperty.Class, _ property: WordProperty, _ next: Int
  ) -> WordProperty.Class? {
    let right = property.wordClass
    switch previous {
    case .carriageReturn: return right == .lineFeed ? right : nil  // WB3, WB3a
    case .lineFeed, .newline: return nil  // WB3a
    case .zeroWidthJoiner where property.isPictographic: return right  // WB3c
    case .space where right == .space: return right  // WB3d
    default: break
    }
    switch right {
    case .extend, .format, .zeroWidthJoiner: return left  // WB4
    default: break
    }
    switch unsafe Self.decision(left, right) {
    case .boundary: return nil
    case .joined(let joined): return joined
    case .joinedBeforeLetter:
      return unsafe follows(next) { $0 == .letter || $0 == .hebrewLetter } ? .bridge : nil
    case .joinedBeforeHebrewLetter:
      return unsafe follows(next) { $0 == .hebrewLetter } ? .bridge : nil
    case .joinedBeforeNumber: return unsafe follows(next) { $0 == .numeric } ? .bridge : nil
    }
  }

  /// The rules from WB5 on, and WB3b, which is that nothing joins a line break.
  private static func decision(_ left: WordProperty.Class, _ right: WordProperty.Class) -> Decision {
    switch (left, right) {
    case (.bridge, _): .joined(as: right)  // WB7, WB7c, WB11
    case (.hebrewApostrophe, .letter), (.hebrewApostrophe, .hebrewLetter): .joined(as: right)  // WB7
    case (.hebrewLetter, .singleQuote): .joined(as: .hebrewApostrophe)  // WB7a
    case (.hebrewLetter, .doubleQuote): .joinedBeforeHebrewLetter  // WB7b
    case (.letter, _), (.hebrewLetter, _):
      switch right {
      case .letter, .hebrewLetter, .numeric, .extendNumLet: .joined(as: right)  // WB5, WB9, WB13a
      case .midLetter, .midNumLet, .singleQuote: .joinedBeforeLetter  // WB6
      default: .boundary
      }
    case (.numeric, _):
      switch right {
      case .numeric, .letter, .hebrewLetter, .extendNumLet: .joined(as: right)  // WB8, WB10, WB13a
      case .midNum, .midNumLet, .singleQuote: .joinedBeforeNumber  // WB12
      default: .boundary
      }
    case (.katakana, .katakana), (.katakana, .extendNumLet):
      .joined(as: right)  // WB13, WB13a
    case (.extendNumLet, _):
      switch right {
      case .letter, .hebrewLetter, .numeric, .katakana, .extendNumLet: .joined(as: right)  // WB13a, WB13b
      default: .boundary
      }
    // A third one is joined with the fourth.
    case (.regionalIndicator, .regionalIndicator): .joined(as: .other)  // WB15, WB16
    default: .boundary  // WB999
    }
  }

  /// Returns whether the first scalar at or behind an offset that WB4 does not skip is of some classes.
  private mutating func follows(
    _ offset: Int, _ isWanted: (WordProperty.Class) -> Bool
  ) -> Bool {
    var offset = offset
    while unsafe offset < utf8.count {
      let (property, next) = unsafe read(at: offset)
      switch property.wordClass {
      case .extend, .format, .zeroWidthJoiner: offset = next
      case let found: return isWanted(found)
      }
    }
    return false
  }

  /// Returns the offset behind letters and digits of ASCII, which are joined to a letter or a digit before them.
  @inline(__always)
  private func endOfWordOfASCII(from start: Int) -> Int {
    var end = start
    while unsafe end < utf8.count {
      let byte = unsafe utf8[end]
      guard (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 else { break }
      end += 1
    }
    return end
  }

  @inline(__always)
  private mutating func read(at index: Int) -> (property: WordProperty, next: Int) {
    let byte = unsafe utf8[index]
    unsafe scalarsRead += 1
    if byte < 0x80 { return (WordProperty(bits: WordProperty.ascii[Int(byte)]), index + 1) }
    let (scalar, next) = unsafe utf8.scalarBeyondASCII(at: index, byte)
    return unsafe (properties.property(of: scalar), next)
  }
}
