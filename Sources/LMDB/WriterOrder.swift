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
final class WriterOrder: Sendable {
  private let directory: String
  /// The descriptor; -1 before the first write.
  private let file = Monitor<Int32>(-1)
  private let generation: UInt32

  init(_ directory: String) {
    self.directory = directory
    generation = ForkGeneration.current
  }

  deinit {
    let file = file.locked { $0 }
    // In a forked child the number may have been given to another file by now.
    guard file >= 0, generation == ForkGeneration.current else { return }
    LockDescriptors.remove(file)
    close(file)
  }

  /// Waits until no other process is writing, and takes the lock. Balance with `release`.
  func acquire() throws(LMDBError) {
    let file = try opened()
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .system("lock", path: directory) }
    }
  }

  /// Lets other processes write.
  func release() {
    _ = flock(file.locked { $0 }, LOCK_UN)
  }

  private func opened() throws(LMDBError) -> Int32 {
    try file.locked { file throws(LMDBError) in
      if file >= 0 { return file }
      let opened = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard opened >= 0 else { throw .system("lock", path: directory) }
      guard LockDescriptors.add(opened) else {
        close(opened)
        errno = EMFILE
        throw .system("lock", path: directory)
      }
      file = opened
      return opened
    }
  }
}
