import SatchelStorage

extension MessageStore {
  /// Runs a closure as one atomic write, on the caller's thread.
  ///
  /// When the closure returns, all its changes are committed; when it throws, none are. Writes run one at a time, in
  /// the order in which they were called. The closure runs at most once.
  ///
  /// Writes that wait at the same time are made durable together, by one commit of the file: with eight threads that is
  /// about three times as fast. Each is still a write of its own, with its own ``StoreSnapshot/sequence``, and returns
  /// when it is durable. If the commit of the file fails, all of them throw. Therefore a closure must not wait for
  /// another write to return, for a lock that others hold while they write, or for the main thread if that writes
  /// synchronously.
  /// - Throws: ``SatchelError`` `nestedTransaction` inside a read or write of this store on the same thread;
  ///   `storeFull` if there is no room, and nothing has changed; `busy` after ``Options/writeWait``; `permissionDenied`
  ///   if the store was opened for reading only; `closed`; `outcomeUnknown` if the commit itself failed: open the store
  ///   again and compare ``StoreSnapshot/sequence``. What the closure throws is passed on.
  @discardableResult
  public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try base.write { try body(WriteTransaction($0)) }
  }

  /// Runs a closure as one atomic write on the store's own writer thread, without blocking the caller's thread.
  ///
  /// Cancelling the task prevents the write only until the closure starts; after that it has no effect.
  /// - Throws: As the synchronous form, and `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try await base.write { try body(WriteTransaction($0)) }
  }
}
