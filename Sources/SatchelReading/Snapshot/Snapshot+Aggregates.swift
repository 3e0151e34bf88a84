internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import RecordStore
package import SatchelCoding
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

  /// Returns the total of a group, with all changes of the current transaction; 0 if there is no such group.
  /// - Complexity: O(log n); inside a write also O(changed objects), once after each change.
  package func total(of aggregate: DeclaredAggregate, in group: AggregateGroup) throws -> Int64 {
    let bytes = group.bytes
    return try storedTotal(of: aggregate.id, in: bytes) &+ (pendingTotals(aggregate)?[bytes] ?? 0)
  }

  /// Calls `visit` with every group whose total is not 0, in the order of the groups' bytes, until `visit` returns
  /// false.
  package func forEachTotal(
    of aggregate: DeclaredAggregate, _ visit: (_ group: AggregateGroup, _ total: Int64) throws -> Bool
  ) throws {
    func visitDecoded(_ bytes: [UInt8], _ total: Int64) throws -> Bool {
      guard let group = AggregateGroup(bytes: bytes) else {
        throw RecordError("aggregate.totals", "\(aggregate.id)", "an entry is no group")
      }
      return try visit(group, total)
    }
    guard let pending = try pendingTotals(aggregate), !pending.isEmpty else {
      return try forEachStoredTotal(of: aggregate.id, visitDecoded)
    }
    var totals = pending
    try forEachStoredTotal(of: aggregate.id) { bytes, total in
      totals[bytes, default: 0] &+= total
      return true
    }
    for (bytes, total) in totals.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) where total != 0 {
      guard try visitDecoded(bytes, total) else { return }
    }
  }

  private func pendingTotals(_ aggregate: DeclaredAggregate) throws -> AggregateTotals? {
    try pendingAggregateTotals?()[aggregate.id]
  }

  // MARK: The index

  /// Returns the total of a group at the last commit; 0 if there is no such group.
  package func storedTotal(of id: UInt32, in group: [UInt8]) throws -> Int64 {
    let range = TextRange.text(group, group: UInt64(id))
    let row = try forest.firstRow(IndexCatalog.aggregateTotals.tree, in: range)
    return row.map { Int64(bitPattern: $0) } ?? 0
  }

  /// Calls `visit` with the groups of the last commit and their totals, in the order of the groups' bytes, until
  /// `visit` returns false.
  func forEachStoredTotal(of id: UInt32, _ visit: ([UInt8], Int64) throws -> Bool) throws {
    let end = try forest.rank(IndexCatalog.aggregateTotals.tree, of: .after(group: UInt64(id)))
    var cursor = try forest.cursor(IndexCatalog.aggregateTotals.tree)
    try cursor.seek(to: .before(group: UInt64(id)))
    while cursor.rank < end, let row = try cursor.next(), let bytes = try cursor.text() {
      guard try visit(bytes, Int64(bitPattern: row)) else { return }
    }
  }

  /// Returns the totals of all groups at the last commit.
  package func storedTotals(of id: UInt32) throws -> AggregateTotals {
    var totals: AggregateTotals = [:]
    try forEachStoredTotal(of: id) { bytes, total in
      totals[bytes] = total
      return true
    }
    return totals
  }
}
