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
  /// The closure is done when this returns: it may use, and change, what belongs to the caller alone, such as local variables.
  /// Cancelling the task prevents the write only until the closure starts; after that it has no effect.
  /// - Throws: As the synchronous form, and `CancellationError`.
  @discardableResult
  public func write<Result>(
    _ body: sending (WriteTransaction) throws -> sending Result
  ) async throws -> sending Result {
    try await withoutActuallyEscaping(body) { body in
      let errand = Errand(body)
      // Also where it has not run: what waited for the writer thread may still know of the errand.
      defer { errand.forget() }
      try await base.write { try errand.run(WriteTransaction($0)) }
      return errand.result()
    }
  }
}

/// A closure that another thread runs while the caller waits, and what it returns.
///
/// It is safe to share: the closure and its result were sent here, the other thread uses them until it has run the closure, and
/// the caller after that.
private final class Errand<Result>: @unchecked Sendable {
  private var body: ((WriteTransaction) throws -> Result)?
  private var outcome: Result?

  init(_ body: @escaping (WriteTransaction) throws -> Result) { self.body = body }

  /// Runs the closure. Nothing refers to it afterwards but this.
  func run(_ transaction: WriteTransaction) throws {
    guard let body else { throw CancellationError() }
    outcome = try body(transaction)
  }

  func forget() { body = nil }

  /// Takes what the closure has returned, once it has.
  func result() -> sending Result {
    guard let result = outcome.take() else {
      preconditionFailure("a write that has ended has run its closure")
    }
    return result
  }
}
