internal import LMDBPages
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension StoreFiles {
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
    guard let opened = FileIdentity(descriptor: file) else {
      throw .system("open", path: directory, detail: dataFile)
    }
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

  /// Returns whether the file of a store exists and nothing has been committed to it except, at most, its empty
  /// databases: its creation was interrupted then.
  package static func isUnfinished(_ directory: String) -> Bool {
    guard let summary = try? StoreCheck.check("\(directory)/\(dataFile)", directory: directory) else {
      return false
    }
    return summary.transaction <= 1
  }
}
