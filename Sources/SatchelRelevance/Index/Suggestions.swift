import SatchelIndexing
import SatchelReading
import SatchelSearch

extension IndexedWords {
  /// Returns the terms that begin as the last word of a text does, and how many objects have each: most objects first, then in the order of
  /// their bytes. There are none if the text does not end with a word.
  /// - Complexity: O(t · log n) for t different terms that begin so.
  func suggestions(for text: String, atMost limit: Int) throws -> [(term: [UInt8], count: Int)] {
    guard limit > 0, let beginning = Self.lastWord(of: text) else { return [] }
    var terms: Set<[UInt8]> = []
    try forEachTerm(withPrefix: beginning) { term in
      let bytes = unsafe term.withUnsafeBytes { unsafe [UInt8]($0) }
      // Of a word that is longer than terms are, the end is not known.
      if bytes.last != TextTerms.cutMark { terms.insert(bytes) }
      return true
    }
    // Those that no object has any more are left out.
    let found = try terms.map { (term: $0, count: try count(of: $0)) }.filter { $0.count > 0 }
    return Array(
      found.sorted {
        $0.count > $1.count || $0.count == $1.count && $0.term.lexicographicallyPrecedes($1.term)
      }.prefix(limit))
  }

  /// Returns the word or the compound that a text ends with, folded: of characters the last one.
  private static func lastWord(of text: String) -> [UInt8]? {
    let folded = TextFolder.folded(text)
    let last = TextToken.all(of: folded).filter { $0.range.upperBound == folded.count }
    guard let start = last.map(\.range.lowerBound).min() else { return nil }
    return Array(folded[start...])
  }
}
