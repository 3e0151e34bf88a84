internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension LMDBError {
  /// The error for a return code of LMDB, which is one of LMDB's own codes or an `errno`.
  init(raw: Int32, operation: String, path: String, detail: String = "") {
    self.init(Code(raw: raw), rawCode: raw, operation: operation, path: path, detail: detail)
  }

  /// The error for the calling thread's current `errno`.
  static func system(_ operation: String, path: String, detail: String = "") -> LMDBError {
    LMDBError(raw: errno, operation: operation, path: path, detail: detail)
  }

  /// Whether nothing may be read or written through the environment after this error.
  var poisonsEnvironment: Bool {
    switch code {
    case .corrupted, .panic, .outcomeUnknown: true
    default: false
    }
  }
}

extension LMDBError.Code {
  init(raw: Int32) {
    switch raw {
    case MDB_MAP_FULL: self = .mapFull
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_CURSOR_FULL, MDB_PAGE_FULL: self = .corrupted
    case MDB_PANIC, MDB_BAD_RSLOT: self = .panic
    case MDB_INVALID: self = .invalid
    case MDB_VERSION_MISMATCH: self = .versionMismatch
    case MDB_READERS_FULL: self = .readersFull
    case MDB_MAP_RESIZED: self = .mapResizedTimeout
    case MDB_DBS_FULL: self = .databasesFull
    case MDB_INCOMPATIBLE, MDB_BAD_DBI: self = .incompatible
    case MDB_TXN_FULL: self = .transactionFull
    case MDB_BAD_TXN: self = .transactionInvalid
    case MDB_BAD_VALSIZE: self = .valueLength
    case MDB_KEYEXIST: self = .keyOrder
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EACCES, EPERM: self = .permission
    case EROFS: self = .readOnly
    case ENOENT: self = .noSuchStore
    case ENOTDIR: self = .notADirectory
    case ENOMEM: self = .addressSpace
    default: self = .io(raw)
    }
  }
}

/// Returns the message of the operating system or of LMDB for a code.
func systemMessage(_ raw: Int32) -> String {
  guard let text = unsafe mdb_strerror(raw) else { return "error \(raw)" }
  return unsafe String(cString: text)
}
