/// What a word or a phrase of a pattern is looked for as: its folded text, as tokens see it.
package enum SearchForm: Hashable, Sendable {
  /// A word or a compound of the text is this.
  case word([UInt8])
  /// One begins or ends with this.
  case beginning([UInt8])
  case ending([UInt8])
  /// The folded text has this in it, wherever words begin and end.
  case part([UInt8])
  /// Words and characters that follow one another.
  case phrase(SearchPhrase)

  /// - Returns: nil if nothing is left to look for: a text without letters and numbers, but between stars.
  package init?(_ text: String, _ stars: SearchTree.Stars) {
    let bytes = TextFolder.folded(text)
    if stars == .both {
      if bytes.isEmpty { return nil }
      self = .part(bytes)
      return
    }
    let tokens = TextToken.all(of: bytes)
    guard let first = tokens.first, let last = tokens.last else { return nil }
    let end = tokens.map(\.range.upperBound).max() ?? 0
    // A star counts if it stands beside a word.
    let isEnding = stars == .before && first.range.lowerBound == 0
    if !first.isCharacter, first.range.upperBound == end {
      let word = Array(bytes[first.range])
      self = isEnding ? .ending(word) : stars == .after && end == bytes.count ? .beginning(word) : .word(word)
    } else if first.isCharacter, tokens.dropFirst().allSatisfy({ $0.kind == .nextCharacter }) {
      self = .part(Array(bytes[first.range.lowerBound..<end]))
    } else {
      self = .phrase(
        SearchPhrase(
          elements: tokens.filter(\.isPosition).map {
            SearchPhrase.Element(
              bytes: Array(bytes[$0.range]), isCharacter: $0.isCharacter, isNext: $0.kind == .nextCharacter)
          }, isEnding: isEnding,
          isBeginning: stars == .after && last.range.upperBound == bytes.count))
    }
  }
}

/// Words and characters that follow one another in a text, whatever punctuation and spaces are between them.
package struct SearchPhrase: Hashable, Sendable {
  package struct Element: Hashable, Sendable {
    package let bytes: [UInt8]
    package let isCharacter: Bool
    /// A character that has to stand directly behind the one before it.
    package let isNext: Bool
  }

  package let elements: [Element]
  /// Whether a word may end with the first element, or begin with the last one, if that is no character.
  package let isEnding: Bool
  package let isBeginning: Bool

  /// Whether an element is the end of a word, or the beginning of one.
  func isEnding(at index: Int) -> Bool { isEnding && index == 0 && !elements[0].isCharacter }
  func isBeginning(at index: Int) -> Bool {
    isBeginning && index == elements.count - 1 && !elements[index].isCharacter
  }
}

extension TextToken {
  /// The tokens of a folded text.
  package static func all(of bytes: [UInt8]) -> [TextToken] {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var tokens = unsafe TextTokens(bytes)
      var all: [TextToken] = []
      while let token = unsafe tokens.next() { all.append(token) }
      return all
    }
  }
}
