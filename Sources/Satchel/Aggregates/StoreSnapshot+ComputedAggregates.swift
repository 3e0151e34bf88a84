import SatchelCoding
import SatchelExecution

extension StoreSnapshot {
  /// Computes an aggregate from the objects themselves, whether or not it is declared. Returns all groups whose value is not 0: `null`
  /// first, the others in ascending order; of an aggregate without groups the one value, also if it is 0.
  /// - Complexity: That of a query for the objects that count.
  /// - Throws: ``SatchelError`` as `WriteTransaction.declare(_:replacing:)`, but not for the name.
  package func computedValues(of aggregate: AggregateDescription) throws -> [(
    group: QueryPredicate.Constant, value: Int
  )] {
    try perform {
      // As when it is declared: a predicate that is too large would not survive being written as text.
      _ = try executor.question(QueryDescription(kind: aggregate.kind, predicate: aggregate.predicate))
      let type = try aggregate.groupType
      let totals = try QueryAggregateEvaluator().totals(of: aggregate.entry, in: base)
      guard type != nil else { return [(.null, Int(totals.values.reduce(0, &+)))] }
      return totals.filter { $0.value != 0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .compactMap { bytes, total in
          AggregateGroup(bytes: bytes).map { ($0.constant(of: type), Int(total)) }
        }
    }
  }
}
