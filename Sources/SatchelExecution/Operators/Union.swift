import SatchelPlanning

/// Finds the rows that any of several access paths has, each row once.
struct Union {
  let sources: [RowSource]

  /// Returns the rows in creation order.
  /// - Complexity: O(n log n) for n rows of all paths, which are held.
  func rows() throws -> [RowReference] {
    var rows: [RowReference] = []
    for source in sources {
      try RowFilter(source).forEach { row in
        rows.append(row.reference)
        return true
      }
    }
    rows.sort()
    var distinct = 0
    for index in rows.indices where distinct == 0 || rows[distinct - 1] != rows[index] {
      rows[distinct] = rows[index]
      distinct += 1
    }
    rows.removeSubrange(distinct...)
    return rows
  }
}
