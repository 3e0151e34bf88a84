internal import CLMDB
internal import Synchronization

extension LMDBWriteTransaction {
  /// Runs `body` on the state before this write. It uses a read transaction on the same thread, which MDB_NOTLS allows.
  /// Writers take turns, so the last commit is still the one that this write began on.
  /// - Throws: `closed` if this transaction is over, the errors of a read, or what `body` throws.
  package func readBefore<R>(_ body: (ReadTransaction) throws -> R) throws -> R {
    guard isOpen else { throw environment.error(.closed, "read", detail: "the transaction is over") }
    let reader = try environment.beginReadInsideWrite()
    let transaction = ReadTransaction(environment, reader, start: nil)
    defer {
      transaction.endReading()
      environment.endRead(reader)
    }
    return try body(transaction)
  }
}
