import SatchelPlanning
import SatchelReading

/// Finds the rows that several access paths have in common.
///
/// Only the rows of the path with the fewest are held. Those of the others are looked up in them as they come, and a
/// path is not read further when all of the held rows have been met. A tree of texts does not say in which conversations messages are: that
/// is found for those that are left.
struct Intersection {
  let sources: [RowSource]

  /// Returns the rows in creation order.
  /// - Complexity: O(n log m) for n rows of all paths and m rows of the smallest.
  func rows() throws -> [RowReference] {
    var sources = sources.sorted { $0.path.cardinality < $1.path.cardinality }[...]
    guard let smallest = sources.popFirst() else { return [] }
    var rows = try RowFilter(smallest.withoutPlaces).sortedRows()
    var arePlaced = smallest.saysPlaces
    for source in sources where !rows.isEmpty {
      let places = !arePlaced && source.saysPlaces
      var isCommon = [Bool](repeating: false, count: rows.count)
      var left = rows.count
      try RowFilter(source.withoutPlaces).forEach { row in
        if let index = Self.index(of: row.reference, in: rows), !isCommon[index] {
          isCommon[index] = true
          if places { rows[index] = row.reference }
          left -= 1
        }
        return left > 0
      }
      if left > 0 { rows = zip(rows, isCommon).compactMap { $1 ? $0 : nil } }
      arePlaced = arePlaced || places
    }
    if !arePlaced, !rows.isEmpty {
      var places = try MessagePlaces(smallest.snapshot)
      for index in rows.indices {
        rows[index].conversation = try places.conversation(of: rows[index].sequence)
      }
    }
    return rows
  }

  /// Returns where a row stands among ascending ones, or nil, whether or not either says in which conversation it is.
  private static func index(of row: RowReference, in rows: [RowReference]) -> Int? {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = low + (high - low) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && !(row < rows[low]) ? low : nil
  }
}
