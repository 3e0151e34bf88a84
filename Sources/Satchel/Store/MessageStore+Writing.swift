import SatchelStorage

extension MessageStore {
  /// Runs a closure as one atomic write, on the caller's thread: all of it is committed when the closure returns, none of
  /// it when it throws. Writers take turns in the order they came; the closure runs at most once.
  ///
  /// Writes that wait together are made durable together, by one commit of the file: under eight threads that is about three
  /// times as fast. Each stays a write of its own, with its own ``StoreSnapshot/sequence``, and returns when it is durable.
  /// If the file's commit fails, all of them throw. So a closure must not wait for another write to
  /// return, nor for a lock that others hold while they write, nor for the main thread if that writes synchronously.
  /// - Throws: ``SatchelError`` `nestedTransaction` inside a read or write of this thread, `storeFull` when there is no
  ///   room (nothing has changed then), `outcomeUnknown` when the commit itself failed: reopen and compare
  ///   ``StoreSnapshot/sequence``. What the closure throws is passed on.
  @discardableResult
  public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try base.write { try body(WriteTransaction($0)) }
  }

  /// Runs a closure as one atomic write on the store's own writer thread, without blocking the caller's. Cancellation
  /// counts until the closure starts, never after.
  /// - Throws: As the synchronous form, and `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try await base.write { try body(WriteTransaction($0)) }
  }
}
