internal import CLMDB
package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Writes one snapshot of the whole store, in the format of `data.mdb`, to an open file, and syncs that file.
  /// `compact` leaves out free pages, which takes more work. O(pages).
  ///
  /// The caller creates the file, for its own user only: LMDB would make it readable for everybody. Do not call this
  /// inside a transaction of this environment: the copy waits for the writer for a moment.
  package func copy(to fileDescriptor: Int32, compact: Bool) throws(LMDBError) {
    try checkEntry("copy")
    // A short transaction first, so that the map is renewed if another process has enlarged the file.
    endRead(try beginRead("copy"))
    let (handle, _) = unsafe try enter("copy")
    beginReadAhead()
    defer {
      endReadAhead()
      leave()
    }
    let code = unsafe mdb_env_copyfd2(handle, fileDescriptor, compact ? UInt32(MDB_CP_COMPACT) : 0)
    guard code == 0 else { throw LMDBError(raw: code, operation: "copy", path: path) }
    // A pipe cannot be synced.
    guard fsync(fileDescriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw .system("copy", path: path)
    }
  }
}
