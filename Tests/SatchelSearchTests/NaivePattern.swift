import SatchelSearch
import SatchelText

/// What a pattern matches, by the rules as Documentation/Search.md has them, tried at every place of every text.
enum NaivePattern {
  /// Whether an object matches; nil if the pattern says nothing.
  static func matches(_ pattern: SearchTree, _ texts: [(field: String?, text: NaiveText)]) -> Bool? {
    switch pattern {
    case .words(let text, let stars): return matches(text, stars, texts.map(\.text))
    case .conjunction(let parts):
      let answers = parts.compactMap { matches($0, texts) }
      return answers.isEmpty ? nil : answers.allSatisfy(\.self)
    case .disjunction(let parts):
      let answers = parts.compactMap { matches($0, texts) }
      return answers.isEmpty ? nil : answers.contains(true)
    case .negation(let part): return matches(part, texts).map { !$0 }
    case .inField(let name, let part):
      // The innermost field counts, so the outer one only says where those without a field are looked for.
      return matches(scoped(part, name), texts.map { ($0.field, $0.text) })
    }
  }

  /// Takes a field to the words.
  private static func scoped(_ pattern: SearchTree, _ name: String) -> ScopedPattern {
    switch pattern {
    case .words(let text, let stars): .words(name, text, stars)
    case .conjunction(let parts): .all(parts.map { scoped($0, name) })
    case .disjunction(let parts): .any(parts.map { scoped($0, name) })
    case .negation(let part): .not(scoped(part, name))
    case .inField(let inner, let part): scoped(part, inner)
    }
  }

  private indirect enum ScopedPattern {
    case words(String, String, SearchTree.Stars)
    case all([ScopedPattern])
    case any([ScopedPattern])
    case not(ScopedPattern)
  }

  private static func matches(_ pattern: ScopedPattern, _ texts: [(field: String?, text: NaiveText)]) -> Bool?
  {
    switch pattern {
    case .words(let name, let text, let stars):
      return matches(text, stars, texts.filter { $0.field == name }.map(\.text))
    case .all(let parts):
      let answers = parts.compactMap { matches($0, texts) }
      return answers.isEmpty ? nil : answers.allSatisfy(\.self)
    case .any(let parts):
      let answers = parts.compactMap { matches($0, texts) }
      return answers.isEmpty ? nil : answers.contains(true)
    case .not(let part): return matches(part, texts).map { !$0 }
    }
  }

  private static func matches(_ text: String, _ stars: SearchTree.Stars, _ texts: [NaiveText]) -> Bool? {
    let wanted = NaiveText(text)
    if stars == .both {
      return wanted.scalars.isEmpty ? nil : texts.contains { holds($0.scalars, wanted.scalars) }
    }
    guard let first = wanted.tokens.first, let last = wanted.positions.last else { return nil }
    let isEnding = stars == .before && first.range.lowerBound == 0
    let isBeginning = stars == .after && last.range.upperBound == wanted.scalars.count
    if first.kind == .word || first.kind == .compound, first.range.upperBound == wanted.lastPlace {
      let word = Array(wanted.scalars[first.range])
      let isBeginning = stars == .after && first.range.upperBound == wanted.scalars.count
      return texts.contains { text in
        text.words.contains {
          isEnding ? $0.ends(with: word) : isBeginning ? $0.starts(with: word) : $0 == word
        }
      }
    }
    let positions = wanted.positions
    if first.kind == .character, positions.dropFirst().allSatisfy({ $0.kind == .nextCharacter }) {
      let characters = Array(wanted.scalars[first.range.lowerBound..<last.range.upperBound])
      return texts.contains { holds($0.scalars, characters) }
    }
    return texts.contains { text in
      let places = text.positions
      guard places.count >= positions.count else { return false }
      return (0...places.count - positions.count).contains { start in
        positions.indices.allSatisfy { index in
          let (want, have) = (positions[index], places[start + index])
          let (one, other) = (Array(wanted.scalars[want.range]), Array(text.scalars[have.range]))
          if want.kind == .nextCharacter, have.kind != .nextCharacter { return false }
          if want.kind == .word, have.kind == .word {
            if index == 0, isEnding { return other.ends(with: one) }
            if index == positions.count - 1, isBeginning { return other.starts(with: one) }
          }
          return one == other
        }
      }
    }
  }

  static func holds(_ text: [UInt32], _ part: [UInt32]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
  }
}

extension NaiveText {
  /// Behind the last token.
  var lastPlace: Int { tokens.map(\.range.upperBound).max() ?? 0 }
}

extension [UInt32] {
  func ends(with other: [UInt32]) -> Bool { count >= other.count && suffix(other.count).elementsEqual(other) }
}
