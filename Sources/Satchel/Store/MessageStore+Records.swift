extension MessageStore {
  /// Calls `body` with the record of each message that is a result of a query, all from one snapshot; see
  /// ``StoreSnapshot/forEachRecord(of:_:)``.
  /// - Throws: As ``StoreSnapshot/forEachRecord(of:_:)`` and `read(lease:_:)`.
  public func forEachRecord(
    of query: Query<Message>, _ body: (borrowing MessageRecord) throws -> Void
  ) throws {
    try read { try $0.forEachRecord(of: query, body) }
  }
}
