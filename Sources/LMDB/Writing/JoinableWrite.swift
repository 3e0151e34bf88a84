/// The state that a write hands to the next write of the same LMDB transaction.
///
/// Only one write at a time uses it. It moves from thread to thread together with the transaction.
package protocol JoinableWrite: SharedState {
  /// Writes what a transaction needs only once, however many writes share it, and says how it is to end. Called on the
  /// state of the last write that succeeded.
  /// - Parameter transaction: The transaction to write in; nil while the write's own `LMDBWriteTransaction` is still open.
  /// - Throws: Also the failure that has left LMDB's transaction unusable, before it makes anything durable elsewhere: no error
  ///   follows upon `abort`.
  func complete(in transaction: LMDBWriteTransaction?) throws -> WriteEnding
  /// Called after the transaction has ended as `complete` said, on the state of the last write that succeeded.
  func committed(_ ending: WriteEnding)
}

/// How LMDB's transaction ends after all its writes have succeeded.
package enum WriteEnding: Sendable, Hashable {
  /// LMDB commits it.
  case commit
  /// It is aborted: what it changes is kept elsewhere, already as durable as the options promise.
  case abort
}
