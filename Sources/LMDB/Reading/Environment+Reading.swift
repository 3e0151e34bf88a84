internal import CLMDB
internal import StoreFiles
internal import Synchronization

extension Environment {
  /// Runs `body` on a snapshot: the state that was committed when it began, whatever is written meanwhile.
  ///
  /// Never waits for a writer. With a lease, `ReadTransaction.checkLease()` throws once a streaming read has held the
  /// snapshot for too long.
  /// - Throws: `nested` inside another transaction of this environment on the same thread, `forked`, `closed`, another
  ///   error of LMDB, or what `body` throws.
  package func read<R>(lease: Lease? = nil, _ body: (ReadTransaction) throws -> R) throws -> R {
    try checkEntry("read")
    return try ThreadScope.enter(number) {
      let reader = try beginRead("read")
      let transaction = ReadTransaction(self, reader, start: lease.map { start($0) })
      defer {
        transaction.endReading()
        endRead(reader)
      }
      return try body(transaction)
    }
  }

  private func start(_ lease: Lease) -> LeaseStart {
    LeaseStart(lease: lease, deadline: deadline(afterSeconds: lease.seconds), bytes: committedBytes())
  }
}
