public import SatchelCoding

/// A write, as the database knows it that the journal stands before: one of LMDB, or what the protocol simulator plays. It is its turn
/// among the writers of all processes.
@usableFromInline package protocol DatabaseWrite {
  /// The seal of the state that the write has read.
  var seal: Seal { get }
  /// Whether the database's file has a later state than that. Its writer ended before he could announce it: nobody reads it, and the
  /// next transaction of the database takes its place or goes on from it.
  var isBehindFile: Bool { get }
  /// Whether a sync of the database brings all that is in its file to the disk. Not before a transaction of this process has written the
  /// meta pages again: a sync that another process was told of, and this one was not, may have lost them.
  var trustsSyncs: Bool { get }
  /// When the write gives up waiting for other processes; nil for never.
  var waitLimit: UInt64? { get }
  /// Begins the database's own write transaction, if it has not begun yet, and reads the state before it, which may be a later one.
  mutating func takeDatabase() throws
}
