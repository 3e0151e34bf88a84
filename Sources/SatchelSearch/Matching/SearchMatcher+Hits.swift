extension SearchMatcher {
  /// Returns how often each word and phrase of the pattern is in one text: what relevance counts. Of a word with a star, and of a whole one, each
  /// word and compound that it matches counts.
  /// - Parameter field: The number of the text's field in the condition.
  package mutating func frequencies(in text: String, field: Int? = nil) -> [Int] {
    read(text, field, for: .counting)
    return hits.counts
  }

  /// Returns where the text has what the pattern looks for: ranges of whole scalars with their marks, ascending and apart from one another.
  /// Hits with nothing between them but what is not seen are one range. What must not be there has no ranges, and whether the object matches does not matter.
  /// - Parameter field: The number of the text's field in the condition.
  /// - Complexity: O(text + ranges · log(text)) for each word between stars, and once for all else. Memory as ``SearchHits`` has, and 16 bytes for
  ///   each range.
  package mutating func highlights(in text: String, field: Int? = nil) -> [Range<String.Index>] {
    read(text, field, for: .marking)
    return ranges(in: text, within: 0..<text.utf8.count)
  }

  /// How many ranges are kept of the text that was read last, and how many places to find them in the original: what memory depends on.
  package var keptCounts: (ranges: Int, hits: Int, places: Int) {
    (hits.places.count, hits.first.count, folder.places.count)
  }

  mutating func read(
    _ text: String, _ field: Int?, for purpose: Purpose, within window: Range<Int>? = nil
  ) {
    begin()
    var text = text
    text.withUTF8 { unsafe read($0, field: field, for: purpose, within: window) }
  }

  /// Returns what was marked of a part of the text, where it is in the original.
  func ranges(in text: String, within window: Range<Int>) -> [Range<String.Index>] {
    let count = text.utf8.count
    var ranges: [Range<String.Index>] = []
    var last = 0..<0
    for place in hits.places {
      let range = folder.original(of: place.range, textCount: count).clamped(to: window)
      if range.isEmpty { continue }
      if !last.isEmpty, range.lowerBound <= last.upperBound {
        last = last.lowerBound..<max(last.upperBound, range.upperBound)
        continue
      }
      if !last.isEmpty { ranges.append(Self.range(last, of: text)) }
      last = range
    }
    if !last.isEmpty { ranges.append(Self.range(last, of: text)) }
    return ranges
  }

  static func range(_ range: Range<Int>, of text: String) -> Range<String.Index> {
    let lower = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    return lower..<text.utf8.index(lower, offsetBy: range.count)
  }
}
