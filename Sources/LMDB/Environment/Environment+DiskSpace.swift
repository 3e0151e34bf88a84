internal import CLMDB
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Returns the error for a return code of a write. LMDB returns EIO if the system wrote fewer bytes than it was asked
  /// to, which happens on a full disk and at the limit of the file's size. Such an EIO is reported as `diskFull`.
  func writeError(raw: Int32, _ operation: String, _ environment: OpaquePointer?) -> LMDBError {
    if raw == EIO, let environment = unsafe environment, unsafe hasNoRoom(environment) {
      return LMDBError(.diskFull, rawCode: raw, operation: operation, path: path)
    }
    return LMDBError(raw: raw, operation: operation, path: path)
  }

  /// Whether the file can hardly grow now. A write that ended early has used up the space that was left. How many blocks a disk says
  /// are free does not tell: file systems keep some of them for themselves.
  private func hasNoRoom(_ environment: OpaquePointer) -> Bool {
    guard let size = unsafe descriptor(environment).flatMap({ FileBlocks(file: $0).size }) else {
      return false
    }
    return !takeBlocks(through: max(size.file, size.blocks) + Self.least)
  }

  /// If there are fewer bytes than this, a few pages, the space counts as exhausted.
  private static let least = 64 << 10
}
