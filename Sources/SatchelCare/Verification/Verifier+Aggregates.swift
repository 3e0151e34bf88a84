internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading

/// Compares the totals of the aggregates with the objects that they count.
extension Verifier {
  private static let location = IndexCatalog.aggregateTotals.name

  mutating func checkAggregates() throws {
    var aggregates: [UInt64: DeclaredAggregate] = [:]
    try attempt("aggregates", "") { verifier in
      for aggregate in try verifier.snapshot.aggregates() { aggregates[UInt64(aggregate.id)] = aggregate }
    }
    var counted: [UInt64: AggregateTotals] = [:]
    if let evaluator = snapshot.aggregateEvaluator {
      for (id, aggregate) in aggregates {
        try attempt("aggregates", aggregate.name) { verifier in
          do {
            counted[id] = try evaluator.totals(of: aggregate.entry, in: verifier.snapshot)
          } catch let error as SatchelError {
            verifier.report.add("aggregates", aggregate.name, "it cannot be counted: \(error)")
          }
        }
      }
    }
    try attempt(Self.location, "") { try $0.compareTotals(aggregates, &counted) }
    for (id, totals) in counted {
      for (text, total) in totals where total != 0 {
        report.addDerived(
          Self.location, Self.name(aggregates[id], text), "it has no entry, and comes to \(total)")
      }
    }
  }

  /// Compares the entries of the index with the counted totals, and removes each entry found in the index from
  /// `counted`.
  private mutating func compareTotals(
    _ aggregates: [UInt64: DeclaredAggregate], _ counted: inout [UInt64: AggregateTotals]
  ) throws {
    var cursor = try snapshot.forest.cursor(IndexCatalog.aggregateTotals.tree)
    var entries = 0
    var last: TextKey?
    while let row = try cursor.next(), let key = try cursor.key() {
      entries += 1
      defer { last = key }
      guard let aggregate = aggregates[key.group] else {
        report.addDerived(Self.location, "\(key.group)", "no aggregate has its number")
        continue
      }
      let name = Self.name(aggregate, key.text)
      if AggregateEntryText(bytes: key.text, aggregate.entry.measure) == nil {
        report.addDerived(Self.location, name, "its bytes are no group")
      }
      if last?.group == key.group, last?.text == key.text {
        report.addDerived(Self.location, name, "the group has two entries")
        continue
      }
      let total = Int64(bitPattern: row)
      if let totals = counted[key.group] {
        let expected = totals[key.text] ?? 0
        if total != expected {
          report.addDerived(Self.location, name, "it says \(total), and the objects come to \(expected)")
        }
        counted[key.group]?[key.text] = nil
      } else if total == 0 {
        report.addDerived(Self.location, name, "it has an entry, and comes to 0")
      }
    }
    // The nodes are checked together with those of the other indexes. The entries have just been checked, so their
    // number is taken as right.
    expected[IndexCatalog.aggregateTotals.number] = entries
  }

  private static func name(_ aggregate: DeclaredAggregate?, _ text: [UInt8]) -> String {
    let name = aggregate?.name ?? ""
    guard let entry = AggregateEntryText(bytes: text, aggregate?.entry.measure ?? .count) else {
      return "\(name)/\(text)"
    }
    return "\(name)/\(entry)"
  }
}
