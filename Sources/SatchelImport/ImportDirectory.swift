internal import CommitEngine
internal import SatchelModel
internal import SatchelStorage
internal import StoreFiles

/// The directory `STORE.importing`, beside the directory of a new store, in which an import makes the store.
///
/// A crash may leave behind an empty directory, the lock file alone, or the lock file and any files that an import
/// makes. The next import removes them. A directory of that name that somebody else has made, even if it is a store, is
/// left alone. So is one that others can write to, or that holds anything else.
struct ImportDirectory {
  let path: String
  private let directory: String
  private let lock: ImportLock

  var compactFile: String { path + "/" + Self.compactName }
  var spoolFile: String { path + "/" + Self.spoolName }

  private static let lockName = "importing.lock"
  private static let compactName = "compact.mdb"
  private static let spoolName = "records.spool"
  private static let files: Set = [
    lockName, StoreFiles.dataFile, StoreFiles.lockFile, compactName, spoolName,
    ImportLock.name,
  ]

  /// Makes the directory, or empties one that a crash has left behind.
  /// - Throws: `foreignFile`, or ``SatchelError`` `io`, also if another import is using the directory.
  static func claim(for directory: String) throws -> ImportDirectory {
    let path = directory + ".importing"
    try Directories.create(path)
    try checkContents(path)
    // Before this import got the lock, another one may have moved the directory to its destination, with the lock file
    // in it.
    guard let lock = try ImportLock.exclusive(path, name: lockName), lock.isFile(at: path + "/" + lockName)
    else {
      throw SatchelError(.io, "Another import is making a store at the path", ["store": directory])
    }
    // Synced, so that even after a crash of the machine the lock file is there if any other file is: it shows that the
    // directory is ours.
    try FileSystem.syncDirectory(path)
    let claimed = ImportDirectory(path: path, directory: directory, lock: lock)
    try claimed.removeFiles(except: [lockName])
    return claimed
  }

  /// Moves the store to the path that it was made for.
  /// - Parameter isCompact: Whether the compact copy is its data file.
  /// - Throws: `notSynced` if the complete store is at the path but a loss of power may undo that.
  func moveIntoPlace(isCompact: Bool) throws {
    let dataFile = path + "/" + StoreFiles.dataFile
    try removeFiles(except: [Self.lockName, isCompact ? Self.compactName : StoreFiles.dataFile])
    if isCompact { try Directories.rename(compactFile, to: dataFile) }
    try FileSystem.syncDirectory(path)
    // The lock is held to the end. A crash before its file is removed leaves a file in the store that is never used.
    defer { try? Directories.removeFile(directory + "/" + Self.lockName) }
    try Directories.move(path, to: directory)
  }

  /// Removes the directory; its lock file is removed last.
  func remove() throws {
    // After the move, a directory at this path is that of another import.
    guard lock.isFile(at: path + "/" + Self.lockName) else { return }
    try removeFiles(except: [Self.lockName])
    try Directories.removeFile(path + "/" + Self.lockName)
    try Directories.removeDirectory(path)
  }

  /// Throws unless everything in the directory is something that an import makes there.
  private static func checkContents(_ path: String) throws {
    let names = try FileSystem.names(in: path)
    guard names.isEmpty || names.contains(lockName) else {
      throw OwnFile.foreign(path, "holds what no import has put there", "import")
    }
    for name in names.sorted() {
      if name == StoreFiles.nursery {
        _ = try StoreFiles.hasNursery(in: path)
      } else if files.contains(name) {
        try OwnFile.check(file: path + "/" + name, "import")
      } else {
        throw OwnFile.foreign(path, "holds \(name), which no import has put there", "import")
      }
    }
  }

  private func removeFiles(except kept: Set<String>) throws {
    try StoreFiles.removeNursery(of: path)
    for name in Self.files.subtracting(kept).sorted() { try Directories.removeFile(path + "/" + name) }
  }
}
