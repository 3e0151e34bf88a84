internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// Returns the declared aggregates, by ascending id. There are few.
  package func aggregates() throws -> [DeclaredAggregate] {
    if let knownAggregates { return knownAggregates }
    var found: [DeclaredAggregate] = []
    try scanObjects(from: .aggregate(id: 0)) { key, value in
      guard case .aggregate(let id) = key else { return false }
      let entry = try decoding("aggregates", "\(id)") { () throws(CodingError) in
        unsafe try AggregateEntry(value, id: id)
      }
      found.append(
        DeclaredAggregate(id: id, entry: entry, checksum: unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    knownAggregates = found
    return found
  }

  /// Makes the next call of `aggregates` read them again: a write has changed them.
  package func forgetAggregates() { knownAggregates = nil }

  /// Returns the aggregate whose name has these bytes, or nil.
  package func aggregate(named name: [UInt8]) throws -> DeclaredAggregate? {
    try aggregates().first { $0.entry.name == name }
  }

  // MARK: The index

  /// Returns the total of an entry at the last commit; 0 if there is no such entry.
  package func storedTotal(of id: UInt32, in text: [UInt8]) throws -> Int64 {
    let range = TextRange.text(text, group: UInt64(id))
    let row = try forest.firstRow(IndexCatalog.aggregateTotals.tree, in: range)
    return row.map { Int64(bitPattern: $0) } ?? 0
  }

  /// Calls `visit` with the entries of the last commit whose texts begin with `prefix`, and their totals, in the order of the
  /// texts, until `visit` returns false.
  func forEachStoredTotal(
    of id: UInt32, prefix: [UInt8] = [], _ visit: ([UInt8], Int64) throws -> Bool
  ) throws {
    let range = TextRange.prefix(prefix, group: UInt64(id))
    let end = try forest.rank(IndexCatalog.aggregateTotals.tree, of: range.upper)
    var cursor = try forest.cursor(IndexCatalog.aggregateTotals.tree)
    try cursor.seek(to: range.lower)
    while cursor.rank < end, let row = try cursor.next(), let bytes = try cursor.text() {
      guard try visit(bytes, Int64(bitPattern: row)) else { return }
    }
  }

  /// Returns the totals of all entries at the last commit.
  package func storedTotals(of id: UInt32) throws -> AggregateTotals {
    var totals: AggregateTotals = [:]
    try forEachStoredTotal(of: id) { bytes, total in
      totals[bytes] = total
      return true
    }
    return totals
  }
}
