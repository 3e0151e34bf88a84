extension SearchMatcher {
  /// Returns how often each word and phrase of the pattern is in one text: what relevance counts. Of a word with a star, and of a whole one, each
  /// word and compound that it matches counts.
  /// - Parameter field: The number of the text's field in the condition.
  package mutating func frequencies(in text: String, field: Int? = nil) -> [Int] {
    collect(in: text, field)
    var counts = [Int](repeating: 0, count: condition.leaves.count)
    for hit in hits { counts[hit.leaf] += 1 }
    return counts
  }

  /// Returns where the text has what the pattern looks for: ranges of whole scalars with their marks, ascending and apart from one another.
  /// What must not be there has no ranges, and whether the object matches does not matter.
  /// - Parameter field: The number of the text's field in the condition.
  /// - Complexity: O(text + hits · log(text)).
  package mutating func highlights(in text: String, field: Int? = nil) -> [Range<String.Index>] {
    places(in: text, field).map { Self.range($0.range, of: text) }
  }

  /// The places of hits in the text's UTF-8, ascending, with those that overlap joined, and with a leaf of each.
  mutating func places(in text: String, _ field: Int?) -> [SearchHit] {
    collect(in: text, field)
    let count = text.utf8.count
    var places = hits.filter { condition.leaves[$0.leaf].isWanted }.map {
      SearchHit(leaf: $0.leaf, range: folder.original(of: $0.range, textCount: count))
    }
    places.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    var joined: [SearchHit] = []
    for place in places {
      if let last = joined.last, place.range.lowerBound < last.range.upperBound {
        let upper = max(last.range.upperBound, place.range.upperBound)
        joined[joined.count - 1] = SearchHit(leaf: last.leaf, range: last.range.lowerBound..<upper)
      } else if !place.range.isEmpty {
        joined.append(place)
      }
    }
    return joined
  }

  private mutating func collect(in text: String, _ field: Int?) {
    begin()
    var text = text
    text.withUTF8 { unsafe read($0, field: field, collectsHits: true) }
  }

  static func range(_ range: Range<Int>, of text: String) -> Range<String.Index> {
    let lower = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    return lower..<text.utf8.index(lower, offsetBy: range.count)
  }
}
