/// LMDB's own return codes: numbers of its interface, which do not change. They stand here because the errors of the files and
/// those of LMDB are told as one, and what guards files does without LMDB.
package enum LMDBCode: Int32, CaseIterable, Sendable {
  case keyExists = -30799
  case notFound = -30798
  case pageNotFound = -30797
  case corrupted = -30796
  case panic = -30795
  case versionMismatch = -30794
  case invalid = -30793
  case mapFull = -30792
  case databasesFull = -30791
  case readersFull = -30790
  case threadKeysFull = -30789
  case transactionFull = -30788
  case cursorFull = -30787
  case pageFull = -30786
  case mapResized = -30785
  case incompatible = -30784
  case badReaderSlot = -30783
  case badTransaction = -30782
  case badValueSize = -30781
  case badDatabase = -30780

  /// LMDB's name of the code, and what it means.
  package var message: String {
    switch self {
    case .keyExists: "MDB_KEYEXIST: the key is there already"
    case .notFound: "MDB_NOTFOUND: there is no such key"
    case .pageNotFound: "MDB_PAGE_NOTFOUND: a page that another names is not there"
    case .corrupted: "MDB_CORRUPTED: a page is not of the kind that it should be"
    case .panic: "MDB_PANIC: a meta page could not be written, or the environment failed before"
    case .versionMismatch: "MDB_VERSION_MISMATCH: the file is of another version of LMDB"
    case .invalid: "MDB_INVALID: the file is not one of LMDB"
    case .mapFull: "MDB_MAP_FULL: the map has no room left"
    case .databasesFull: "MDB_DBS_FULL: no more databases can be opened"
    case .readersFull: "MDB_READERS_FULL: no more readers can be entered"
    case .threadKeysFull: "MDB_TLS_FULL: the process has no keys left for its threads"
    case .transactionFull: "MDB_TXN_FULL: the transaction has changed too many pages"
    case .cursorFull: "MDB_CURSOR_FULL: a tree is deeper than a cursor can go"
    case .pageFull: "MDB_PAGE_FULL: a page has no room where it should have"
    case .mapResized: "MDB_MAP_RESIZED: another process has made the file larger than the map"
    case .incompatible: "MDB_INCOMPATIBLE: the operation does not fit the database"
    case .badReaderSlot: "MDB_BAD_RSLOT: a reader's slot was used by another one"
    case .badTransaction: "MDB_BAD_TXN: the transaction has failed, or is over"
    case .badValueSize: "MDB_BAD_VALSIZE: a key or a value has a length that is not allowed"
    case .badDatabase: "MDB_BAD_DBI: the handle is of no open database"
    }
  }
}
