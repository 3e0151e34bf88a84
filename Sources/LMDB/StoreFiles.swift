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
  /// Commits that the data file does not have yet.
  package static let journalFile = "journal"
  /// How far the journal is published.
  package static let headFile = "journal.head"
  /// The files of a store.
  static let names = [dataFile, lockFile, journalFile, headFile]
  /// The subdirectory in which a new store is made before its file gets its final name.
  package static let nursery = ".creating"

  /// Checks that a store exists in `directory`, and returns its identity. With `create`, a missing store is created:
  /// `make` makes it in the directory that it is given.
  /// - Parameters:
  ///   - isDurable: Whether a new store has to survive a power cut. One that is moved into place later need not.
  ///   - limit: When to give up waiting for another process that is making it, in nanoseconds of `monotonicNanoseconds()`.
  static func prepare(
    _ directory: String, create: Bool, isDurable: Bool, until limit: UInt64,
    make: (String) throws(LMDBError) -> Void
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
      try createStore(directory, isDurable: isDurable, until: limit, make: make)
    }
    guard let file = try OwnFile.identity(data) else {
      throw LMDBError(.noSuchStore, operation: "open", path: directory, detail: "\(dataFile) is gone")
    }
    return StoreIdentity(directory: FileSystem.identity(status), file: file)
  }

  /// Checks the files that LMDB is about to open by name, and refuses links. Returns the identity of the data file, or
  /// nil if there is none.
  static func check(_ directory: String) throws(LMDBError) -> FileIdentity? {
    try OwnFile.check(file: "\(directory)/\(dataFile)")
    try OwnFile.check(file: "\(directory)/\(lockFile)")
    return try OwnFile.identity("\(directory)/\(dataFile)")
  }

  /// Checks that LMDB has opened the file that was checked before, and that nobody has exchanged it in between.
  /// - Parameters:
  ///   - file: LMDB's own descriptor of the data file.
  ///   - checked: The identity of the file before; nil if LMDB was to make the file.
  static func confirm(_ directory: String, _ file: Int32, _ checked: FileIdentity?) throws(LMDBError) {
    let path = "\(directory)/\(dataFile)"
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .system("open", path: directory, detail: dataFile) }
    let opened = FileSystem.identity(status)
    guard try check(directory) == opened, checked == nil || checked == opened else {
      throw OwnFile.foreign(path, "was exchanged while it was opened", "open")
    }
  }

  /// Returns whether a path names a file that belongs to a store: data of LMDB's, or a lock beside it. What replaces such a
  /// file destroys the store, or lets two writers in.
  package static func isFileOfStore(_ path: String) -> Bool {
    if isData(path) { return true }
    guard isData("\(FileSystem.parent(of: path))/\(dataFile)") else { return false }
    let name = path.split(separator: "/").last ?? ""
    return names.contains(String(name)) || name.hasSuffix(".lock")
  }

  /// Whether a file itself, not one that a link leads to, begins with a meta page of LMDB's.
  private static func isData(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var magic: UInt32 = 0
    return unsafe pread(file, &magic, MemoryLayout<UInt32>.size, pageHeader) == MemoryLayout<UInt32>.size
      && magic == MetaPage.magic
  }

  /// Bytes of a page of LMDB's before its contents.
  private static let pageHeader: off_t = 16

  /// Which of the store's files this user may not use, whose it is, and its mode; empty if that is not the reason.
  static func denied(_ directory: String) -> String {
    for name in names {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard unsafe lstat(path, &status) == 0, unsafe access(path, R_OK | W_OK) != 0 else { continue }
      let mode = String(status.st_mode & 0o777, radix: 8)
      let owner = status.st_uid == geteuid() ? "has" : "belongs to the user of number \(status.st_uid), with"
      return "\(name) \(owner) mode \(mode)"
    }
    return ""
  }

  /// Gives the lock file the disk space of a whole reader table, without changing its size or its bytes. Makes it if there is none.
  ///
  /// LMDB makes the file sparse, maps it and writes to the map: on a full disk that causes a SIGBUS instead of an
  /// error. Call this only while this process does not have the store open: closing any descriptor of the file drops
  /// LMDB's lock on it.
  /// - Returns: False if there is no room for it, and none is there.
  static func reserveLockFile(_ directory: String, readers: Int, report path: String) throws(LMDBError)
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
  static func lacksLockFile(_ directory: String) -> Bool {
    var status = stat()
    let code = unsafe lstat("\(directory)/\(lockFile)", &status)
    return code == 0 ? status.st_size == 0 : errno == ENOENT
  }

  /// Says that a store cannot be opened because its lock file finds no room.
  static func noRoomForLockFile(_ path: String) -> LMDBError {
    LMDBError(.diskFull, operation: "open", path: path, detail: "no room for \(lockFile)")
  }

  /// Bytes of LMDB's reader table before its slots, and bytes of one slot, which is one cache line.
  private static let lockHeader = 128
  private static let readerSlot = 64
  #if !canImport(Darwin)
    /// The value of `FALLOC_FL_KEEP_SIZE`.
    private static let keepsSize: Int32 = 1
  #endif

  private static func createDirectory(_ directory: String) throws(LMDBError) {
    guard FileSystem.makePrivateDirectory(directory) || errno == EEXIST else {
      throw .system("create", path: directory)
    }
  }

  /// Makes the store in a subdirectory and renames its file into place, so that `data.mdb` is whole from its first
  /// moment: an empty or short one is always damage. A lock on the directory keeps other processes from doing the same.
  private static func createStore(
    _ directory: String, isDurable: Bool, until limit: UInt64, make: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let lock = try lockCreation(of: directory, until: limit)
    defer { close(lock) }
    let data = "\(directory)/\(dataFile)"
    guard try OwnFile.identity(data) == nil else { return }
    let aside = "\(directory)/\(nursery)"
    // Removes what a crash left behind: nobody else can be at work, because we hold the lock.
    try removeNursery(of: directory)
    guard FileSystem.makePrivateDirectory(aside) else { throw .system("create", path: directory) }
    defer { try? removeNursery(of: directory) }
    try make(aside)
    guard unsafe rename("\(aside)/\(dataFile)", data) == 0 else { throw .system("create", path: directory) }
    guard isDurable else { return }
    // From here on there is a store: whoever is told of a failure has to know that.
    do {
      try FileSystem.syncDirectory(directory)
      try FileSystem.syncDirectory(FileSystem.parent(of: directory))
    } catch {
      throw LMDBError(.notSynced, rawCode: error.rawCode, operation: "create", path: directory)
    }
  }

  /// Returns whether the directory in which a store was being made exists. Checks that it holds nothing but a store's
  /// files.
  /// - Throws: `foreignFile` if somebody else has made it, or put something into it.
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

  /// Removes the directory in which a store was being made, unless a store exists by now or somebody is still making
  /// one.
  /// - Returns: Whether nothing of the directory is left.
  package static func removeAbandonedNursery(of directory: String) throws(LMDBError) -> Bool {
    let lock: Int32
    do { lock = try lockCreation(of: directory, until: 0) } catch {
      if case .openerBusy = error.code { return false }
      throw error
    }
    defer { close(lock) }
    guard try OwnFile.identity("\(directory)/\(dataFile)") == nil else { return false }
    try removeNursery(of: directory)
    return true
  }

  /// Returns whether the file of a store exists and nothing has been committed to it except, at most, its empty
  /// databases: its creation was interrupted then.
  package static func isUnfinished(_ directory: String) -> Bool {
    guard let summary = try? StoreCheck.check("\(directory)/\(dataFile)", directory: directory) else {
      return false
    }
    return summary.transaction <= 1
  }

  /// Takes the lock of those who make a store in a directory. Closing the file releases it.
  /// - Throws: `openerBusy` if somebody else has it at the limit.
  private static func lockCreation(of directory: String, until limit: UInt64) throws(LMDBError) -> Int32 {
    let lock = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .system("create", path: directory) }
    let error: LMDBError
    switch FileLock.take(lock, isShared: false, until: limit) {
    case .taken: return lock
    case .busy:
      error = LMDBError(
        .openerBusy(process: FileLock.holder(of: lock) ?? 0), operation: "create", path: directory)
    case .failed(let number): error = LMDBError(raw: number, operation: "create", path: directory)
    }
    close(lock)
    throw error
  }

  /// Removes the directory in which a store was being made. Call this only while nobody else can be making a store
  /// there.
  package static func removeNursery(of directory: String) throws(LMDBError) {
    guard try hasNursery(in: directory) else { return }
    let aside = "\(directory)/\(nursery)"
    for name in [dataFile, lockFile] {
      guard unsafe unlink("\(aside)/\(name)") == 0 || errno == ENOENT else {
        throw .system("create", path: aside)
      }
    }
    guard unsafe rmdir(aside) == 0 || errno == ENOENT else { throw .system("create", path: aside) }
  }
}
