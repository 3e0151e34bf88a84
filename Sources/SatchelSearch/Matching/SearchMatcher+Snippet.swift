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
  /// ones. Without a hit, it is the beginning of the text. Of each word and phrase the first ``SearchHits/chosen`` hits count; what has more comes
  /// behind what has not.
  ///
  /// It begins with a word and ends behind one, or behind punctuation. A word that is longer than all of it is cut between scalars.
  /// - Parameters:
  ///   - bytes: The most UTF-8 bytes of the piece. If fewer than 16, 16.
  ///   - field: The number of the text's field in the condition.
  /// - Complexity: That of reading the text, at most twice. Memory for the folded text, and for the hits that count.
  package mutating func snippet(of text: String, bytes: Int, field: Int? = nil) -> SearchSnippet {
    read(text, field, for: .choosing)
    let limit = max(bytes, 16)
    let count = text.utf8.count
    var range = 0..<count
    if count > limit {
      let found = Self.withWords(
        hits.first.map {
          SearchHit(leaf: $0.leaf, range: folder.original(of: $0.range, textCount: count))
        }, text, limit)
      let window = best(found, limit)
      let isWhole = !found.contains {
        $0.range.lowerBound == window.lowerBound && $0.range.count > limit
      }
      range = Self.piece(of: text, around: window, isWhole: isWhole, limit)
    }
    if hits.isCut { read(text, field, for: .marking, within: range) }
    return SearchSnippet(
      range: Self.range(range, of: text), highlights: ranges(in: text, within: range),
      isCutBefore: range.lowerBound > 0, isCutBehind: range.upperBound < count)
  }

  /// Returns from where to where the best hits go that have room together; of a hit that has none, its beginning.
  private func best(_ found: [SearchHit], _ limit: Int) -> Range<Int> {
    func upper(_ index: Int) -> Int {
      min(found[index].range.upperBound, found[index].range.lowerBound + limit)
    }
    let byUpper = found.indices.sorted { (upper($0), $0) < (upper($1), $1) }
    let byLower = found.indices.sorted {
      (found[$0].range.lowerBound, $0) < (found[$1].range.lowerBound, $1)
    }
    var counts = [Int](repeating: 0, count: condition.leaves.count)
    var now = (rare: 0, different: 0, hits: 0)
    var best = now
    var (start, end) = (0, 0)
    for index in byUpper {
      let leaf = found[index].leaf
      counts[leaf] += 1
      now.hits += 1
      if counts[leaf] == 1 {
        now.different += 1
        now.rare += hits.isFull(leaf) ? 0 : 1
      }
      // What begins too early has ended earlier, and was counted.
      while upper(index) - found[byLower[start]].range.lowerBound > limit {
        let leaf = found[byLower[start]].leaf
        counts[leaf] -= 1
        now.hits -= 1
        if counts[leaf] == 0 {
          now.different -= 1
          now.rare -= hits.isFull(leaf) ? 0 : 1
        }
        start += 1
      }
      if now > best {
        best = now
        end = upper(index)
      }
    }
    var lower = end
    for index in found.indices where upper(index) <= end && end - found[index].range.lowerBound <= limit {
      lower = min(lower, found[index].range.lowerBound)
    }
    return lower..<end
  }

  /// Returns the piece of a text around a window that it has to show, from the beginning of a word to the end of one.
  /// - Parameter isWhole: Whether all of the window has to be shown, not only its beginning.
  private static func piece(of text: String, around window: Range<Int>, isWhole: Bool, _ limit: Int) -> Range<
    Int
  > {
    var text = text
    return text.withUTF8 { utf8 in
      let inner = isWhole ? window : window.lowerBound..<window.lowerBound
      // What is left is shared by both sides; what one side has no use for, the other gets.
      let left = isWhole ? limit - inner.count : 0
      let start = max(0, min(inner.lowerBound - left / 2, utf8.count - limit))
      let range = start..<start + limit
      var (lower, upper) = (inner.lowerBound, inner.upperBound)
      var segments = unsafe WordSegments(utf8)
      while let segment = unsafe segments.next() {
        let (start, end) = (segment.range.lowerBound, segment.range.upperBound)
        if start >= range.lowerBound, segment.isWord || start == 0 { lower = min(lower, start) }
        if end <= range.upperBound, unsafe utf8[start] > 0x20 { upper = max(upper, end) }
        if end > range.upperBound { break }
      }
      // A word that is longer than all of it is cut between scalars.
      if lower >= upper || upper - lower < limit / 4 { (lower, upper) = (range.lowerBound, range.upperBound) }
      while lower > 0, lower < utf8.count, unsafe utf8[lower] & 0xC0 == 0x80 { lower += 1 }
      while upper > lower, upper < utf8.count, unsafe utf8[upper] & 0xC0 == 0x80 { upper -= 1 }
      return lower..<upper
    }
  }

  /// Returns hits with all of the words that they begin and end within, as far as there is room.
  private static func withWords(_ hits: [SearchHit], _ text: String, _ limit: Int) -> [SearchHit] {
    var ends = hits.indices.flatMap { index in
      [(hits[index].range.lowerBound, index, true), (hits[index].range.upperBound, index, false)]
    }
    ends.sort { $0.0 < $1.0 }
    var hits = hits
    var text = text
    text.withUTF8 { utf8 in
      var segments = unsafe WordSegments(utf8)
      var next = 0
      while next < ends.count, let segment = unsafe segments.next() {
        while next < ends.count, ends[next].0 < segment.range.upperBound {
          let (place, index, isLower) = ends[next]
          next += 1
          guard segment.isWord, place > segment.range.lowerBound else { continue }
          let hit = hits[index].range
          if isLower {
            let room = hit.count > limit ? limit / 2 : limit - hit.count
            if place - segment.range.lowerBound <= room {
              hits[index].range = segment.range.lowerBound..<hit.upperBound
            }
          } else if segment.range.upperBound - hit.lowerBound <= limit {
            hits[index].range = hit.lowerBound..<segment.range.upperBound
          }
        }
      }
    }
    return hits
  }
}
