package import SatchelCoding

/// The totals of an aggregate's entries, by their texts (`AggregateEntryText`): numbers of objects, or sums that
/// wrap around on overflow. Entries whose total is 0 may be left out.
package typealias AggregateTotals = [[UInt8]: Int64]

/// Evaluates aggregates and declared indexes for the store. The store keeps their totals but knows nothing of predicates; the layer
/// that answers queries does, and every process that writes has to provide it.
package protocol AggregateEvaluator: IndexEvaluator {
  /// Checks that a definition makes sense in a store.
  /// - Throws: ``SatchelError``, as a query of the same predicate and order would, and for a path through a reference.
  func check(_ aggregate: AggregateEntry, in snapshot: Snapshot) throws

  /// Counts the totals of an aggregate from all objects of a snapshot.
  /// - Complexity: The same as a query for the counted objects.
  func totals(of aggregate: AggregateEntry, in snapshot: Snapshot) throws -> AggregateTotals

  /// Returns by how much a write changes the totals of an aggregate.
  /// - Parameter entry: The log entry with every object that the write has changed.
  /// - Returns: Nil if the entry does not list the objects one by one. Then all objects have to be counted again.
  func changes(
    of aggregate: AggregateEntry, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot
  ) throws -> AggregateTotals?
}

/// An aggregate of a store: its number, and what it counts.
package struct DeclaredAggregate: Sendable, Hashable {
  package let id: UInt32
  package let entry: AggregateEntry
  /// The checksum of the aggregate's record.
  package let checksum: UInt64

  /// The name.
  package var name: String { String(decoding: entry.name, as: UTF8.self) }
}
