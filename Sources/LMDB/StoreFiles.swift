internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The directory of a store and the files in it.
enum StoreFiles {
  static let dataFile = "data.mdb"
  static let lockFile = "lock.mdb"
  /// Where a new store is made before it appears under its name.
  static let nursery = ".creating"

  /// Checks that there is a store in `directory`, with `make` creating one in the directory it is given, and says
  /// which it is.
  static func prepare(
    _ directory: String, create: Bool, make: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) -> StoreIdentity {
    guard !directory.isEmpty, !directory.utf8.contains(0) else {
      throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "empty path, or NUL in it")
    }
    if try FileSystem.status(directory) == nil {
      guard create else {
        throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "no such directory")
      }
      try createDirectory(directory)
    }
    guard let status = try FileSystem.status(directory), FileSystem.isDirectory(status) else {
      throw LMDBError(.notADirectory, operation: "open", path: directory)
    }
    if let name = try FileSystem.networkFileSystem(directory) {
      throw LMDBError(.networkFileSystem, operation: "open", path: directory, detail: name)
    }
    let data = "\(directory)/\(dataFile)"
    if try FileSystem.status(data) == nil {
      guard create else {
        throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "no \(dataFile) in it")
      }
      try createStore(directory, make: make)
    }
    guard let file = try FileSystem.status(data), FileSystem.isRegularFile(file) else {
      throw LMDBError(.invalid, operation: "open", path: directory, detail: "\(dataFile) is not a file")
    }
    return StoreIdentity(directory: FileSystem.identity(status), file: FileSystem.identity(file))
  }

  /// Gives the lock file the disk space of a whole reader table, without a change of its size or its bytes.
  ///
  /// LMDB makes the file sparse, maps it and writes to the map: on a full disk that is a SIGBUS instead of an error.
  /// Only while this process does not have the store open: closing any descriptor of the file drops LMDB's lock on it.
  static func reserveLockFile(_ directory: String, readers: Int, report path: String) throws(LMDBError) {
    // Where it may not be opened or reserved LMDB has the last word.
    let file = open("\(directory)/\(lockFile)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let length = off_t(lockHeader + max(1, readers) * readerSlot)
    #if canImport(Darwin)
      var status = stat()
      guard fstat(file, &status) == 0, off_t(status.st_blocks) * 512 < length else { return }
      var request = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: length,
        fst_bytesalloc: 0)
      let code = fcntl(file, F_PREALLOCATE, &request)
    #else
      let code = fallocate(file, keepsSize, 0, length)
    #endif
    guard code == 0 || (errno != ENOSPC && errno != EDQUOT) else {
      throw .system("open", path: path, detail: lockFile)
    }
  }

  /// Bytes of LMDB's reader table before its slots, and of a slot, one cache line.
  private static let lockHeader = 128
  private static let readerSlot = 64
  #if !canImport(Darwin)
    /// `FALLOC_FL_KEEP_SIZE`.
    private static let keepsSize: Int32 = 1
  #endif

  private static func createDirectory(_ directory: String) throws(LMDBError) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      throw .system("create", path: directory)
    }
    try FileSystem.syncDirectory(FileSystem.parent(of: directory))
  }

  /// Makes the store aside and renames it into place, so that `data.mdb` is whole from its first moment: an empty or
  /// short one is always damage. A lock on the directory keeps other processes from doing the same.
  private static func createStore(
    _ directory: String, make: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .system("create", path: directory) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .system("create", path: directory) }
    }
    let data = "\(directory)/\(dataFile)"
    guard try FileSystem.status(data) == nil else { return }
    let aside = "\(directory)/\(nursery)"
    // What a crash left behind: nobody else can be at work, we hold the lock.
    removeNursery(aside)
    guard mkdir(aside, 0o700) == 0 else { throw .system("create", path: directory) }
    defer { removeNursery(aside) }
    try make(aside)
    guard rename("\(aside)/\(dataFile)", data) == 0 else { throw .system("create", path: directory) }
    try FileSystem.syncDirectory(directory)
  }

  private static func removeNursery(_ aside: String) {
    unlink("\(aside)/\(dataFile)")
    unlink("\(aside)/\(lockFile)")
    rmdir(aside)
  }
}
