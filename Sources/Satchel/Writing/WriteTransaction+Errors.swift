import SatchelStorage

extension WriteTransaction {
  /// Runs an operation, so that all errors but the caller's own are public ones, inside the closure already.
  func perform<Result>(_ operation: () throws -> Result) throws -> Result {
    let transaction = writer.transaction
    guard transaction.isOpen else {
      throw SatchelError(
        .closed, "The transaction is over: use it inside the closure that gave it",
        ["store": transaction.environment.path])
    }
    do { return try operation() } catch {
      throw SatchelError.translating(error, store: transaction.environment.path)
    }
  }
}
