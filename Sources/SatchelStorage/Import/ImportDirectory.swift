internal import SatchelModel

/// The directory beside a new store's own in which an import makes it, `STORE.importing`.
///
/// Its lock file marks it as an import's: what a crash has left behind is removed by the next import, but a directory
/// that somebody else has made under that name, be it a store, is left alone.
struct ImportDirectory {
  let path: String
  private let directory: String
  private let lock: ImportLock

  var compactFile: String { path + "/compact.mdb" }

  private static let lockName = "importing.lock"
  private static let names: Set = [lockName, "data.mdb", "lock.mdb", "compact.mdb", "import.lock"]

  /// Makes the directory, or empties one that a crash has left; an error while another import is at work in it.
  static func claim(for directory: String) throws -> ImportDirectory {
    let path = directory + ".importing"
    try Directories.create(path)
    guard Directories.isDirectory(path), let names = try Directories.names(in: path),
      names.isEmpty || names.contains(lockName) && Self.names.isSuperset(of: names)
    else {
      throw SatchelError(
        .io, "The import needs the path for its temporary store: move away what is there", ["path": path])
    }
    // Another import may have moved the directory into its place, lock and all, before this one got the lock.
    guard let lock = try ImportLock.exclusive(path, name: lockName), lock.isFile(at: path + "/" + lockName)
    else {
      throw SatchelError(.io, "Another import is making a store at the path", ["store": directory])
    }
    let claimed = ImportDirectory(path: path, directory: directory, lock: lock)
    try claimed.removeFiles(except: [lockName])
    return claimed
  }

  /// Gives the store, with the compact copy for its data, the place that it was made for.
  func moveIntoPlace() throws {
    try removeFiles(except: [Self.lockName, "compact.mdb"])
    try Directories.rename(compactFile, to: path + "/data.mdb")
    try Directories.synchronize(path)
    try Directories.move(path, to: directory)
    // The lock is held to the end. A crash before this line leaves a file in the store that nobody looks at.
    try? Directories.removeFile(directory + "/" + Self.lockName)
  }

  /// Removes the directory, its lock last.
  func remove() throws {
    try removeFiles(except: [Self.lockName])
    try Directories.removeFile(path + "/" + Self.lockName)
    try Directories.removeDirectory(path)
  }

  private func removeFiles(except kept: Set<String>) throws {
    for name in Self.names.subtracting(kept).sorted() { try Directories.removeFile(path + "/" + name) }
  }
}
