/// How rows that do not fit one node are divided among several.
enum Spread {
  /// All nodes but the last are filled: the rows were added at the end of the tree, and more will follow there.
  case full
  /// All nodes hold about the same number of rows: changes may come anywhere.
  case even
}

extension RowBlock {
  /// Whether all rows fit one node that takes `limit` bytes of rows.
  func fits(_ limit: Int) -> Bool { rows * ColumnExtents(self, 0..<rows).rowWidth <= limit }

  /// Returns the end of each node that holds the rows, as an index of the block's rows. Each node takes at most
  /// `limit` bytes of rows. The result is empty only if there are no rows.
  func cuts(limit: Int, _ spread: Spread) -> [Int] {
    let end = rows
    guard end > 0 else { return [] }
    // Most blocks fit one node or two halves, which is quick to find out.
    let middle = end / 2
    let halves = (ColumnExtents(self, 0..<middle), ColumnExtents(self, middle..<end))
    var all = halves.1
    if middle > 0 { all.join(halves.0) }
    if end * all.rowWidth <= limit { return [end] }
    if case .even = spread, middle > 0, middle * halves.0.rowWidth <= limit,
      (end - middle) * halves.1.rowWidth <= limit
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
