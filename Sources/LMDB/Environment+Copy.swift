internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Makes every commit so far durable, whatever the options promise.
  /// - Throws: `forked`, `closed`, or the error of the failed sync; `io` after one that has failed, until the next write.
  package func sync() throws(LMDBError) {
    guard !isForeign else { throw error(.forked, "sync") }
    let (handle, _) = unsafe try enter("sync")
    defer { leave() }
    unsafe try sync(handle)
  }

  /// Does the same for a thread that is in the closures of a write, after its commit.
  package func syncAfterCommit() throws(LMDBError) { unsafe try sync(handleInside) }

  private func sync(_ handle: OpaquePointer) throws(LMDBError) {
    guard metaPages.load(ordering: .relaxed) != .lost else {
      throw LMDBError(
        raw: EIO, operation: "sync", path: path, detail: "after one that has failed, another would not tell")
    }
    let code = unsafe mdb_env_sync(handle, 1)
    guard code == 0 else {
      metaPages.store(.lost, ordering: .relaxed)
      throw LMDBError(raw: code, operation: "sync", path: path)
    }
    #if canImport(Darwin)
      var file: Int32 = -1
      unsafe mdb_env_get_fd(handle, &file)
      guard fcntl(file, F_FULLFSYNC) == 0 || errno == ENOTSUP || errno == EINVAL else {
        let error = LMDBError.system("sync", path: path)
        metaPages.store(.lost, ordering: .relaxed)
        throw error
      }
    #endif
  }

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
