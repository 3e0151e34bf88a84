import SatchelReading
import SatchelStorage

extension StoreSnapshot {
  /// Runs a read and translates the errors of the layers below to ``SatchelError``, so that the caller's closure
  /// already sees public errors. Errors of the caller's own code pass unchanged.
  package func perform<Result>(_ read: () throws -> Result) throws -> Result {
    let transaction = base.transaction
    guard transaction.isOpen else {
      throw SatchelError(
        .closed, "The snapshot is over: use it inside the closure that gave it",
        ["store": transaction.environment.path])
    }
    try checkUnchanged()
    do { return try read() } catch {
      let error = SatchelError.translating(error, store: transaction.environment.path)
      guard let expired = error as? SatchelError, expired.code == .snapshotExpired else { throw error }
      throw expired.adding(base.howFar)
    }
  }
}

extension Snapshot {
  /// Throws `closed` if its transaction has made changes since it had made so many.
  func checkUnchanged(since count: Int) throws {
    guard changes == count else {
      throw SatchelError(
        .closed,
        "The transaction has changed what the snapshot shows: read again, or fetch before you change",
        ["store": transaction.environment.path])
    }
  }
}
