extension StoreSnapshot {
  /// Returns the index of an object in the results of a query, with its limit, offset and anchor applied: which row of
  /// the list it is, counted from 0. Nil if it is not one of them.
  ///
  /// The index is that of the object in ``fetch(_:)``; a query that is ``Query/unordered()`` counts in the order of
  /// creation.
  /// - Complexity: O(log n) if the results are runs of one index in the query's order (see `explain`). Otherwise the
  ///   objects that may meet the condition are tested one by one. With an anchor, the results up to the object are read.
  /// - Throws: As ``fetch(_:)``.
  public func rank<Object: StoredObject>(of id: Object.ID, in query: Query<Object>) throws -> Int? {
    try perform { try executor.rank(ofObject: id.identifier, executor.question(query.untyped)) }
  }

  /// Returns whether a query has a result, with its limit, offset and anchor applied. Makes no object.
  /// - Complexity: O(log n) if the condition is equivalent to ranges of one index. Otherwise the objects that may meet
  ///   the condition are tested one by one, until one does. With an anchor, as ``fetch(_:)`` with a limit of 1.
  /// - Throws: As ``fetch(_:)``.
  public func hasAny<Object: StoredObject>(_ query: Query<Object>) throws -> Bool {
    try count(query.limit(min(query.untyped.limit ?? 1, 1))) > 0
  }
}
