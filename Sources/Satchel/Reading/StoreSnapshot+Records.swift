import SatchelCoding
import SatchelExecution
import SatchelStorage

extension StoreSnapshot {
  /// Calls `body` with the record of each message that is a result of a query, in order: for sums, exports and searches,
  /// which need a few properties of many messages. A record costs a fraction of an object.
  ///
  /// ```swift
  /// var bytes = 0
  /// try snapshot.forEachRecord(of: Message.all.unordered()) { bytes += try $0.textSize ?? 0 }
  /// ```
  ///
  /// - Complexity: With ``Query/unordered()``, for most messages of a store: O(messages of the store), as they lie in the
  ///   file. Otherwise as ``fetch(_:)``.
  /// - Throws: ``SatchelError``, for a question that cannot be asked or damage that is met. What `body` throws is passed on.
  public func forEachRecord(
    of query: Query<Message>, _ body: (borrowing MessageRecord) throws -> Void
  ) throws {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var given = 0
      try executor.forEachMessage(plan, inAnyOrder: query.untyped.isUnordered, checking: checkUnchanged) {
        head in
        given += 1
        if given % Self.leaseInterval == 0 { try base.transaction.checkLease() }
        if base.isWriting {
          // The closure may change the store, and with that the memory of the record.
          try head.withCopy { try body(MessageRecord(snapshot: base, head: $0)) }
        } else {
          try body(MessageRecord(snapshot: base, head: head))
        }
        return true
      }
    }
  }
}

extension MessageStore {
  /// Calls `body` with the record of each message that is a result of a query; see
  /// ``StoreSnapshot/forEachRecord(of:_:)``.
  public func forEachRecord(
    of query: Query<Message>, _ body: (borrowing MessageRecord) throws -> Void
  ) throws {
    try read { try $0.forEachRecord(of: query, body) }
  }
}
