import SatchelCoding
import SatchelExecution

extension StoreSnapshot {
  /// Computes an aggregate from the objects themselves, whether or not it is declared. Returns all groups whose value is neither 0 nor
  /// `null`: `null` first, the others in ascending order.
  /// - Complexity: That of a query for the objects that count.
  /// - Throws: ``SatchelError`` as `WriteTransaction.declare(_:replacing:)`, but not for the name.
  package func computedValues(of aggregate: AggregateDescription) throws -> [(
    group: QueryPredicate.Constant, value: QueryPredicate.Constant
  )] {
    try perform {
      // As when it is declared: a predicate that is too large would not survive being written as text.
      var query = QueryDescription(kind: aggregate.kind, predicate: aggregate.predicate)
      query.recordType = aggregate.recordType
      _ = try executor.question(query)
      let (type, measuredType) = (try aggregate.groupType, try aggregate.measuredType)
      let entry = aggregate.entry
      let evaluator = QueryAggregateEvaluator()
      do { try evaluator.check(entry, in: base) } catch let error as SatchelError
        where error.code == .unsupportedPredicate && aggregate.recordType != nil
      {
        throw SatchelError(
          .unsupportedPredicate,
          "An aggregate of records has only their own fields: count by what they refer to with a query (count with groups, satchel count --by)",
          ["property": error.context["property"] ?? ""])
      }
      let totals = try evaluator.totals(of: entry, in: base)
      var values: [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)] = []
      try base.forEachResult(of: totals, entry.measure) { group, result in
        values.append((group.constant(of: type), result.constant(of: measuredType)))
        return true
      }
      return values
    }
  }
}
