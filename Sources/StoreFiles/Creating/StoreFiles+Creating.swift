#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension StoreFiles {
  /// Checks that a store exists in `directory`, and returns its identity. With `create`, a missing store is created:
  /// `make` makes it in the directory that it is given.
  /// - Parameters:
  ///   - isDurable: Whether a new store has to survive a power cut. One that is moved into place later need not.
  ///   - limit: When to give up waiting for another process that is making it, in nanoseconds of `monotonicNanoseconds()`.
  package static func prepare(
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
}
