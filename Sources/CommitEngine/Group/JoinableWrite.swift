package import LMDB

/// The state that a write hands to the next write of the same group.
///
/// Only one write at a time uses it. It moves from thread to thread together with the group. Its changes are in memory until `complete`: a
/// write that follows goes on from a copy, and may fail alone.
package protocol JoinableWrite: AnyObject, SendableMetatype {
  /// Whether another write may follow in the same group.
  var isJoinable: Bool { get }
  /// Writes what a group needs only once, however many writes are in it. Called on the state of the last write that succeeded.
  /// - Parameter transaction: The transaction to write in; nil while the write's own `LMDBWriteTransaction` is still open.
  /// - Returns: Whether LMDB is to commit its transaction. Otherwise what the group has changed is elsewhere, already as durable as the
  ///   options promise.
  /// - Throws: Also the failure that has left LMDB's transaction unusable, before it makes anything durable elsewhere: no error
  ///   follows what is durable.
  func complete(in transaction: LMDBWriteTransaction?) throws -> Bool
  /// Called after the transaction has ended as `complete` said, on the state of the last write that succeeded.
  /// - Parameter isInDatabase: Whether LMDB has committed.
  func committed(inDatabase isInDatabase: Bool)
}

/// How many writers of this process are in a group, and how long the group waits for their work.
package struct GroupLimits: Sendable, Equatable {
  /// The largest number of writers in one group, including the first one.
  package var writers: Int
  /// Seconds, from the end of the first writer's work, after which no other writer joins.
  package var seconds: Double

  /// The usual limits. The time is about that of one commit, so that waiting for a group of writers does not take
  /// much longer than waiting for one.
  package init(writers: Int = 64, seconds: Double = 0.002) {
    self.writers = writers
    self.seconds = seconds
  }

  /// Each writer is alone.
  package static let none = GroupLimits(writers: 1)
}
