internal import SatchelText

/// A piece of a text around what was found in it, short enough for a list.
public struct SearchSnippet: Equatable, Sendable {
  /// Which part of the text it is.
  public let range: Range<String.Index>
  /// What was found, within that range, ascending and apart.
  public let highlights: [Range<String.Index>]
  /// Whether the text goes on before it.
  public let isCutBefore: Bool
  /// Whether the text goes on behind it.
  public let isCutBehind: Bool
}

extension SearchMatcher {
  /// Returns the piece of a text that has most of what the pattern looks for: first of different words, then of hits; the earliest of equal
  /// ones. Without a hit, it is the beginning of the text.
  ///
  /// It begins with a word and ends behind one, or behind punctuation. A word that is longer than all of it is cut between scalars.
  /// - Parameters:
  ///   - bytes: The most UTF-8 bytes of the piece. If fewer than 16, 16.
  ///   - field: The number of the text's field in the condition.
  /// - Complexity: O(text + hits · log(text)).
  package mutating func snippet(of text: String, bytes: Int, field: Int? = nil) -> SearchSnippet {
    let hits = places(in: text, field)
    let limit = max(bytes, 16)
    let count = text.utf8.count
    var range = 0..<count
    if count > limit {
      let window = Self.best(hits, limit, leaves: condition.leaves.count)
      // What is left is shared by both sides; what one side has no use for, the other gets.
      let left = limit - window.count
      let lower = max(0, min(window.lowerBound - left / 2, count - limit))
      range = Self.cut(text, lower..<min(count, lower + limit), around: window)
    }
    return SearchSnippet(
      range: Self.range(range, of: text),
      highlights: hits.map { $0.range.clamped(to: range) }.filter { !$0.isEmpty }.map {
        Self.range($0, of: text)
      },
      isCutBefore: range.lowerBound > 0, isCutBehind: range.upperBound < count)
  }

  /// Returns from where to where the best hits go that have room together.
  private static func best(_ hits: [SearchHit], _ limit: Int, leaves: Int) -> Range<Int> {
    guard let first = hits.first else { return 0..<0 }
    var counts = [Int](repeating: 0, count: leaves)
    var (different, best) = (0, (different: 0, hits: 0))
    var range = first.range.lowerBound..<min(first.range.upperBound, first.range.lowerBound + limit)
    var start = 0
    for (index, hit) in hits.enumerated() {
      counts[hit.leaf] += 1
      if counts[hit.leaf] == 1 { different += 1 }
      while start < index, hit.range.upperBound - hits[start].range.lowerBound > limit {
        counts[hits[start].leaf] -= 1
        if counts[hits[start].leaf] == 0 { different -= 1 }
        start += 1
      }
      let lower = hits[start].range.lowerBound
      if (different, index - start + 1) > best, hit.range.upperBound - lower <= limit {
        best = (different, index - start + 1)
        range = lower..<hit.range.upperBound
      }
    }
    return range
  }

  /// Makes a range smaller, so that it begins with a word and ends without a space, but leaves in it what it is for.
  private static func cut(_ text: String, _ range: Range<Int>, around inner: Range<Int>) -> Range<Int> {
    var text = text
    return text.withUTF8 { utf8 in
      var segments = unsafe WordSegments(utf8)
      var (lower, upper) = (inner.lowerBound, inner.upperBound)
      while let segment = unsafe segments.next() {
        let (start, end) = (segment.range.lowerBound, segment.range.upperBound)
        if start >= range.lowerBound, segment.isWord || start == 0 { lower = min(lower, start) }
        if end <= range.upperBound, unsafe utf8[start] > 0x20 { upper = max(upper, end) }
        if end > range.upperBound { break }
      }
      // A word that is longer than all of it is cut between scalars; a hit that is, as well.
      if lower >= upper || upper - lower < range.count / 4 {
        (lower, upper) = (range.lowerBound, range.upperBound)
      }
      while lower > 0, lower < utf8.count, unsafe utf8[lower] & 0xC0 == 0x80 { lower += 1 }
      while upper > lower, upper < utf8.count, unsafe utf8[upper] & 0xC0 == 0x80 { upper -= 1 }
      return lower..<upper
    }
  }
}
