/// The state that a write hands to the next write of the same LMDB transaction.
///
/// Only one write at a time uses it. It moves from thread to thread together with the transaction.
package protocol JoinableWrite: AnyObject, SendableMetatype {
  /// Whether another write may follow in the same transaction.
  var isJoinable: Bool { get }
  /// Writes what a transaction needs only once, however many writes share it. Called on the state of the last write
  /// that succeeded.
  /// - Parameter transaction: The transaction to write in; nil while the write's own `LMDBWriteTransaction` is still open.
  func complete(in transaction: LMDBWriteTransaction?) throws
  /// Called after the commit, on the state of the last write that succeeded.
  func committed()
}
