internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The directory of a store and the files in it.
package enum StoreFiles {
  package static let dataFile = "data.mdb"
  package static let lockFile = "lock.mdb"
  /// Where a new store is made before it appears under its name.
  package static let nursery = ".creating"

  /// Checks that there is a store in `directory`, with `make` creating one in the directory it is given, and says
  /// which it is.
  /// - Parameter isDurable: Whether a new one is to survive the loss of power; one that is moved to its place later need not.
  static func prepare(
    _ directory: String, create: Bool, isDurable: Bool, make: (String) throws(LMDBError) -> Void
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
    if try OwnFile.identity(data) == nil {
      guard create else {
        throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "no \(dataFile) in it")
      }
      try createStore(directory, isDurable: isDurable, make: make)
    }
    guard let file = try OwnFile.identity(data) else {
      throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "\(dataFile) is gone")
    }
    return StoreIdentity(directory: FileSystem.identity(status), file: file)
  }

  /// Checks what LMDB is about to open by its name, links and all; says which file the data are.
  static func check(_ directory: String) throws(LMDBError) -> FileIdentity? {
    try OwnFile.check(file: "\(directory)/\(dataFile)")
    try OwnFile.check(file: "\(directory)/\(lockFile)")
    return try OwnFile.identity("\(directory)/\(dataFile)")
  }

  /// Checks that LMDB has opened what was checked before, and that nobody has exchanged it in between.
  /// - Parameters:
  ///   - file: LMDB's own descriptor.
  ///   - checked: What was there before; nil when LMDB was to make the file.
  static func confirm(_ directory: String, _ file: Int32, _ checked: FileIdentity?) throws(LMDBError) {
    let path = "\(directory)/\(dataFile)"
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system("open", path: directory, detail: dataFile) }
    let opened = FileSystem.identity(status)
    guard try check(directory) == opened, checked == nil || checked == opened else {
      throw OwnFile.foreign(path, "was exchanged while it was opened", "open")
    }
  }

  /// Which of the store's files this user may not use, and whose it is; empty if that is not the reason.
  static func denied(_ directory: String) -> String {
    for name in [dataFile, lockFile] {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard lstat(path, &status) == 0, access(path, R_OK | W_OK) != 0 else { continue }
      return "\(name) belongs to the user of number \(status.st_uid)"
    }
    return ""
  }

  /// Gives the lock file the disk space of a whole reader table, without a change of its size or its bytes.
  ///
  /// LMDB makes the file sparse, maps it and writes to the map: on a full disk that is a SIGBUS instead of an error.
  /// Only while this process does not have the store open: closing any descriptor of the file drops LMDB's lock on it.
  static func reserveLockFile(_ directory: String, readers: Int, report path: String) throws(LMDBError) {
    let file: Int32
    do {
      file = try OwnFile.open("\(directory)/\(lockFile)", create: true)
    } catch {
      if error.code == .foreignFile || error.code == .diskFull { throw error }
      // Where it may not be opened or reserved LMDB has the last word.
      return
    }
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
    guard FileSystem.makePrivateDirectory(directory) || errno == EEXIST else {
      throw .system("create", path: directory)
    }
  }

  /// Makes the store aside and renames it into place, so that `data.mdb` is whole from its first moment: an empty or
  /// short one is always damage. A lock on the directory keeps other processes from doing the same.
  private static func createStore(
    _ directory: String, isDurable: Bool, make: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    guard let lock = try lockCreation(of: directory, waiting: true) else { return }
    defer { close(lock) }
    let data = "\(directory)/\(dataFile)"
    guard try OwnFile.identity(data) == nil else { return }
    let aside = "\(directory)/\(nursery)"
    // What a crash left behind: nobody else can be at work, we hold the lock.
    try removeNursery(of: directory)
    guard FileSystem.makePrivateDirectory(aside) else { throw .system("create", path: directory) }
    defer { try? removeNursery(of: directory) }
    try make(aside)
    guard rename("\(aside)/\(dataFile)", data) == 0 else { throw .system("create", path: directory) }
    guard isDurable else { return }
    // From here on there is a store: who is told of a failure has to know that.
    do {
      try FileSystem.syncDirectory(directory)
      try FileSystem.syncDirectory(FileSystem.parent(of: directory))
    } catch {
      throw LMDBError(.notSynced, rawCode: error.rawCode, operation: "create", path: directory)
    }
  }

  /// Whether the directory in which a store was being made is there, and holds nothing but what that makes.
  /// - Throws: `foreignFile` when somebody else has made it, or put something into it.
  package static func hasNursery(in directory: String) throws(LMDBError) -> Bool {
    let aside = "\(directory)/\(nursery)"
    guard try OwnFile.check(directory: aside, "create") else { return false }
    for name in try FileSystem.names(in: aside, "create") {
      guard name == dataFile || name == lockFile else {
        throw OwnFile.foreign(aside, "holds \(name)", "create")
      }
      try OwnFile.check(file: "\(aside)/\(name)", "create")
    }
    return true
  }

  /// Removes the directory in which a store was being made, unless there is a store by now or somebody is at work.
  /// - Returns: Whether nothing of it is left.
  package static func removeAbandonedNursery(of directory: String) throws(LMDBError) -> Bool {
    guard let lock = try lockCreation(of: directory, waiting: false) else { return false }
    defer { close(lock) }
    guard try OwnFile.identity("\(directory)/\(dataFile)") == nil else { return false }
    try removeNursery(of: directory)
    return true
  }

  /// Whether the file of a store is there and nothing has been committed to it but, at most, its empty databases: who made
  /// it was ended then.
  package static func isUnfinished(_ directory: String) -> Bool {
    guard let summary = try? StoreCheck.check("\(directory)/\(dataFile)", directory: directory) else {
      return false
    }
    return summary.transaction <= 1
  }

  /// The lock of those who make a store in a directory; nil when another has it and it is not waited for.
  private static func lockCreation(of directory: String, waiting: Bool) throws(LMDBError) -> Int32? {
    let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .system("create", path: directory) }
    while flock(lock, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let error = LMDBError.system("create", path: directory)
      let isTaken = errno == EWOULDBLOCK
      close(lock)
      if isTaken { return nil }
      throw error
    }
    return lock
  }

  /// Removes the directory in which a store was being made. Only while nobody else can be making one there.
  package static func removeNursery(of directory: String) throws(LMDBError) {
    guard try hasNursery(in: directory) else { return }
    let aside = "\(directory)/\(nursery)"
    for name in [dataFile, lockFile] {
      guard unlink("\(aside)/\(name)") == 0 || errno == ENOENT else { throw .system("create", path: aside) }
    }
    guard rmdir(aside) == 0 || errno == ENOENT else { throw .system("create", path: aside) }
  }
}
