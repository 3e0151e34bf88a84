package import SatchelCoding

/// What the groups of an aggregate come to, by the bytes of each group (`AggregateGroup`): numbers of objects, or sums
/// that wrap around. Groups that come to 0 may be left out.
package typealias AggregateTotals = [[UInt8]: Int64]

/// Evaluates aggregates for the store, which keeps their totals but knows nothing of predicates: the layer that answers
/// queries does, and every process that writes has to bring it along.
package protocol AggregateEvaluator: Sendable {
  /// Checks that a definition means something for a store of a user.
  /// - Throws: ``SatchelError``, as a query of the same predicate and order would.
  func check(_ aggregate: AggregateEntry, user: String) throws

  /// The totals of an aggregate, from all objects of a state.
  /// - Complexity: That of the query for the counted objects.
  func totals(of aggregate: AggregateEntry, in snapshot: Snapshot) throws -> AggregateTotals

  /// By how much a write changes the totals of an aggregate.
  /// - Parameter entry: Every object that the write has changed.
  /// - Returns: Nil where the entry does not name them one by one: then all have to be counted anew.
  func changes(
    of aggregate: AggregateEntry, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot
  ) throws -> AggregateTotals?
}

/// An aggregate of a store: its number, and what it counts.
package struct DeclaredAggregate: Sendable, Hashable {
  package let id: UInt32
  package let entry: AggregateEntry
  /// The checksum of its record.
  let checksum: UInt64

  /// The name.
  package var name: String { String(decoding: entry.name, as: UTF8.self) }
}
