internal import CSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Files and directories that are opened, emptied or removed under a name of our choice, and so have to be ours.
///
/// Somebody else may have put something under that name: a link to a file that an open for writing would destroy, a
/// FIFO that would block it for ever, a directory into which others can write. So no link is followed, and nothing is
/// waited for. A file is accepted only if it is a regular file with one name that belongs to this user, to the
/// superuser or to the owner of its directory; a directory, only if it belongs to this user and nobody else can use it.
/// The directories on the way are the caller's choice: a path means what its user says.
package enum OwnFile {
  /// Opens a file for reading and writing. With `create`, makes a missing file, for its user only.
  /// - Throws: `foreignFile` if it is not a file of ours; otherwise the error of the system.
  package static func open(
    _ path: String, create: Bool, _ operation: String = "open"
  ) throws(LMDBError) -> Int32 {
    // A device may act on being opened.
    try check(file: path, operation)
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var file = systemOpen(path, flags | (create ? O_CREAT | O_EXCL : 0), 0o600)
    if file >= 0, create {
      settle(file, at: path)
    } else if create, errno == EEXIST {
      file = systemOpen(path, flags, 0)
    }
    return try confirmed(file, path, operation)
  }

  /// Opens a file for reading only.
  /// - Throws: `foreignFile` if it is not a file of ours; otherwise the error of the system.
  package static func openForReading(
    _ path: String, _ operation: String = "open"
  ) throws(LMDBError) -> Int32 {
    try check(file: path, operation)
    return try confirmed(
      systemOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0), path, operation)
  }

  /// Returns a descriptor that was just opened, if it is of a file of ours, and closes it otherwise.
  private static func confirmed(
    _ file: Int32, _ path: String, _ operation: String
  ) throws(LMDBError) -> Int32 {
    guard file >= 0 else {
      // Somebody put a link there after the check.
      if errno == ELOOP { throw foreign(path, "is a symbolic link", operation) }
      throw .system(operation, path: path)
    }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let error = LMDBError.system(operation, path: path)
      close(file)
      throw error
    }
    // Somebody has removed it, or replaced it, since it was opened.
    guard status.st_nlink > 0 else {
      close(file)
      errno = ENOENT
      throw .system(operation, path: path)
    }
    if let flaw = flaw(ofFile: status, at: path) {
      close(file)
      throw foreign(path, flaw, operation)
    }
    return file
  }

  /// Makes a file, for its user only. Throws if anything exists at the path.
  package static func create(_ path: String, _ operation: String = "create") throws(LMDBError) -> Int32 {
    let file = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(operation, path: path) }
    // The umask may have taken the user's own rights.
    _ = fchmod(file, 0o600)
    return file
  }

  /// Gives a file that has just been made the rights and the owner that it needs in a store.
  ///
  /// The umask may have taken the user's own rights. And the superuser may be the first to look at a store of somebody else:
  /// a lock file that only the superuser could open would lock the store's owner out.
  private static func settle(_ file: Int32, at path: String) {
    _ = fchmod(file, 0o600)
    guard geteuid() == 0 else { return }
    let directory = FileSystem.parent(of: path)
    var status = stat()
    if unsafe lstat("\(directory)/\(StoreFiles.dataFile)", &status) != 0 || !FileSystem.isRegularFile(status)
    {
      guard unsafe stat(directory, &status) == 0 else { return }
    }
    if status.st_uid != 0 { _ = fchown(file, status.st_uid, status.st_gid) }
  }

  /// Returns whether anything exists at a path. If so, it is a file of ours.
  /// - Throws: `foreignFile` if it is anything else.
  @discardableResult
  package static func check(file path: String, _ operation: String = "open") throws(LMDBError) -> Bool {
    guard let status = try ownStatus(path, operation) else { return false }
    if let flaw = flaw(ofFile: status, at: path) { throw foreign(path, flaw, operation) }
    return true
  }

  /// Returns whether anything exists at a path. If so, it is a directory of ours that nobody else can use.
  /// - Throws: `foreignFile` if it is anything else.
  @discardableResult
  package static func check(directory path: String, _ operation: String = "open") throws(LMDBError) -> Bool {
    guard let status = try ownStatus(path, operation) else { return false }
    guard FileSystem.isDirectory(status) else {
      throw foreign(path, FileSystem.isRegularFile(status) ? "is a file" : kind(of: status), operation)
    }
    guard status.st_uid == geteuid() else { throw foreign(path, owner(of: status), operation) }
    guard status.st_mode & 0o077 == 0 else {
      throw foreign(path, "is open to other users, with mode \(octal(status.st_mode))", operation)
    }
    return true
  }

  /// Returns the identity of the file at a path, without following a link; nil if nothing exists there.
  package static func identity(_ path: String) throws(LMDBError) -> FileIdentity? {
    try ownStatus(path, "open").map(FileSystem.identity)
  }

  /// Returns the error for a path at which somebody else has put something.
  package static func foreign(_ path: String, _ flaw: String, _ operation: String) -> LMDBError {
    LMDBError(.foreignFile, operation: operation, path: path, detail: flaw)
  }

  private static func flaw(ofFile status: stat, at path: String) -> String? {
    guard FileSystem.isRegularFile(status) else { return kind(of: status) }
    guard status.st_nlink == 1 else { return "has \(status.st_nlink) names, of which others may be in use" }
    if status.st_uid == geteuid() || status.st_uid == 0 { return nil }
    var directory = stat()
    if unsafe stat(FileSystem.parent(of: path), &directory) == 0, directory.st_uid == status.st_uid {
      return nil
    }
    return owner(of: status)
  }

  private static func owner(of status: stat) -> String { "belongs to the user of number \(status.st_uid)" }

  private static func kind(of status: stat) -> String {
    switch status.st_mode & S_IFMT {
    case S_IFLNK: "is a symbolic link"
    case S_IFDIR: "is a directory"
    case S_IFIFO: "is a FIFO"
    case S_IFSOCK: "is a socket"
    default: "is a device"
    }
  }

  private static func octal(_ mode: mode_t) -> String { String(mode & 0o7777, radix: 8) }

  /// Returns the result of `lstat`, or nil if nothing exists at the path.
  private static func ownStatus(_ path: String, _ operation: String) throws(LMDBError) -> stat? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw .system(operation, path: path)
  }

  private static func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      unsafe Musl.open(path, flags, mode)
    #else
      unsafe Darwin.open(path, flags, mode)
    #endif
  }
}
