import SatchelCoding
import SatchelExecution
import SatchelStorage

extension StoreSnapshot {
  /// Calls `body` with the record of each message that is a result of a query, in the order of the query.
  ///
  /// Use it for sums, exports and searches, which need a few properties of many messages: reading a record costs a
  /// fraction of making an object.
  ///
  /// ```swift
  /// var bytes = 0
  /// try snapshot.forEachRecord(of: Message.all.unordered()) { bytes += try $0.textSize ?? 0 }
  /// ```
  ///
  /// - Complexity: If the query is ``Query/unordered()`` and has most messages of the store as results: O(messages of
  ///   the store), read in the order of the file. Otherwise as ``fetch(_:)``.
  /// - Throws: As ``forEach(_:_:)``. What `body` throws is passed on.
  public func forEachRecord(
    of query: Query<Message>, _ body: (borrowing MessageRecord) throws -> Void
  ) throws {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var given = 0
      var isGiving = false
      do {
        try executor.forEachMessage(plan, inAnyOrder: query.untyped.isUnordered, checking: checkUnchanged) {
          head in
          given += 1
          if given % Self.leaseInterval == 0 { try base.checkBounds() }
          if base.isWriting {
            // The closure may change the store, and with it the memory in which the record is.
            isGiving = true
            try head.withCopy { try body(MessageRecord(snapshot: base, head: $0)) }
            isGiving = false
          } else {
            try body(MessageRecord(snapshot: base, head: head))
          }
          return true
        }
      } catch {
        // As in `forEach`.
        if !isGiving { try checkUnchanged() }
        throw error
      }
    }
  }
}
