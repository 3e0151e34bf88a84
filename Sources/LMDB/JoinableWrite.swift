/// What a write leaves to those that follow it in the same transaction of LMDB.
///
/// One write at a time has it; it goes from thread to thread with the transaction.
package protocol JoinableWrite: AnyObject, SendableMetatype {
  /// Whether another write may follow in the same transaction. Asked only when one waits.
  var isJoinable: Bool { get }
  /// Writes what a transaction has once, of however many writes it is made. Called on the last write that has succeeded.
  /// - Parameter transaction: What to write it in; nil as long as the write's own is still open.
  func complete(in transaction: WriteTransaction?) throws
  /// Called after the commit, on the last write that has succeeded.
  func committed()
}
