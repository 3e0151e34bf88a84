import SatchelStorage

extension WriteTransaction {
  /// Runs an operation and translates the errors of the layers below to ``SatchelError``, so that the caller's closure
  /// already sees public errors. Errors of the caller's own code pass unchanged.
  package func perform<Result>(_ operation: () throws -> Result) throws -> Result {
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
