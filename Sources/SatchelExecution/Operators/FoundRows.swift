import SatchelPlanning
import SatchelReading

/// Gives rows that are known already, found by the identifiers of their objects or combined from other rows.
struct FoundRows {
  /// In creation order.
  let rows: [RowReference]
  let snapshot: Snapshot

  /// Calls `body` with each row, after the first `skip`, until it returns false.
  func forEach(
    descending: Bool, skipping skip: Int = 0, _ body: (inout RowContext) throws -> Bool
  ) throws {
    var context = RowContext()
    for index in rows.indices.dropFirst(skip) {
      if index % IndexScanner.batch == IndexScanner.batch - 1 { try snapshot.checkBounds() }
      context.begin(rows[descending ? rows.count - 1 - index : index])
      guard try body(&context) else { return }
    }
  }
}
