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
    var measure = FrameMeasure(stride: stride)
    let end = rows
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
