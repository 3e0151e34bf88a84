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

  /// LMDB's name of the code, and what it says about it.
  package var message: String {
    switch self {
    case .keyExists: "MDB_KEYEXIST: Key/data pair already exists"
    case .notFound: "MDB_NOTFOUND: No matching key/data pair found"
    case .pageNotFound: "MDB_PAGE_NOTFOUND: Requested page not found"
    case .corrupted: "MDB_CORRUPTED: Located page was wrong type"
    case .panic: "MDB_PANIC: Update of meta page failed or environment had fatal error"
    case .versionMismatch: "MDB_VERSION_MISMATCH: Database environment version mismatch"
    case .invalid: "MDB_INVALID: File is not an LMDB file"
    case .mapFull: "MDB_MAP_FULL: Environment mapsize limit reached"
    case .databasesFull: "MDB_DBS_FULL: Environment maxdbs limit reached"
    case .readersFull: "MDB_READERS_FULL: Environment maxreaders limit reached"
    case .threadKeysFull: "MDB_TLS_FULL: Thread-local storage keys full - too many environments open"
    case .transactionFull: "MDB_TXN_FULL: Transaction has too many dirty pages - transaction too big"
    case .cursorFull: "MDB_CURSOR_FULL: Internal error - cursor stack limit reached"
    case .pageFull: "MDB_PAGE_FULL: Internal error - page has no more space"
    case .mapResized: "MDB_MAP_RESIZED: Database contents grew beyond environment mapsize"
    case .incompatible: "MDB_INCOMPATIBLE: Operation and DB incompatible, or DB flags changed"
    case .badReaderSlot: "MDB_BAD_RSLOT: Invalid reuse of reader locktable slot"
    case .badTransaction: "MDB_BAD_TXN: Transaction must abort, has a child, or is invalid"
    case .badValueSize: "MDB_BAD_VALSIZE: Unsupported size of key/DB name/data, or wrong DUPFIXED size"
    case .badDatabase: "MDB_BAD_DBI: The specified DBI handle was closed/changed unexpectedly"
    }
  }
}
