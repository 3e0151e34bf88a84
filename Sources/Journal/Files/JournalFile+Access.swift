internal import StoreFiles

extension JournalFile {
  /// How a file beside the store is opened: the journal's, the head's or a lock's.
  package enum Access: Sendable, Hashable {
    /// For users who may only read the store.
    case reading
    case writing
    /// For writing, and a missing file is made, with the owner of `data.mdb`.
    case creating
  }
}

extension JournalFile.Access {
  /// Opens a file. It has to be a regular file with one name, and of this user, the superuser or the directory's owner.
  func open(_ path: String) throws(JournalError) -> Int32 {
    do throws(LMDBError) {
      return try self == .reading
        ? OwnFile.openForReading(path) : OwnFile.open(path, create: self == .creating)
    } catch {
      throw JournalError(.file(error), operation: "open", path: path)
    }
  }
}
