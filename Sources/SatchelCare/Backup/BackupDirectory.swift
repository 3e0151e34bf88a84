internal import CommitEngine
internal import SatchelModel
internal import SatchelStorage
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The directory in which a backup is made: beside its destination, under a name that nobody can guess. It takes the
/// destination's place when the backup is complete.
///
/// A lock file in the directory says that a backup is running. The next backup to the same destination removes a
/// directory that a crash has left behind.
struct BackupDirectory {
  let path: String
  private let destination: String
  private let lock: ImportLock

  var dataFile: String { path + "/data.mdb" }

  private static let lockName = "backup.lock"
  private static let names = [lockName, "data.mdb", "lock.mdb", nursery]
  /// The name of the directory in which the LMDB layer makes the file of a new store.
  private static let nursery = ".creating"

  /// Makes the directory for a backup.
  /// - Throws: ``SatchelError`` `io` if there is already something at the destination.
  static func make(for destination: String) throws -> BackupDirectory {
    guard try !destination.isEmpty && Directories.isAbsentOrEmpty(destination) else {
      throw SatchelError(
        .io, "A copy of a store needs a path where nothing is, or an empty directory: name another one",
        ["path": destination])
    }
    sweep(destination)
    let path = prefix(destination) + String(UInt64.random(in: 0 ... .max), radix: 36)
    guard FileSystem.makePrivateDirectory(path) else { throw Directories.failure("create", path) }
    do {
      guard let lock = try ImportLock.exclusive(path, name: lockName) else {
        throw SatchelError(.io, "Another backup is at work in the directory", ["path": path])
      }
      return BackupDirectory(path: path, destination: destination, lock: lock)
    } catch {
      try? Directories.removeDirectory(path)
      throw error
    }
  }

  /// Moves the copy to its destination and makes that durable.
  func moveIntoPlace() throws {
    try Directories.removeFile(path + "/lock.mdb")
    try Directories.synchronize(path)
    // The lock file stays to the end: without it, a later backup would not recognise the directory of a backup that was
    // killed. A crash before its removal leaves a file in the copy that is never used.
    defer { try? Directories.removeFile(destination + "/" + Self.lockName) }
    try Directories.move(path, to: destination)
  }

  /// Removes the directory and everything that the backup has made in it.
  func remove() {
    Self.remove(path)
    withExtendedLifetime(lock) {}
  }

  private static func prefix(_ destination: String) -> String { destination + ".backup-" }

  private static func remove(_ path: String) {
    for name in ["data.mdb", "lock.mdb"] { try? Directories.removeFile(path + "/\(nursery)/" + name) }
    try? Directories.removeDirectory(path + "/" + nursery)
    for name in ["data.mdb", "lock.mdb", lockName] { try? Directories.removeFile(path + "/" + name) }
    try? Directories.removeDirectory(path)
  }

  /// Removes the directories of backups that were not completed. They must be ours, hold only what a backup makes, and
  /// not be in use.
  private static func sweep(_ destination: String) {
    let parent = Directories.parent(of: destination)
    let start = prefix(destination).utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    for name in (try? Directories.names(in: parent)) ?? [] where Array(name.utf8).starts(with: start) {
      let path = parent + "/" + name
      guard (try? OwnFile.check(directory: path)) == true, let inside = try? Directories.names(in: path),
        inside.contains(lockName),
        Set(names).isSuperset(of: inside), let lock = try? ImportLock.exclusive(path, name: lockName)
      else { continue }
      withExtendedLifetime(lock) { remove(path) }
    }
  }
}
