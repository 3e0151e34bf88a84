extension LMDBError: CustomStringConvertible {
  /// One line: what was being done and where, what was found, and what to do about it.
  package var description: String {
    var text = "\(operation) \(path): \(finding)"
    if !detail.isEmpty { text += " (\(detail))" }
    text += "; \(remedy)"
    if rawCode != 0 { text += " [\(rawCode): \(systemMessage(rawCode))]" }
    return text
  }

  private var finding: String {
    switch code {
    case .mapFull: "the memory map is full and nothing of the transaction was stored"
    case .diskFull: "the disk, the quota or the file size limit is exhausted and nothing was stored"
    case .corrupted: "the file contradicts itself"
    case .invalid: "this is not a store"
    case .versionMismatch: "another version of LMDB wrote this file"
    case .panic: "LMDB met a fatal error and the store was closed"
    case .writerBusy(let process):
      process > 0
        ? "process \(process) has been writing all the time" : "another process has been writing all the time"
    case .openerBusy(let process):
      "\(process > 0 ? "process \(process)" : "another process") has been opening or closing the store all the time"
    case .readAlone:
      "another process found no room for \(StoreFiles.lockFile), and reads the store with nobody beside it"
    case .notSynced: "everything is in its place, but the directory could not be synced"
    case .readersFull: "every slot of the reader table is taken"
    case .mapResizedTimeout: "the map has to be renewed but transactions of this process keep it in use"
    case .nested: "a transaction of this store is already open on this thread"
    case .closed: "it has ended"
    case .suspended: "it is suspended, and holds no files"
    case .stillInUse: "it is suspended, and what had begun before still holds its files"
    case .forked: "the store was opened before this process was forked off"
    case .networkFileSystem: "the directory lies on a network file system"
    case .alreadyOpenElsewhere: "this process already has the store open in another way"
    case .permission: "the operating system denies access"
    case .readOnly: "the store is open for reading only"
    case .noSuchStore: "there is no store here"
    case .notADirectory: "the path is not a directory"
    case .foreignFile: "this is not a file of this user's alone"
    case .replaced: "what is open is no longer what is under the path"
    case .noSuchDatabase: "the store has no such database"
    case .databasesFull: "too many databases"
    case .incompatible: "the database has flags that are not used here"
    case .foreignDatabase: "the database handle belongs to another store"
    case .outcomeUnknown: "the last step of the commit failed, it may or may not be stored"
    case .snapshotExpired: "the read held its snapshot longer than its lease"
    case .keyLength: "a key has to be 1 to 511 bytes long"
    case .valueLength: "a value has to be shorter than 4 GiB"
    case .keyOrder: "the appended key does not come after the last one"
    case .transactionFull: "the transaction touches too many pages"
    case .transactionInvalid: "the transaction failed earlier"
    case .addressSpace: "no address space is left for the map"
    case .io: "the operating system reports an error"
    }
  }

  /// What of the store has to be read and written: the file that the error is about, if it is one.
  private var needed: String {
    let files = StoreFiles.names
    if let name = path.split(separator: "/").last.map(String.init), files.contains(name) {
      return "\(name) and its directory"
    }
    return "the directory and the files in it: \(files.joined(separator: ", "))"
  }

  private var remedy: String {
    switch code {
    case .mapFull: "raise the limit of the map, or delete in small batches"
    case .diskFull: "free some space and write again"
    case .corrupted where rawCode == 0:
      "keep the file: verify says what is damaged, an export or backup restores it"
    case .corrupted: "the store was closed: keep the file, verify a copy, restore from a dump or backup"
    case .invalid: "check the path; of a store whose first pages are damaged, salvage takes what is whole"
    case .versionMismatch: "open it with the program that wrote it, dump and load it"
    case .panic, .outcomeUnknown: "open the store again and compare its last sequence before retrying"
    case .writerBusy: "write again when it has ended, or allow more time"
    case .openerBusy: "open it again when that has gone on or ended: it may have been stopped"
    case .readAlone: "make room on the disk, and open it again when that process has closed it"
    case .notSynced: "the loss of power may undo it: check the disk, and that the directory can be read"
    case .readersFull: "end read transactions, or raise the number of readers when no process has it open"
    case .mapResizedTimeout: "keep read transactions short and try again"
    case .nested: "use the transaction at hand"
    case .closed: "open the store again, and use a transaction only inside its closure"
    case .suspended: "resume it"
    case .stillInUse: "they are given back when that has ended: suspend again to wait for it, or resume"
    case .forked: "open the store again in this process"
    case .networkFileSystem: "keep the store on a local disk"
    case .alreadyOpenElsewhere: "close it first, or open it with the same options and path"
    case .permission: "give this user read and write access to \(needed)"
    case .readOnly: "open it for writing, on a file system that can be written"
    case .noSuchStore: "check the path, or ask for the store to be created"
    case .notADirectory: "name the directory that holds data.mdb"
    case .foreignFile: "find out who made it, and move it away"
    case .replaced: "close the store, see to it that its files are those of one time, and open it again"
    case .noSuchDatabase: "check the name, or ask for the databases to be created"
    case .databasesFull: "use fewer databases in one store"
    case .incompatible: "use a store made by this program"
    case .foreignDatabase: "take the handle from the environment of the transaction"
    case .snapshotExpired: "read again from where this read ended"
    case .keyLength: "shorten the key"
    case .valueLength: "split the value"
    case .keyOrder: "sort the load, or put instead of appending"
    case .transactionFull: "write in smaller batches"
    case .transactionInvalid: "let the error end the closure and write again"
    case .addressSpace: "allow the process more address space, or use a smaller map"
    case .io: "nothing was stored by this call; check the disk and its log"
    }
  }
}
