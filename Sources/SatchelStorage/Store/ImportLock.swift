internal import CommitEngine
internal import LMDB
internal import SatchelModel
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock file that says that an import is running. The file system keeps the lock, and releases it when the process
/// that holds it ends.
package final class ImportLock {
  /// The name of the file in a store that imports into the store lock.
  package static let name = "import.lock"

  private let file: Int32

  private init(_ file: Int32) { self.file = file }

  deinit { close(file) }

  /// Returns the lock of an import into the store of a directory. Imports share it. Waits while the remains of an
  /// earlier import are being removed.
  /// - Throws: ``SatchelError`` `busy` if that takes more than some seconds.
  package static func shared(_ directory: String) throws -> ImportLock {
    let lock = try open(directory, name)
    switch FileLock.take(lock.file, isShared: true, until: deadline(afterSeconds: Environment.patience)) {
    case .taken: return lock
    case .busy:
      let process = FileLock.holder(of: lock.file)
      throw SatchelError(
        .busy, "Another process has been removing what an import has left for too long: import again later",
        ["store": directory].merging(process.map { ["process": String($0)] } ?? [:]) { $1 })
    case .failed(let number):
      errno = number
      throw Directories.failure("lock", directory)
    }
  }

  /// Returns the exclusive lock, or nil while an import, or anybody else, holds the lock.
  /// - Parameter patience: For how many milliseconds the lock is asked for again.
  package static func exclusive(
    _ directory: String, name: String = ImportLock.name, patience: Int = 0
  ) throws -> ImportLock? {
    let lock = try open(directory, name)
    var left = patience
    while flock(lock.file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK {
        guard left > 0 else { return nil }
        left -= 20
        usleep(20_000)
        continue
      }
      guard errno == EINTR else { throw Directories.failure("lock", directory) }
    }
    return lock
  }

  /// Whether the locked file is the one at a path. It is not if it was removed or moved after it was opened.
  package func isFile(at path: String) -> Bool {
    var locked = stat()
    var found = stat()
    return unsafe fstat(file, &locked) == 0 && lstat(path, &found) == 0
      && locked.st_dev == found.st_dev && locked.st_ino == found.st_ino
  }

  private static func open(_ directory: String, _ name: String) throws -> ImportLock {
    ImportLock(try OwnFile.open(directory + "/" + name, create: true))
  }
}
