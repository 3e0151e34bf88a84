internal import CSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The identity of a file or directory, whatever path leads to it.
package struct FileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The identity of an open file. Nil if the system does not tell; `errno` says why.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self = FileSystem.identity(status)
  }

  /// The identity of what is under a path, without following a link there. Nil if there is nothing, or if the system does not
  /// tell; `errno` says which.
  package init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self = FileSystem.identity(status)
  }
}

/// The calls to the operating system that LMDB does not make for us.
package enum FileSystem {
  /// Returns the result of `stat`, or nil if nothing exists at the path.
  static func status(_ path: String, _ operation: String = "open") throws(LMDBError) -> stat? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw .system(operation, path: path)
  }

  static func identity(_ status: stat) -> FileIdentity {
    FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  static func isDirectory(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }
  static func isRegularFile(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  /// Returns the names in a directory, without "." and "..".
  package static func names(in path: String, _ operation: String = "open") throws(LMDBError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw .system(operation, path: path) }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes a directory that only its user can use, whatever the user's umask takes away.
  /// - Returns: Whether it was made; if not, `errno` says why.
  package static func makePrivateDirectory(_ path: String) -> Bool {
    guard unsafe mkdir(path, 0o700) == 0 else { return false }
    var status = stat()
    if unsafe lstat(path, &status) == 0, isDirectory(status), status.st_mode & 0o700 != 0o700 {
      _ = unsafe fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW)
    }
    return true
  }

  /// Lets the system begin to write a part of a file to the disk, and returns without waiting. A sync that follows waits
  /// the less, and tells what failed. Does nothing where the system has no such call.
  package static func beginWriting(_ file: Int32, at offset: Int, count: Int) {
    #if os(Linux) || os(Android)
      _ = sync_file_range(file, Int64(offset), Int64(count), Self.writesOnly)
    #endif
  }

  #if os(Linux) || os(Android)
    /// The value of `SYNC_FILE_RANGE_WRITE`.
    private static let writesOnly: UInt32 = 2
  #endif

  /// Makes new names in a directory survive a power cut.
  package static func syncDirectory(_ path: String) throws(LMDBError) {
    let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .system("open", path: path) }
    defer { close(directory) }
    // Some file systems have nothing to sync for a directory and return EINVAL.
    guard fsync(directory) == 0 || errno == EINVAL else { throw .system("sync", path: path) }
  }

  /// Returns the path without links; nil if the system does not tell it.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the parent directory, from the text of the path alone.
  package static func parent(of path: String) -> String {
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    bytes.removeSubrange((last == 0 ? 1 : last)...)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the name of the network file system on which the path lies, or nil if the file system is local.
  package static func networkFileSystem(_ path: String) throws(LMDBError) -> String? {
    var status = statfs()
    guard unsafe statfs(path, &status) == 0 else { throw .system("open", path: path) }
    #if canImport(Darwin)
      return status.f_flags & UInt32(MNT_LOCAL) == 0 ? "not mounted as local" : nil
    #else
      return networkFileSystem(magic: UInt32(truncatingIfNeeded: status.f_type))
    #endif
  }

  /// Returns the name of a network or cluster file system for the number that Linux gives it, or nil for any other
  /// number. FUSE counts as local, because what it is based on is unknown.
  package static func networkFileSystem(magic: UInt32) -> String? {
    switch magic {
    case 0x6969: "NFS"
    case 0x517b: "SMB"
    case 0xff53_4d42: "CIFS"
    case 0xfe53_4d42: "SMB2"
    case 0x564c: "NCP"
    case 0x7375_7245: "Coda"
    case 0x5346_414f, 0x6b41_4653: "AFS"
    case 0x0102_1997: "9P"
    case 0x00c3_6400: "Ceph"
    case 0x0116_1970: "GFS2"
    case 0x7461_636f: "OCFS2"
    case 0x0bd0_0bd0: "Lustre"
    case 0x4750_4653: "GPFS"
    case 0x1983_0326: "BeeGFS"
    case 0x786f_4256: "a VirtualBox shared folder"
    default: nil
    }
  }
}
