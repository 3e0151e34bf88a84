package import SatchelModel
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The file system operations that imports and backups need.
package enum Directories {
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Returns the bytes of a file; nil if there is none.
  package static func size(of path: String) -> Int? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether a path is free or an empty directory.
  package static func isAbsentOrEmpty(_ path: String) throws -> Bool {
    try names(in: path)?.isEmpty ?? true
  }

  /// Whether a new directory can be moved to a path. It can if nothing is there, or an empty directory, or a directory
  /// in which a process was ended while it made a store: that directory is emptied.
  package static func makeRoom(at path: String) throws -> Bool {
    guard let names = try names(in: path), !names.isEmpty else { return true }
    return try names == [StoreFiles.nursery] && StoreFiles.removeAbandonedNursery(of: path)
  }

  /// Returns the names in a directory; nil if there is nothing at the path. A file counts as not empty: the result is
  /// its path.
  package static func names(in path: String) throws -> [String]? {
    do {
      return try FileSystem.names(in: path)
    } catch {
      if error.rawCode == ENOENT { return nil }
      if error.rawCode == ENOTDIR { return [path] }
      throw error
    }
  }

  /// Creates a directory that only its owner may use. An existing directory is accepted if `OwnFile` accepts it as
  /// ours.
  package static func create(_ path: String) throws {
    // A directory that was just created is ours, whatever a file system without users says.
    if FileSystem.makePrivateDirectory(path) { return }
    guard errno == EEXIST else { throw failure("create", path) }
    try OwnFile.check(directory: path, "create")
  }

  /// Returns the path that a symbolic link leads to, or the path itself if it is no link.
  package static func resolvingLink(_ path: String) throws -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let resolved = unsafe realpath(path, nil) else { throw failure("resolve", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Removes an empty directory.
  package static func removeDirectory(_ path: String) throws {
    guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Removes a file if it exists.
  package static func removeFile(_ path: String) throws {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Writes a new file that only its owner may read. Throws if a file already exists there.
  package static func writeFile(_ path: String, _ body: (Int32) throws -> Void) throws {
    let file = try OwnFile.create(path)
    defer { close(file) }
    try body(file)
  }

  /// Renames a file within its directory.
  package static func rename(_ source: String, to destination: String) throws {
    #if canImport(Glibc)
      let code = unsafe Glibc.rename(source, destination)
    #elseif canImport(Musl)
      let code = unsafe Musl.rename(source, destination)
    #else
      let code = unsafe Darwin.rename(source, destination)
    #endif
    guard code == 0 else { throw failure("rename", destination) }
  }

  /// Renames a directory to a path where there is nothing or an empty directory, and makes the change durable.
  /// - Throws: ``SatchelError`` `notSynced` if the directory has been renamed but a loss of power may undo that.
  package static func move(_ source: String, to destination: String) throws {
    try rename(source, to: destination)
    do {
      try FileSystem.syncDirectory(FileSystem.parent(of: destination))
    } catch {
      throw LMDBError(.notSynced, rawCode: error.rawCode, operation: "import", path: destination)
    }
  }

  /// Makes the entries of a directory durable.
  package static func synchronize(_ path: String) throws { try FileSystem.syncDirectory(path) }

  package static func parent(of path: String) -> String { FileSystem.parent(of: path) }

  /// Returns the path without slashes at its end.
  package static func trimmed(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func failure(_ operation: String, _ path: String) -> SatchelError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    let context = ["operation": operation, "path": path, "found": reason]
    if code == EACCES || code == EPERM || code == EROFS {
      return SatchelError(.permissionDenied, "The directory may not be read or written", context)
    }
    if code == ENOSPC || code == EDQUOT || code == EFBIG {
      return SatchelError(.storeFull, "There is no room on the disk", context)
    }
    return SatchelError(.io, "The operation failed in the file system", context)
  }
}
