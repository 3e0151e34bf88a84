internal import LMDB
internal import SatchelModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What importing needs of the file system.
enum Directories {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is nothing at a path, or an empty directory.
  static func isAbsentOrEmpty(_ path: String) throws -> Bool {
    try names(in: path)?.isEmpty ?? true
  }

  /// Whether a new directory can take the place of what is at a path: of nothing, of an empty directory, or of one in
  /// which somebody began to make a store and was ended, which is emptied.
  static func makeRoom(at path: String) throws -> Bool {
    guard let names = try names(in: path), !names.isEmpty else { return true }
    return try names == [StoreFiles.nursery] && StoreFiles.removeAbandonedNursery(of: path)
  }

  /// The names in a directory; nil where there is nothing, and a file counts as something in its own place.
  static func names(in path: String) throws -> [String]? {
    do {
      return try FileSystem.names(in: path)
    } catch {
      if error.rawCode == ENOENT { return nil }
      if error.rawCode == ENOTDIR { return [path] }
      throw error
    }
  }

  /// Creates a directory that only its owner may use; one that is there already will do, if it is such a one.
  static func create(_ path: String) throws {
    // What has just been made is ours, whatever a file system without users says of it.
    if FileSystem.makePrivateDirectory(path) { return }
    guard errno == EEXIST else { throw failure("create", path) }
    try OwnFile.check(directory: path, "create")
  }

  /// The path that a symbolic link at a path leads to, or the path itself.
  static func resolvingLink(_ path: String) throws -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let resolved = unsafe realpath(path, nil) else { throw failure("resolve", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Removes an empty directory.
  static func removeDirectory(_ path: String) throws {
    guard rmdir(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Removes a file; nothing happens where there is none.
  static func removeFile(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Writes a new file that only its owner may read; a file that was there is an error.
  static func writeFile(_ path: String, _ body: (Int32) throws -> Void) throws {
    let file = try OwnFile.create(path)
    defer { close(file) }
    try body(file)
  }

  /// Renames a file within its directory.
  static func rename(_ source: String, to destination: String) throws {
    #if canImport(Glibc)
      let code = Glibc.rename(source, destination)
    #elseif canImport(Musl)
      let code = Musl.rename(source, destination)
    #else
      let code = Darwin.rename(source, destination)
    #endif
    guard code == 0 else { throw failure("rename", destination) }
  }

  /// Renames a directory to a path where there is nothing or an empty directory, and makes that durable.
  /// - Throws: ``SatchelError`` `notSynced` when it is there, but the loss of power may undo that.
  static func move(_ source: String, to destination: String) throws {
    try rename(source, to: destination)
    do {
      try FileSystem.syncDirectory(FileSystem.parent(of: destination))
    } catch {
      throw LMDBError(.notSynced, rawCode: error.rawCode, operation: "import", path: destination)
    }
  }

  /// Makes the entries of a directory durable.
  static func synchronize(_ path: String) throws { try FileSystem.syncDirectory(path) }

  static func parent(of path: String) -> String { FileSystem.parent(of: path) }

  /// The path without slashes at its end.
  static func trimmed(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func failure(_ operation: String, _ path: String) -> SatchelError {
    let code = errno
    let reason = String(cString: strerror(code))
    let context = ["operation": operation, "path": path, "found": reason]
    if code == EACCES || code == EPERM || code == EROFS {
      return SatchelError(.permissionDenied, "The directory may not be read or written", context)
    }
    if code == ENOSPC || code == EDQUOT {
      return SatchelError(.storeFull, "There is no room on the disk", context)
    }
    return SatchelError(.io, "The operation failed in the file system", context)
  }
}

/// A lock that says that an import is at work, kept by the file system: it ends with the process that holds it.
final class ImportLock {
  /// The file in a store that imports into it lock.
  static let name = "import.lock"

  private let file: Int32

  private init(_ file: Int32) { self.file = file }

  deinit { close(file) }

  /// The lock of an import into the store of a directory; imports share it. Waits while what an earlier one has left
  /// behind is removed.
  static func shared(_ directory: String) throws -> ImportLock {
    let lock = try open(directory, name)
    while flock(lock.file, LOCK_SH) != 0 {
      guard errno == EINTR else { throw Directories.failure("lock", directory) }
    }
    return lock
  }

  /// The lock that only somebody alone can have; nil while an import is at work.
  static func exclusive(_ directory: String, name: String = ImportLock.name) throws -> ImportLock? {
    let lock = try open(directory, name)
    while flock(lock.file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw Directories.failure("lock", directory) }
    }
    return lock
  }

  /// Whether the file that is locked is the one at a path, not one that was removed or moved since it was opened.
  func isFile(at path: String) -> Bool {
    var locked = stat()
    var found = stat()
    return fstat(file, &locked) == 0 && lstat(path, &found) == 0
      && locked.st_dev == found.st_dev && locked.st_ino == found.st_ino
  }

  private static func open(_ directory: String, _ name: String) throws -> ImportLock {
    ImportLock(try OwnFile.open(directory + "/" + name, create: true))
  }
}
