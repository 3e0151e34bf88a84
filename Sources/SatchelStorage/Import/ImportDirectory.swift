internal import LMDB
internal import SatchelModel

/// The directory beside a new store's own in which an import makes it, `STORE.importing`.
///
/// What a crash has left behind, at whatever step, is removed by the next import: nothing, the lock file alone, or that
/// and any of what an import makes. A directory that somebody else has made under that name, be it a store, is left alone,
/// and so is one that others can write to, or that holds anything else.
struct ImportDirectory {
  let path: String
  private let directory: String
  private let lock: ImportLock

  var compactFile: String { path + "/" + Self.compactName }

  private static let lockName = "importing.lock"
  private static let compactName = "compact.mdb"
  private static let files: Set = [
    lockName, StoreFiles.dataFile, StoreFiles.lockFile, compactName, ImportLock.name,
  ]

  /// Makes the directory, or empties one that a crash has left; an error while another import is at work in it.
  /// - Throws: `foreignFile`, or ``SatchelError`` `io`.
  static func claim(for directory: String) throws -> ImportDirectory {
    let path = directory + ".importing"
    try Directories.create(path)
    try checkContents(path)
    // Another import may have moved the directory into its place, lock and all, before this one got the lock.
    guard let lock = try ImportLock.exclusive(path, name: lockName), lock.isFile(at: path + "/" + lockName)
    else {
      throw SatchelError(.io, "Another import is making a store at the path", ["store": directory])
    }
    // A crash of the machine, too, leaves the lock wherever it leaves anything else: by the lock it is known as ours.
    try FileSystem.syncDirectory(path)
    let claimed = ImportDirectory(path: path, directory: directory, lock: lock)
    try claimed.removeFiles(except: [lockName])
    return claimed
  }

  /// Gives the store, with the compact copy for its data, the place that it was made for.
  /// - Throws: `notSynced` when it is there, and whole.
  func moveIntoPlace() throws {
    try removeFiles(except: [Self.lockName, Self.compactName])
    try Directories.rename(compactFile, to: path + "/" + StoreFiles.dataFile)
    try FileSystem.syncDirectory(path)
    // The lock is held to the end. A crash before its removal leaves a file in the store that nobody looks at.
    defer { try? Directories.removeFile(directory + "/" + Self.lockName) }
    try Directories.move(path, to: directory)
  }

  /// Removes the directory, its lock last.
  func remove() throws {
    // After a move there is another import's, if any.
    guard lock.isFile(at: path + "/" + Self.lockName) else { return }
    try removeFiles(except: [Self.lockName])
    try Directories.removeFile(path + "/" + Self.lockName)
    try Directories.removeDirectory(path)
  }

  /// Throws unless everything in the directory is what an import makes there.
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
