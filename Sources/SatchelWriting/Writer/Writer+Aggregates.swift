package import LMDB
internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
package import SatchelReading

/// The totals of aggregates change in the same commit as the objects that they count: once, at the end of the
/// transaction, from the state before it to the state after it.
extension Writer {
  /// What the transaction needs to update aggregates.
  package struct Aggregation {
    let evaluator: (any AggregateEvaluator)?
    /// Runs a closure on the state before the transaction.
    let readBefore: (LMDBWriteTransaction, (Snapshot) throws -> Void) throws -> Void
    /// The ids of the aggregates that the transaction has declared: their totals are counted at its end.
    var declared: Set<UInt32> = []
    /// The changes of totals that were computed last, and the value of `Snapshot.changes` at that time.
    var known: (changes: Int, totals: [UInt32: AggregateTotals])?

    package init(
      evaluator: (any AggregateEvaluator)?,
      readBefore: @escaping (LMDBWriteTransaction, (Snapshot) throws -> Void) throws -> Void
    ) {
      self.evaluator = evaluator
      self.readBefore = readBefore
    }
  }

  /// Declares an aggregate. If it is already declared in the same way, nothing changes.
  /// - Parameter replacing: True to replace an aggregate of the same name that counts something else.
  /// - Throws: ``SatchelError`` `aggregateExists` with the other definition, `invalidValue` for an invalid name, or the
  ///   error of a query of its predicate. In each case nothing has changed.
  /// - Complexity: The same as a query for the counted objects, at the end of the transaction.
  package func declare(_ entry: AggregateEntry, replacing: Bool = false) throws {
    try Self.check(aggregate: entry.name)
    try flushed.read { try evaluator().check(entry, in: $0) }
    if let type = entry.recordType { try check(recordType: type, ["aggregate": entry.name]) }
    if let existing = try flushed.aggregate(named: entry.name) {
      guard existing.entry != entry else { return }
      guard replacing else { throw existing.conflict }
      try drop(existing)
    }
    let last = try flushed.aggregates().last?.id
    guard last != .max else {
      throw SatchelError(.storeFull, "The store has no numbers left for aggregates")
    }
    try changing {
      let id = last.map { $0 + 1 } ?? 0
      let record = entry.encode(id: id)
      try tables.put(.aggregates, ObjectKey.aggregate(id: id).bytes, record, replacing: nil)
      aggregation.declared.insert(id)
      flushed.forgetAggregates()
    }
  }

  /// Removes an aggregate and its totals.
  /// - Throws: ``SatchelError`` `unknownAggregate`. Then nothing has changed.
  /// - Complexity: O(entries).
  package func dropAggregate(named name: [UInt8]) throws {
    guard let aggregate = try flushed.aggregate(named: name) else {
      throw SatchelError(
        .unknownAggregate, "No aggregate of that name is declared",
        ["aggregate": String(decoding: name, as: UTF8.self)])
    }
    try drop(aggregate)
  }

  private func drop(_ aggregate: DeclaredAggregate) throws {
    try changing {
      let totals = try flushed.storedTotals(of: aggregate.id)
      replaceTotals(of: aggregate.id, totals.map { ($0.key, $0.value, 0) })
      try tables.remove(
        .aggregates, ObjectKey.aggregate(id: aggregate.id).bytes,
        checksum: aggregate.checksum)
      aggregation.declared.remove(aggregate.id)
      flushed.forgetAggregates()
    }
  }

  private static func check(aggregate name: [UInt8]) throws {
    guard AggregateEntry.isName(name) else {
      throw SatchelError(
        .invalidValue, "The name of an aggregate has 1 to 256 bytes, and no NUL",
        ["aggregate": String(decoding: name, as: UTF8.self)])
    }
  }

  /// What evaluates predicates: of aggregates, and of declared indexes.
  func evaluator() throws -> any AggregateEvaluator {
    guard let evaluator = aggregation.evaluator else {
      throw SatchelError(
        .notAvailable,
        "The store has aggregates or declared indexes, which this program does not keep: write by one that does"
      )
    }
    return evaluator
  }

  // MARK: At the end

  /// Throws `notAvailable` if the write's changes concern aggregates and this program cannot evaluate aggregates.
  func checkAggregates() throws {
    if changesAggregates { _ = try evaluator() }
  }

  /// Whether aggregates are declared and something has changed that they may count.
  private var changesAggregates: Bool {
    tables.seal[.aggregates].count > 0 && !(log.isEmpty && earlierLog.isEmpty && aggregation.declared.isEmpty)
  }

  /// Updates the totals with the changes of all writes of the transaction. Must follow a flush.
  func updateAggregates() throws {
    guard changesAggregates else { return }
    for (id, changes) in try aggregateChanges().sorted(by: { $0.key < $1.key }) {
      let totals = try changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
        entry, change in
        let old = try flushed.storedTotal(of: id, in: entry)
        return (entry, old, old &+ change)
      }
      replaceTotals(of: id, totals)
    }
  }

  private func replaceTotals(of id: UInt32, _ totals: [(entry: [UInt8], old: Int64, new: Int64)]) {
    for (entry, old, new) in totals where old != new {
      func key(_ total: Int64) -> TextKey {
        TextKey(group: UInt64(id), text: entry, row: UInt64(bitPattern: total))
      }
      if old != 0 { forest.remove(IndexCatalog.aggregateTotals.tree, key(old)) }
      if new != 0 { forest.insert(IndexCatalog.aggregateTotals.tree, key(new)) }
    }
  }

  /// Returns by how much the transaction has changed the totals of each aggregate so far. Only reads; the overlay must
  /// have been flushed.
  func aggregateChanges() throws -> [UInt32: AggregateTotals] {
    guard changesAggregates else { return [:] }
    if let known = aggregation.known, known.changes == flushed.changes { return known.totals }
    let evaluator = try evaluator()
    let aggregates = try flushed.aggregates()
    let log = logOfTransaction
    let entry = log.entry
    var totals: [UInt32: AggregateTotals] = [:]
    try aggregation.readBefore(transaction) { before in
      for aggregate in aggregates {
        if aggregation.declared.contains(aggregate.id) {
          totals[aggregate.id] = try flushed.read { try evaluator.totals(of: aggregate.entry, in: $0) }
        } else if !log.isEmpty {
          totals[aggregate.id] = try flushed.read { after in
            try evaluator.changes(of: aggregate.entry, by: entry, from: before, to: after)
              ?? evaluator.totals(of: aggregate.entry, in: after)
              .merging(before.storedTotals(of: aggregate.id).mapValues { 0 &- $0 }) { $0 &+ $1 }
          }
        }
      }
    }
    aggregation.known = (flushed.changes, totals)
    return totals
  }
}

extension DeclaredAggregate {
  /// The error that the name is already declared for a different definition.
  package var conflict: SatchelError {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    var context = [
      "aggregate": name, "declaredKind": entry.recordType.map(text) ?? "\(entry.kind)",
      "declaredPredicate": text(entry.predicate),
    ]
    if let group = entry.group { context["declaredGroup"] = text(group) }
    context["declaredMeasure"] = entry.property.map { "\(entry.measure) of \(text($0))" }
    return SatchelError(
      .aggregateExists,
      "An aggregate of that name is declared otherwise: take another name, or replace it", context)
  }
}
