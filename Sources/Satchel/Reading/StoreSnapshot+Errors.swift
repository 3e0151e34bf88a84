import SatchelStorage

extension StoreSnapshot {
  /// Runs a read, so that all errors but the caller's own are public ones, inside the closure already.
  func perform<Result>(_ read: () throws -> Result) throws -> Result {
    let transaction = base.transaction
    guard transaction.isOpen else {
      throw SatchelError(
        .closed, "The snapshot is over: use it inside the closure that gave it",
        ["store": transaction.environment.path])
    }
    try checkUnchanged()
    do { return try read() } catch {
      throw SatchelError.translating(error, store: transaction.environment.path)
    }
  }
}
