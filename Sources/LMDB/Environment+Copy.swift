internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Makes every commit so far durable, whatever the options promise.
  package func sync() throws(LMDBError) {
    guard !isForeign else { throw error(.forked, "sync") }
    let (handle, _) = try enter("sync")
    defer { leave() }
    let code = mdb_env_sync(handle, 1)
    guard code == 0 else { throw LMDBError(raw: code, operation: "sync", path: path) }
    #if canImport(Darwin)
      var file: Int32 = -1
      mdb_env_get_fd(handle, &file)
      guard fcntl(file, F_FULLFSYNC) == 0 || errno == ENOTSUP || errno == EINVAL else {
        throw .system("sync", path: path)
      }
    #endif
  }

  /// Writes one snapshot of the whole store, as a `data.mdb`, to an open file, and syncs it. `compact` leaves free pages
  /// out, at the price of more work.
  ///
  /// The caller makes the file, for its own user only: LMDB would make it readable for everybody. Not inside a
  /// transaction of this environment: the copy waits for the writer for a moment.
  package func copy(to fileDescriptor: Int32, compact: Bool) throws(LMDBError) {
    try checkEntry("copy")
    // A short transaction first, so that a map that another process enlarged is renewed.
    endRead(try beginRead("copy"))
    let (handle, _) = try enter("copy")
    beginReadAhead()
    defer {
      endReadAhead()
      leave()
    }
    let code = mdb_env_copyfd2(handle, fileDescriptor, compact ? UInt32(MDB_CP_COMPACT) : 0)
    guard code == 0 else { throw LMDBError(raw: code, operation: "copy", path: path) }
    // A pipe cannot be synced.
    guard fsync(fileDescriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw .system("copy", path: path)
    }
  }
}
