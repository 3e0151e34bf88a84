/// What was found in a folded text, beside whether it matches: how often, where at all, or where first.
///
/// **Memory.** Places that touch are one range of 8 bytes, whatever was found there, and how often. So there are at most half as many ranges as the
/// folded text has bytes, 4 bytes for each of these; while the ranges of parts are put together, up to three times as much. A text that has the same
/// everywhere has one range.
struct SearchHits: Sendable {
  /// How many hits of each word and phrase count for the choice of a snippet.
  static let chosen = 64

  /// A part of the text.
  struct Place: Equatable, Sendable {
    var lower: Int32
    var upper: Int32

    var range: Range<Int> { Int(lower)..<Int(upper) }
  }

  /// How often each word and phrase was found; of those that are chosen, how many.
  private(set) var counts: [Int]
  /// Where anything was found: ascending and apart.
  private(set) var places: [Place] = []
  /// The first hits of each word and phrase, those of each ascending.
  private(set) var first: [SearchHit] = []
  /// The last one in ``first`` of each word and phrase.
  private var last: [Int]
  /// Which words and phrases have more hits than count.
  private var full: [Bool]
  /// How many words and phrases may have more hits that count.
  private var open = 0
  /// Where the places of the search that is under way begin in ``places``.
  private var streamStart = 0

  init(leaves: Int) {
    counts = [Int](repeating: 0, count: leaves)
    last = [Int](repeating: -1, count: leaves)
    full = [Bool](repeating: false, count: leaves)
  }

  /// Begins another text.
  /// - Parameter open: How many words and phrases may be found in it.
  mutating func begin(open: Int) {
    for leaf in counts.indices { (counts[leaf], last[leaf], full[leaf]) = (0, -1, false) }
    places.removeAll(keepingCapacity: places.capacity <= 1 << 16)
    first.removeAll(keepingCapacity: true)
    self.open = open
    streamStart = 0
  }

  /// Whether all words and phrases have more hits than count.
  var isFull: Bool { open == 0 }
  /// Whether there are hits that do not count.
  var isCut: Bool { full.contains(true) }
  func isFull(_ leaf: Int) -> Bool { full[leaf] }

  mutating func count(_ leaf: Int) { counts[leaf] += 1 }

  /// Takes a hit if it is one of the first. Hits of the same that overlap are one.
  mutating func choose(_ leaf: Int, _ range: Range<Int>) {
    if last[leaf] >= 0, range.lowerBound < first[last[leaf]].range.upperBound {
      let joined = first[last[leaf]].range
      first[last[leaf]].range =
        min(joined.lowerBound, range.lowerBound)..<max(joined.upperBound, range.upperBound)
    } else if counts[leaf] < Self.chosen {
      counts[leaf] += 1
      last[leaf] = first.count
      first.append(SearchHit(leaf: leaf, range: range))
    } else {
      full[leaf] = true
      open -= 1
      return
    }
    mark(range)
  }

  // MARK: Places

  /// Begins a search whose hits come nearly in order.
  mutating func beginStream() { streamStart = places.count }

  /// Takes a place of the search. One that neither touches the last one nor is behind it, which the end of a compound is before its words are,
  /// has few others behind it.
  mutating func mark(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var place = Place(
      lower: Int32(truncatingIfNeeded: range.lowerBound), upper: Int32(truncatingIfNeeded: range.upperBound))
    var end = places.count
    while end > streamStart, places[end - 1].lower > place.upper { end -= 1 }
    var start = end
    while start > streamStart, places[start - 1].upper >= place.lower {
      start -= 1
      place.lower = min(place.lower, places[start].lower)
      place.upper = max(place.upper, places[start].upper)
    }
    if start + 1 == end {
      places[start] = place
    } else if start == places.count {
      places.append(place)
    } else {
      places.replaceSubrange(start..<end, with: CollectionOfOne(place))
    }
  }

  /// Puts the places of the search together with those of the searches before it.
  mutating func endStream() {
    defer { streamStart = 0 }
    guard streamStart > 0, streamStart < places.count else { return }
    var merged: [Place] = []
    var (left, right) = (0, streamStart)
    while left < streamStart || right < places.count {
      let place: Place
      if right == places.count || (left < streamStart && places[left].lower <= places[right].lower) {
        place = places[left]
        left += 1
      } else {
        place = places[right]
        right += 1
      }
      if let end = merged.last?.upper, place.lower <= end {
        merged[merged.count - 1].upper = max(end, place.upper)
      } else {
        merged.append(place)
      }
    }
    places = merged
  }
}

/// A place in a text where a word or a phrase of the pattern is.
struct SearchHit: Equatable, Sendable {
  let leaf: Int
  var range: Range<Int>
}
