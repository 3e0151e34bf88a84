/// How rows that do not fit one node are spread over several.
enum Spread {
  /// All but the last are filled: the rows came in at the end, and more will follow there.
  case full
  /// About the same rows in each: changes may come anywhere.
  case even
}

extension RowBlock {
  /// Where the nodes end that hold the rows; each takes at most `limit` bytes of rows. Never empty for any rows.
  func cuts(limit: Int, _ spread: Spread) -> [Int] {
    let end = rows
    // Most blocks fit one node or two halves, which is quickly seen.
    if end * rowWidth(0..<end) <= limit { return end == 0 ? [] : [end] }
    let middle = end / 2
    if case .even = spread, middle > 0, middle * rowWidth(0..<middle) <= limit,
      (end - middle) * rowWidth(middle..<end) <= limit
    {
      return [middle, end]
    }
    var measure = FrameMeasure(stride: stride)
    var start = 0
    var cuts: [Int] = []
    while start < end {
      measure.reset()
      // Even nodes of a long run keep a tenth free.
      let longest = reach(start, end, limit, &measure)
      if longest == end {
        cuts.append(end)
        break
      }
      if case .full = spread {
        cuts.append(longest)
        start = longest
        continue
      }
      measure.reset()
      let latest = reachBack(start, end, limit, &measure)
      if latest <= longest {
        cuts.append(min(max((start + end) / 2, latest), longest))
        cuts.append(end)
        break
      }
      measure.reset()
      start = max(start + 1, reach(start, end, limit - limit / 10, &measure))
      cuts.append(start)
    }
    return cuts
  }

  /// The bytes of a row in a node with some of the rows.
  private func rowWidth(_ range: Range<Int>) -> Int {
    var total = 0
    for column in 0..<stride {
      let (least, greatest) = extent(of: column, range)
      total += Self.width(greatest &- least)
    }
    return total
  }

  /// The least and the greatest value of a column; of no rows, 0.
  func extent(of column: Int, _ range: Range<Int>) -> (least: UInt64, greatest: UInt64) {
    guard !range.isEmpty else { return (0, 0) }
    var least = UInt64.max
    var greatest: UInt64 = 0
    var index = range.lowerBound &* stride &+ column
    let end = range.upperBound &* stride
    while index < end {
      let word = words[index]
      least = min(least, word)
      greatest = max(greatest, word)
      index &+= stride
    }
    return (least, greatest)
  }

  /// The end of the longest run from `start` that fits; one row always does.
  private func reach(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = start
    while index < end, measure.extend(words, at: index &* stride, limit: limit) { index &+= 1 }
    return max(index, start + 1)
  }

  /// The start of the longest run up to `end` that fits.
  private func reachBack(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = end
    while index > start, measure.extend(words, at: (index &- 1) &* stride, limit: limit) { index &-= 1 }
    return index
  }
}
