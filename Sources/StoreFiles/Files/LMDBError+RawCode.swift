#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension LMDBError {
  /// The error for a return code of LMDB, which is one of LMDB's own codes or an `errno`.
  package init(raw: Int32, operation: String, path: String, detail: String = "") {
    self.init(Code(raw: raw), rawCode: raw, operation: operation, path: path, detail: detail)
  }

  /// The error for the calling thread's current `errno`.
  package static func system(_ operation: String, path: String, detail: String = "") -> LMDBError {
    LMDBError(raw: errno, operation: operation, path: path, detail: detail)
  }

  /// Whether nothing may be read or written through the environment after this error.
  package var poisonsEnvironment: Bool {
    switch code {
    case .corrupted, .panic, .outcomeUnknown: true
    default: false
    }
  }
}

extension LMDBError.Code {
  package init(raw: Int32) {
    switch LMDBCode(rawValue: raw) {
    case .mapFull: self = .mapFull
    case .corrupted, .pageNotFound, .cursorFull, .pageFull: self = .corrupted
    case .panic, .badReaderSlot: self = .panic
    case .invalid: self = .invalid
    case .versionMismatch: self = .versionMismatch
    case .readersFull: self = .readersFull
    case .mapResized: self = .mapResizedTimeout
    case .databasesFull: self = .databasesFull
    case .incompatible, .badDatabase: self = .incompatible
    case .transactionFull: self = .transactionFull
    case .badTransaction: self = .transactionInvalid
    case .badValueSize: self = .valueLength
    case .keyExists: self = .keyOrder
    case .notFound, .threadKeysFull: self = .io(raw)
    case nil: self.init(system: raw)
    }
  }

  private init(system number: Int32) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EACCES, EPERM: self = .permission
    case EROFS: self = .readOnly
    case ENOENT: self = .noSuchStore
    case ENOTDIR: self = .notADirectory
    case ENOMEM: self = .addressSpace
    default: self = .io(number)
    }
  }
}

/// Returns the message of the operating system or of LMDB for a code.
package func systemMessage(_ raw: Int32) -> String {
  if let code = LMDBCode(rawValue: raw) { return code.message }
  guard let text = unsafe strerror(raw) else { return "error \(raw)" }
  return unsafe String(cString: text)
}
