/// What went wrong in the file layer, where, and what would be right.
///
/// "Not found" is never an error here: reads return `nil`, deletions return `false`.
package struct LMDBError: Error, Sendable, Equatable {
  /// The kind of failure, for a program to act on.
  package enum Code: Sendable, Equatable {
    /// The memory map has no room for the pages a write needs. The write was rolled back.
    case mapFull
    /// The disk, a quota or a file size limit is exhausted. The write was rolled back.
    case diskFull
    /// The file contradicts itself. The environment has closed itself if LMDB has found it, in a write; a read names the
    /// page that is damaged, and others go on.
    case corrupted
    /// The file or directory is not a store.
    case invalid
    /// The file was written by another version of LMDB's format.
    case versionMismatch
    /// LMDB refuses to go on in this process. The environment has closed itself; open it again.
    case panic
    /// Another process has been writing for longer than this one was to wait; its number, 0 when it cannot be told.
    case writerBusy(process: Int32)
    /// Everything is in its place, but the directory could not be synced: the loss of power may undo it.
    case notSynced
    /// Every slot of the reader table is taken.
    case readersFull
    /// Another process enlarged the file, and this process's transactions did not end in time to map it anew.
    case mapResizedTimeout
    /// A transaction was begun inside another one of the same environment on the same thread.
    case nested
    /// The environment, or the transaction, has ended.
    case closed
    /// The environment was opened before this process was forked off.
    case forked
    /// The directory lies on a network file system, where memory maps and locks cannot be trusted.
    case networkFileSystem
    /// This process has the store open already, with options that contradict these, or by another file.
    case alreadyOpenElsewhere
    /// The operating system denies access.
    case permission
    /// A write was asked of a store opened, or mounted, for reading.
    case readOnly
    /// There is no store at this path.
    case noSuchStore
    /// The path names something that is not a directory.
    case notADirectory
    /// Under the name of a file of the store's is a link, a device, or somebody else's file: `detail` says which.
    case foreignFile
    /// The store lacks a database of this name.
    case noSuchDatabase
    /// More databases were asked for than the environment has handles for.
    case databasesFull
    /// The database was made with flags that this layer does not use.
    case incompatible
    /// A database handle of another environment was used.
    case foreignDatabase
    /// The commit's last step failed: whether the transaction is stored shows only after opening the store again.
    case outcomeUnknown
    /// A streaming read held its snapshot longer than its lease.
    case snapshotExpired
    /// A key is empty or longer than 511 bytes.
    case keyLength
    /// A value is longer than 4 GiB.
    case valueLength
    /// An appended key does not come after the last key of the database.
    case keyOrder
    /// The transaction touches more pages than LMDB keeps.
    case transactionFull
    /// The transaction has failed earlier and can only be given up.
    case transactionInvalid
    /// The process has no address space left for the map.
    case addressSpace
    /// Any other failure of the operating system, by its `errno`.
    case io(Int32)
  }

  /// The kind of failure.
  package let code: Code
  /// LMDB's own number (negative), an `errno` (positive), or 0 when this layer refused before asking either.
  package let rawCode: Int32
  /// What was being done: "open", "put", "commit".
  package let operation: String
  /// The directory of the store.
  package let path: String
  /// What was found, where the code alone does not say it; empty otherwise.
  package let detail: String

  /// Whether a read has met a damaged page, which `detail` names. The environment goes on.
  package var isPageFault: Bool { code == .corrupted && rawCode == 0 }

  package init(_ code: Code, rawCode: Int32 = 0, operation: String, path: String, detail: String = "") {
    self.code = code
    self.rawCode = rawCode
    self.operation = operation
    self.path = path
    self.detail = detail
  }
}
