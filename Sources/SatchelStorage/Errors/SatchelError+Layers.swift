internal import CommitEngine
internal import Journal
internal import RankedIndex
internal import RecordStore
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension SatchelError {
  /// Returns the public error for any error that leaves a store. Errors of the layers below are translated, here and
  /// nowhere else; errors of the caller's own closures pass unchanged.
  package static func translating(_ error: any Error, store: String) -> any Error {
    switch error {
    case let error as LMDBError: SatchelError(error)
    case let error as IndexError: SatchelError(error, store: store)
    case let error as RecordError: SatchelError(error, store: store)
    case let error as JournalError: SatchelError(error, store: store)
    case let error as PartedJournal: error.error
    case let error as CodingError:
      SatchelError(.corrupted, damage, ["store": store, "found": error.description])
    case let error as ByteError:
      SatchelError(.corrupted, damage, ["store": store, "found": "bytes end at \(error.offset)"])
    default: error
    }
  }

  static let damage: StaticString =
    "The store is damaged: keep the file, run verify on a copy, restore from an export or a backup"

  private init(_ error: LMDBError) {
    let context = ["store": error.path, "found": error.description]
    switch error.code {
    case .mapFull, .diskFull, .transactionFull:
      self.init(.storeFull, "There is no room for the write, which was rolled back", context)
    case .corrupted: self.init(.corrupted, Self.damage, context)
    case .invalid, .versionMismatch, .notADirectory, .noSuchDatabase, .databasesFull, .incompatible,
      .foreignDatabase:
      self.init(.notAStore, "What is at the path is not a Satchel store", context)
    case .panic, .outcomeUnknown:
      self.init(
        .outcomeUnknown,
        "The commit failed in a way that leaves its outcome open: open the store again and compare its sequence",
        context)
    case .nested:
      self.init(
        .nestedTransaction, "A transaction of this store is open on this thread: use the one at hand", context
      )
    case .closed, .forked:
      self.init(.closed, "The store, snapshot or transaction has been closed: open the store again", context)
    case .suspended:
      self.init(
        .suspended, "The store is suspended and holds no files: call resume() before it is used", context)
    case .stillInUse:
      self.init(
        .busy,
        "The store is suspended, and what had begun before still holds its files: they are given back when that has ended",
        context)
    case .permission, .readOnly:
      self.init(.permissionDenied, "The store may not be read or written", context)
    case .foreignFile:
      self.init(
        .foreignFile,
        "Under the name of a file of the store's is something else: find out who made it, and move it away",
        context.merging(["path": error.path]) { $1 })
    case .replaced:
      self.init(
        .storeReplaced,
        "The files of the open store were removed, renamed or replaced: close it, put those of one time in their place, and open it again",
        context)
    case .notSynced:
      self.init(
        .notSynced,
        "Everything is in its place, but its directory could not be synced: the loss of power may undo it",
        context)
    case .writerBusy(let process):
      self.init(
        .busy, "Another process is writing: write again when it has ended, or wait for longer",
        process > 0 ? context.merging(["process": String(process)]) { $1 } : context)
    case .openerBusy(let process): self.init(busyOpening: process, context)
    case .readAlone:
      self.init(
        .busy,
        "Another process found no room for the store's lock file, and reads the store with nobody beside it: make room on the disk, and try again when it has closed the store",
        context)
    case .readersFull:
      self.init(
        .tooManyReaders, "As many reads as the store has room for are open: end some, of whatever process",
        context)
    case .noSuchStore: self.init(.noSuchStore, "There is no store at the path", context)
    case .snapshotExpired:
      self.init(.snapshotExpired, "The read outlived its lease: read again from where it ended", context)
    case .networkFileSystem:
      self.init(.io, "A store must be on a local disk: network file systems are not supported", context)
    case .mapResizedTimeout, .alreadyOpenElsewhere, .keyLength, .valueLength, .keyOrder,
      .transactionInvalid, .addressSpace, .io:
      self.init(.io, "The operation failed in the file layer", context)
    }
  }

  private init(_ error: JournalError, store: String) {
    let context = ["store": store, "found": error.description]
    switch error.code {
    case .file(let error): self.init(error)
    case .version:
      self.init(
        .newerFormat, "A newer version of Satchel wrote the journal: open it with that version", context)
    case .otherStore, .gap, .otherChain, .older:
      self.init(.foreignJournal, Self.foreignJournal, context)
    case .damaged(let last, let through):
      self.init(
        .corrupted, Self.damagedJournal,
        context.merging([
          "wholeThrough": String(last),
          "missing": "\(last + 1) to \(through.map(String.init) ?? "an unknown one")",
        ]) { $1 })
    case .invalid: self.init(.corrupted, Self.damagedJournal, context)
    case .system(let number) where [ENOSPC, EDQUOT, EFBIG].contains(number):
      self.init(.storeFull, "There is no room for the write, which was rolled back", context)
    case .full:
      self.init(.storeFull, "The journal is full, and its commits do not fit the store: make room", context)
    case .outcomeUnknown, .poisoned:
      self.init(
        .outcomeUnknown,
        "The commit failed in a way that leaves its outcome open: open the store again and compare its sequence",
        context)
    case .busy(let process): self.init(busyOpening: process, context)
    case .forked:
      self.init(.closed, "The store, snapshot or transaction has been closed: open the store again", context)
    case .system, .recordTooLong: self.init(.io, "The operation failed in the file layer", context)
    }
  }

  /// The error for a process that stands still where others have to wait for it.
  init(busyOpening process: Int32, _ context: [String: String]) {
    self.init(
      .busy,
      "Another process has been opening or closing the store for too long: try again when it has gone on or ended",
      process > 0 ? context.merging(["process": String(process)]) { $1 } : context)
  }

  private init(_ error: IndexError, store: String) {
    switch error {
    case .lmdb(let error) where error.code == .corrupted:
      // Of the pages on which nodes lie.
      self.init(.corrupted, Self.damagedIndex, ["store": error.path, "found": error.description])
    case .lmdb(let error): self.init(error)
    case .overflow(let tree):
      self.init(.storeFull, "An index has no numbers left", ["store": store, "tree": String(tree)])
    case .cursorExpired(let tree):
      self.init(
        .closed, "A read went on after its snapshot had changed", ["store": store, "tree": String(tree)])
    case .corrupt(let tree, let node, let what):
      self.init(
        damagedIndex: tree, store: store, ["found": node == 0 ? what : "node \(node): \(what)"])
    case .outOfStep(let tree, _, let what): self.init(damagedIndex: tree, store: store, ["found": what])
    case .misuse:
      self.init(.corrupted, Self.damage, ["store": store, "found": String(describing: error)])
    }
  }

  /// The error for damage in the tree of an index: all of them follow from the records.
  private init(damagedIndex tree: UInt16, store: String, _ context: [String: String]) {
    let context = context.merging(["store": store, "tree": String(tree)]) { $1 }
    guard let name = IndexCatalog.name(ofTree: tree) else {
      self.init(.corrupted, Self.damage, context)
      return
    }
    self.init(.corrupted, Self.damagedIndex, context.merging(["index": name]) { $1 })
  }

  static let damagedIndex: StaticString =
    "An index of the store is damaged, which follows from its records: satchel verify --repair builds it anew without loss, if nothing else is damaged; copy the store before"

  private init(_ error: RecordError, store: String) {
    self.init(
      .corrupted, Self.damage,
      ["store": store, "table": error.table, "key": error.key, "found": error.finding])
  }
}
