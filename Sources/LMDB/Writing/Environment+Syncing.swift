internal import CLMDB
package import StoreFiles
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
}
