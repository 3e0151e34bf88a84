/// How rows that do not fit one node are divided among several.
enum Spread {
  /// All nodes but the last are filled: the rows were added at the end of the tree, and more will follow there.
  case full
  /// All nodes hold about the same number of rows: changes may come anywhere.
  case even
}

extension RowBlock {
  /// Returns the end of each node that holds the rows, as an index of the block's rows. Each node takes at most
  /// `limit` bytes of rows. The result is empty only if there are no rows.
  func cuts(limit: Int, _ spread: Spread) -> [Int] {
    let end = rows
    // Most blocks fit one node or two halves, which is quick to find out.
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
      // Nodes of an even spread over a long run keep a tenth free.
      measure.reset()
      start = max(start + 1, reach(start, end, limit - limit / 10, &measure))
      cuts.append(start)
    }
    return cuts
  }

  /// Returns the bytes of one row in a node with the rows of `range`.
  private func rowWidth(_ range: Range<Int>) -> Int {
    var total = 0
    for column in 0..<stride {
      let (least, greatest) = extent(of: column, range)
      total += Self.width(greatest &- least)
    }
    return total
  }

  /// Returns the least and the greatest value of a column; both are 0 if `range` is empty.
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

  /// Returns the end of the longest run from `start` that fits; one row always fits.
  private func reach(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = start
    while index < end, measure.extend(words, at: index &* stride, limit: limit) { index &+= 1 }
    return max(index, start + 1)
  }

  /// Returns the start of the longest run up to `end` that fits.
  private func reachBack(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = end
    while index > start, measure.extend(words, at: (index &- 1) &* stride, limit: limit) { index &-= 1 }
    return index
  }
}
