import TestSupport

extension QueryGenerator {
  /// Beginnings of words of a text, in any order, and now and then a variant of them, what stands between words, or nothing.
  mutating func beginnings(ofWordsOf text: ByteString) -> ByteString {
    let words = text.words
    guard !words.isEmpty, !random.percent(4) else { return random.pick(["", " ", "a", "?", "🙂"]) }
    var beginnings: [Unicode.Scalar] = []
    for _ in 0..<(random.percent(60) ? 1 : 2 + random.below(3)) {
      let scalars = random.pick(words).scalars
      let length = random.percent(25) ? scalars.count : 1 + random.below(scalars.count)
      // Now and then not from the beginning on.
      let start = random.percent(12) ? random.below(scalars.count) : 0
      if !beginnings.isEmpty { beginnings.append(random.pick([" ", " ", ",", "-", "\n"])) }
      beginnings += scalars[start...].prefix(length)
    }
    let result = ByteString(scalars: beginnings)
    switch random.below(8) {
    case 0: return variant(of: result)
    case 1: return result.withoutMarks.caseFolded
    case 2: return result.decomposed
    default: return result
    }
  }
}
