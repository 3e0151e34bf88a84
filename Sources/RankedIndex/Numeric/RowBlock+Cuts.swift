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

  /// Rows of one node, up to an index of the block's rows.
  struct Cut {
    let end: Int
    /// What is known of their columns; nil if nothing is.
    let extents: ColumnExtents?
  }

  /// Returns what each node holds of the rows, in order. Each node takes at most `limit` bytes of rows. The result is empty only if there
  /// are no rows.
  func cuts(limit: Int, _ spread: Spread) -> [Cut] {
    let end = rows
    guard end > 0 else { return [] }
    // Most blocks fit one node or two halves, which is quick to find out.
    let middle = end / 2
    let halves = (ColumnExtents(self, 0..<middle), ColumnExtents(self, middle..<end))
    var all = halves.1
    if middle > 0 { all.join(halves.0) }
    if end * all.rowWidth <= limit { return [Cut(end: end, extents: all)] }
    if case .even = spread, middle > 0, middle * halves.0.rowWidth <= limit,
      (end - middle) * halves.1.rowWidth <= limit
    {
      return [Cut(end: middle, extents: halves.0), Cut(end: end, extents: halves.1)]
    }
    return ends(limit: limit, spread).map { Cut(end: $0, extents: nil) }
  }

  /// Returns the end of each node, where it has to be searched for row by row.
  private func ends(limit: Int, _ spread: Spread) -> [Int] {
    let end = rows
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

  /// How many rows are measured at once, as long as all of them fit.
  private static let atOnce = 16

  /// Returns the end of the longest run from `start` that fits; one row always fits.
  private func reach(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = start
    while end &- index >= Self.atOnce, measure.extend(words, rows: index..<index &+ Self.atOnce, limit: limit)
    {
      index &+= Self.atOnce
    }
    while index < end, measure.extend(words, at: index &* stride, limit: limit) { index &+= 1 }
    return max(index, start + 1)
  }

  /// Returns the start of the longest run up to `end` that fits.
  private func reachBack(_ start: Int, _ end: Int, _ limit: Int, _ measure: inout FrameMeasure) -> Int {
    var index = end
    while index &- start >= Self.atOnce,
      measure.extend(words, rows: index &- Self.atOnce..<index, limit: limit)
    {
      index &-= Self.atOnce
    }
    while index > start, measure.extend(words, at: (index &- 1) &* stride, limit: limit) { index &-= 1 }
    return index
  }
}
