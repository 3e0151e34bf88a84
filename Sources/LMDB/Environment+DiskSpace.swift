internal import CLMDB

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
    if raw == EIO, let environment = unsafe environment, unsafe Self.hasNoRoom(environment) {
      return LMDBError(.diskFull, rawCode: raw, operation: operation, path: path)
    }
    return LMDBError(raw: raw, operation: operation, path: path)
  }

  /// Whether the file can hardly grow now. A write that ended early has used up the space that was left.
  private static func hasNoRoom(_ environment: OpaquePointer) -> Bool {
    var file: Int32 = -1
    var status = stat()
    guard unsafe mdb_env_get_fd(environment, &file) == 0, unsafe fstat(file, &status) == 0 else {
      return false
    }
    var limit = rlimit()
    #if canImport(Glibc)
      let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    if code == 0, UInt64(limit.rlim_cur) <= UInt64(max(0, status.st_size)) &+ UInt64(least) { return true }
    var space = statvfs()
    guard unsafe fstatvfs(file, &space) == 0 else { return false }
    let blocks = geteuid() == 0 ? UInt64(space.f_bfree) : UInt64(space.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return !overflow && bytes < UInt64(least)
  }

  /// If fewer bytes than this, a few pages, are free, the space counts as exhausted.
  private static let least = 64 << 10
}
