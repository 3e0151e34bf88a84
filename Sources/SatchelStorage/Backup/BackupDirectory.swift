internal import LMDB
internal import SatchelModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The directory that a backup is made in, beside its destination and under a name that nobody can have guessed; it takes
/// the destination's place when the backup is complete.
///
/// A lock file in it says that somebody is at work. One that a crash has left behind is removed by the next backup to the
/// same destination.
struct BackupDirectory {
  let path: String
  private let destination: String
  private let lock: ImportLock

  var dataFile: String { path + "/data.mdb" }

  private static let lockName = "backup.lock"
  private static let names = [lockName, "data.mdb", "lock.mdb", nursery]
  /// Where a store begins its file.
  private static let nursery = ".creating"

  /// - Throws: ``SatchelError`` `io` for a destination where something is.
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

  /// Gives the copy the place that it was made for, and makes that durable.
  func moveIntoPlace() throws {
    try Directories.removeFile(path + "/lock.mdb")
    try Directories.synchronize(path)
    // The lock is there to the end: without it nobody would know the directory for a backup's that was killed. A crash before
    // its removal leaves a file in the copy that nobody looks at.
    defer { try? Directories.removeFile(destination + "/" + Self.lockName) }
    try Directories.move(path, to: destination)
  }

  /// Removes what has been made.
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

  /// Removes the directories of backups that did not come to their end: our own, with nothing in them but what a backup
  /// makes, and nobody at work in them.
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
