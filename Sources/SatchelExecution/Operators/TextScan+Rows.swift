import RankedIndex
import SatchelPlanning

/// Reads the runs of a string tree.
struct TextScanner {
  private let forest: Forest
  private let scan: TextScan

  init(_ scan: TextScan, in forest: Forest) {
    self.forest = forest
    self.scan = scan
  }

  /// Calls `body` with each row in order, after the first `skip`, until it returns false.
  /// - Returns: False when `body` ended the scan.
  func forEach(
    descending: Bool, skipping skip: Int = 0, _ body: (inout RowContext) throws -> Bool
  ) throws -> Bool {
    var skip = skip
    var context = RowContext()
    var rows: [UInt64] = []
    for range in descending ? scan.positions.reversed() : scan.positions {
      if skip > 0 {
        let count = try forest.count(scan.tree, in: range)
        if skip >= count {
          skip -= count
          continue
        }
      }
      var cursor = try forest.cursor(scan.tree)
      if descending {
        try cursor.seek(toRank: forest.rank(scan.tree, of: range.upper) - skip)
      } else {
        try cursor.seek(to: range.lower)
        try cursor.skip(skip)
      }
      skip = 0
      while true {
        rows.removeAll(keepingCapacity: true)
        if descending {
          _ = try cursor.readBack(into: &rows, downTo: range.lower, limit: IndexScanner.batch)
        } else {
          _ = try cursor.read(into: &rows, upTo: range.upper, limit: IndexScanner.batch)
        }
        if rows.isEmpty { break }
        for row in rows {
          context.begin(RowReference(sequence: row))
          guard try body(&context) else { return false }
        }
        if rows.count < IndexScanner.batch { break }
      }
    }
    return true
  }
}
