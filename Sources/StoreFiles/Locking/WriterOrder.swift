#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The lock that orders the writers of all processes: a lock on the store's directory.
///
/// LMDB's own lock cannot do that, because a checkpoint has it for tenths of a second while other commits go to the journal.
/// So a writer has this lock from its first read to the publication of its commit, and takes LMDB's after it, only if it has
/// something to write there. A checkpoint has LMDB's lock alone.
///
/// It belongs to the open file, so the system takes it from a process that ends in whatever way, and closing another descriptor
/// of the directory does it no harm. Only one writer of the process uses it at a time: the one whose turn it is in the queue.
package struct WriterOrder: Sendable {
  private let files: HeldFiles
  private let path: String

  /// - Parameter path: That of the directory, for errors.
  package init(_ files: HeldFiles, _ path: String) {
    self.files = files
    self.path = path
  }

  /// Waits until no other process is writing, and takes the lock. Balance with `release`.
  /// - Parameter deadline: When to give up, in nanoseconds of `monotonicNanoseconds()`; nil for never.
  /// - Returns: Nil if this process has the lock; otherwise the process that had it at the deadline, or 0 if that is unknown.
  package func acquire(until deadline: UInt64?) throws(LMDBError) -> Int32? {
    switch FileLock.take(files.directory, isShared: false, until: deadline) {
    case .taken: return nil
    case .busy: return FileLock.holder(of: files.directory) ?? 0
    case .failed(let number): throw LMDBError(raw: number, operation: "lock", path: path)
    }
  }

  /// Lets other processes write.
  package func release() {
    _ = flock(files.directory, LOCK_UN)
  }
}
