internal import CSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension StoreFiles {
  /// Gives the lock file the disk space of a whole reader table, without changing its size or its bytes. Makes it if there is none.
  ///
  /// LMDB makes the file sparse, maps it and writes to the map: on a full disk that causes a SIGBUS instead of an
  /// error. Call this only while this process does not have the store open: closing any descriptor of the file drops
  /// LMDB's lock on it.
  /// - Returns: False if there is no room for it, and none is there.
  package static func reserveLockFile(_ directory: String, readers: Int, report path: String)
    throws(LMDBError)
    -> Bool
  {
    let file: Int32
    do {
      file = try OwnFile.open("\(directory)/\(lockFile)", create: true)
    } catch {
      if error.code == .diskFull { return false }
      if error.code == .foreignFile { throw error }
      // If the file may not be opened or reserved, LMDB itself decides whether that is an error.
      return true
    }
    defer { close(file) }
    let length = off_t(lockHeader + max(1, readers) * readerSlot)
    #if canImport(Darwin)
      var status = stat()
      guard unsafe fstat(file, &status) == 0, off_t(status.st_blocks) * 512 < length else { return true }
      var request = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: length,
        fst_bytesalloc: 0)
      let code = unsafe fcntl(file, F_PREALLOCATE, &request)
    #else
      let code = fallocate(file, keepsSize, 0, length)
    #endif
    if code == 0 || (errno != ENOSPC && errno != EDQUOT) { return true }
    if lacksLockFile(directory) { return false }
    throw noRoomForLockFile(path)
  }

  /// Whether no lock file is there, or an empty one, which nobody has made use of.
  package static func lacksLockFile(_ directory: String) -> Bool {
    var status = stat()
    let code = unsafe lstat("\(directory)/\(lockFile)", &status)
    return code == 0 ? status.st_size == 0 : errno == ENOENT
  }

  /// Says that a store cannot be opened because its lock file finds no room.
  package static func noRoomForLockFile(_ path: String) -> LMDBError {
    LMDBError(.diskFull, operation: "open", path: path, detail: "no room for \(lockFile)")
  }

  /// Bytes of LMDB's reader table before its slots, and bytes of one slot, which is one cache line.
  private static let lockHeader = 128
  private static let readerSlot = 64
  #if !canImport(Darwin)
    /// The value of `FALLOC_FL_KEEP_SIZE`.
    private static let keepsSize: Int32 = 1
  #endif
}
