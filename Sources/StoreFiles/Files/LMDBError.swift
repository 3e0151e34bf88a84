/// An error of the file layer: what went wrong and where. Its description also says what to do.
///
/// "Not found" is never an error here: reads return `nil`, deletions return `false`.
package struct LMDBError: Error, Sendable, Equatable {
  /// The kind of failure, for a program to act on.
  package enum Code: Sendable, Equatable {
    /// The memory map has no room for the pages a write needs. The write was rolled back.
    case mapFull
    /// The disk, a quota or a file size limit is exhausted. The write was rolled back.
    case diskFull
    /// The file contradicts itself. If LMDB has found the damage, in a write, the environment has closed itself. If
    /// this layer's own checks have found it, the error says where, and other reads go on.
    case corrupted
    /// The file or directory is not a store.
    case invalid
    /// The file was written by another version of LMDB's format.
    case versionMismatch
    /// LMDB refuses to go on in this process. The environment has closed itself; open it again.
    case panic
    /// Another process has been writing for longer than this one was to wait. The value is the id of that process, or 0
    /// if it is unknown.
    case writerBusy(process: Int32)
    /// Another process has been creating, opening or closing the store for longer than this one was to wait. The value is the id of
    /// that process, or 0 if it is unknown.
    case openerBusy(process: Int32)
    /// Another process reads the store without a lock file, for which it found no room, and keeps all others out: see `SoleReading`.
    case readAlone
    /// All files are in place, but the directory could not be synced: a power cut may undo the change.
    case notSynced
    /// Every slot of the reader table is taken.
    case readersFull
    /// Another process enlarged the file, and this process's transactions did not end in time to remap it.
    case mapResizedTimeout
    /// A transaction was begun inside another one of the same environment on the same thread.
    case nested
    /// The environment, or the transaction, has ended.
    case closed
    /// The environment has given its files back, until it is resumed.
    case suspended
    /// The environment is suspended, and what had begun before has not ended: `detail` says what still holds the files.
    case stillInUse
    /// The environment was opened before this process was forked off.
    case forked
    /// The directory lies on a network file system, where memory maps and locks cannot be trusted.
    case networkFileSystem
    /// This process already has the store open: with options that contradict these, or the file was replaced or is
    /// linked.
    case alreadyOpenElsewhere
    /// The operating system denies access.
    case permission
    /// A write to a store that was opened for reading only, or that lies on a read-only file system.
    case readOnly
    /// There is no store at this path.
    case noSuchStore
    /// The path names something that is not a directory.
    case notADirectory
    /// A link, a device or somebody else's file has the name of one of the store's files; `detail` says which.
    case foreignFile
    /// The directory, `data.mdb` or `lock.mdb` of the open store was removed, renamed or replaced; `detail` says which. What this
    /// process writes would not reach those who open the store. The environment has closed itself.
    case replaced
    /// The store has no database of this name.
    case noSuchDatabase
    /// More databases were asked for than the environment has handles for.
    case databasesFull
    /// The database was created with flags that this layer does not use.
    case incompatible
    /// A database handle of another environment was used.
    case foreignDatabase
    /// The last step of the commit failed: only opening the store again shows whether the transaction is stored.
    case outcomeUnknown
    /// A streaming read held its snapshot longer than its lease.
    case snapshotExpired
    /// A key is empty or longer than 511 bytes.
    case keyLength
    /// A value has 4 GiB or more.
    case valueLength
    /// An appended key does not come after the last key of the database.
    case keyOrder
    /// The transaction touches more pages than LMDB can keep.
    case transactionFull
    /// The transaction failed earlier and can only be aborted.
    case transactionInvalid
    /// The process has no address space left for the map.
    case addressSpace
    /// Any other failure of the operating system, by its `errno`.
    case io(Int32)
  }

  /// The kind of failure.
  package let code: Code
  /// LMDB's own code (negative), an `errno` (positive), or 0 if this layer refused before it called either.
  package let rawCode: Int32
  /// What was being done: "open", "put", "commit".
  package let operation: String
  /// The directory of the store.
  package let path: String
  /// What was found, if the code alone does not say it; otherwise empty.
  package let detail: String

  /// Whether this layer's own checks, and not LMDB, have found damage, which `detail` names. The environment stays
  /// open.
  package var isPageFault: Bool { code == .corrupted && rawCode == 0 }

  package init(_ code: Code, rawCode: Int32 = 0, operation: String, path: String, detail: String = "") {
    self.code = code
    self.rawCode = rawCode
    self.operation = operation
    self.path = path
    self.detail = detail
  }
}
