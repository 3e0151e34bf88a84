import RankedIndex
import RankedKeys
import SatchelPlanning
import SatchelReading

/// Reads the runs of a string tree.
struct TextScanner {
  private let snapshot: Snapshot
  private let scan: TextScan

  init(_ scan: TextScan, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.scan = scan
  }

  /// Returns the runs without what lies before the cut, in the order in which they are read.
  func ranges(descending: Bool, from cut: TextCut?) -> [TextRange] {
    let ranges =
      cut.map { cut in scan.positions.compactMap { cut.cutting($0, descending: descending) } }
      ?? scan.positions
    return descending ? ranges.reversed() : ranges
  }

  /// Calls `body` with each row in order, after the first `skip`, until it returns false.
  /// - Parameters:
  ///   - limit: How many rows are wanted, if it is known: so many are read at once at first.
  ///   - isPlacing: Whether rows of messages say in which conversation they are: a descent in another tree for each.
  /// - Returns: False when `body` ended the scan.
  func forEach(
    descending: Bool, skipping skip: Int = 0, from cut: TextCut? = nil, atMost limit: Int? = nil,
    placing isPlacing: Bool = true, _ body: (inout RowContext) throws -> Bool
  ) throws -> Bool {
    let forest = snapshot.forest
    var skip = skip
    var context = RowContext()
    var batchSize = min(IndexScanner.batch, max(1, limit ?? IndexScanner.batch))
    var rows: [UInt64] = []
    var places = isPlacing && scan.kind == .messages ? try MessagePlaces(snapshot) : nil
    for range in ranges(descending: descending, from: cut) {
      if skip > 0 {
        let count = try forest.count(scan.tree, in: range)
        if skip >= count {
          skip -= count
          continue
        }
      }
      var cursor = try forest.cursor(scan.tree)
      try cursor.seek(to: descending ? range.upper : range.lower)
      if skip > 0 { try cursor.skip(descending ? -skip : skip) }
      skip = 0
      while true {
        rows.removeAll(keepingCapacity: true)
        if descending {
          _ = try cursor.readBack(into: &rows, downTo: range.lower, limit: batchSize)
        } else {
          _ = try cursor.read(into: &rows, upTo: range.upper, limit: batchSize)
        }
        if rows.isEmpty { break }
        for row in rows {
          context.begin(
            RowReference(
              sequence: row, conversation: try places?.conversation(of: row) ?? scan.recordType))
          guard try body(&context) else { return false }
        }
        if rows.count < batchSize { break }
        try snapshot.checkBounds()
        batchSize = IndexScanner.batch
      }
    }
    return true
  }
}
