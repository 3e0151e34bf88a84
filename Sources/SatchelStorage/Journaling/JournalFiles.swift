internal import Journal
internal import LMDB

/// The open files of a store's journal.
struct JournalFiles: Sendable {
  let file: JournalFile
  /// Nil for a program that may only read, where no writer has made one.
  let head: JournalHead?
  /// Held as long as the files are open, shared: whoever gets it alone knows that nobody else has the store's journal open.
  /// Nil for a program that may only read.
  let presence: JournalLock?

  /// Opens the files of the store in a directory. Returns nil if there is no journal.
  static func open(
    _ directory: String, _ access: JournalFile.Access, _ interposer: JournalInterposer?
  ) throws(JournalError) -> JournalFiles? {
    let path = "\(directory)/\(StoreFiles.journalFile)"
    let headPath = "\(directory)/\(StoreFiles.headFile)"
    if access != .creating, !Directories.exists(path) { return nil }
    let file = try JournalFile(path, access, through: interposer)
    if access == .reading {
      let head = try readHead(headPath)
      return JournalFiles(file: file, head: head, presence: nil)
    }
    let head = try openHead(headPath)
    return JournalFiles(file: file, head: head, presence: try JournalLock(headPath, .writing))
  }

  /// Opens the head for reading. Nil if there is none, or one that was left while it was being made.
  private static func readHead(_ path: String) throws(JournalError) -> JournalHead? {
    guard Directories.exists(path) else { return nil }
    do {
      return try JournalHead(path, .reading)
    } catch  where error.code == .invalid {
      return nil
    }
  }

  /// Opens the journal alone, for reading. Returns nil if there is none.
  static func openFile(
    _ directory: String, _ interposer: JournalInterposer? = nil
  ) throws(JournalError) -> JournalFile? {
    let path = "\(directory)/\(StoreFiles.journalFile)"
    return Directories.exists(path) ? try JournalFile(path, .reading, through: interposer) : nil
  }

  /// Opens the head, and makes one that is missing, or that was left while it was being made.
  private static func openHead(_ path: String) throws(JournalError) -> JournalHead {
    if let head = try? JournalHead(path, .writing) { return head }
    return try JournalHead(path, .creating)
  }
}
