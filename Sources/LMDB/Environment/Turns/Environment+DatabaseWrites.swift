internal import CLMDB
internal import StoreFiles
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#endif

/// Write transactions of LMDB: how they begin, how they are committed, and what is noted of a failure.
extension Environment {
  /// Begins LMDB's write transaction once nobody else has it. Returns LMDB's code, and no transaction if the code is not 0.
  /// Balance with `leaveDatabase`. Only inside.
  /// - Parameters:
  ///   - isOrdered: Whether it is the writer whose turn it is.
  ///   - deadline: When to give up waiting for other processes, in nanoseconds of `monotonicNanoseconds()`; nil for never.
  /// - Throws: `writerBusy`, `corrupted`.
  func beginDatabaseWrite(
    _ environment: OpaquePointer, isOrdered: Bool, until deadline: UInt64?
  ) throws(LMDBError) -> (code: Int32, handle: OpaquePointer?) {
    unsafe try enterDatabase(environment, isOrdered: isOrdered, until: deadline)
    do throws(LMDBError) {
      let begun = unsafe try beginInDatabase(environment, isOrdered: isOrdered)
      if unsafe begun.handle == nil { leaveDatabase() }
      return unsafe begun
    } catch {
      leaveDatabase()
      throw error
    }
  }

  /// Does the same between `enterDatabase` and `leaveDatabase`.
  func beginInDatabase(
    _ environment: OpaquePointer, isOrdered: Bool
  ) throws(LMDBError) -> (code: Int32, handle: OpaquePointer?) {
    var handle: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment, nil, 0, &handle)
    guard code == 0, let handle = unsafe handle else { return (code, nil) }
    do throws(LMDBError) {
      try checkFiles("write")
      unsafe try pageGuard.begin(handle, self, isOrdered: isOrdered)
      unsafe try renewMetaPages(handle)
      unsafe takeBlocksOfNextPages(after: UInt64(truncatingIfNeeded: mdb_txn_id(handle)) &- 1)
      return unsafe (0, handle)
    } catch {
      unsafe mdb_txn_abort(handle)
      throw error
    }
  }

  /// Commits the transaction, and makes it as durable as the options promise.
  ///
  /// LMDB writes the pages, syncs them, and writes one meta page last. Only if that last step fails is the outcome
  /// unknown. LMDB then refuses all further work, which shows that this has happened.
  func commit(_ handle: OpaquePointer) throws(LMDBError) {
    let environment = unsafe mdb_txn_env(handle)
    do throws(LMDBError) {
      try checkFiles("commit")
      // A sync may have failed since the transaction began.
      unsafe try renewMetaPages(handle)
    } catch {
      pageGuard.forget()
      unsafe mdb_txn_abort(handle)
      throw error
    }
    let code = unsafe mdb_txn_commit(handle)
    guard code == 0 else {
      pageGuard.forget()
      // Otherwise it may have been the sync.
      if code != MDB_MAP_FULL { metaPages.store(.lost, ordering: .relaxed) }
      var error = unsafe writeError(raw: code, "commit", environment)
      noteFailure(error)
      if unsafe isFatal(environment) {
        error = LMDBError(.outcomeUnknown, rawCode: code, operation: "commit", path: path)
      }
      if error.poisonsEnvironment { poison(error) }
      throw error
    }
    pageGuard.committed()
    #if canImport(Darwin)
      if options.durability == .full { try flushDriveCache(environment) }
    #endif
    // Before anybody is told that it is stored. It may be, for others to find.
    try checkFiles("commit")
    ringBells()
    let count = commits.wrappingAdd(1, ordering: .relaxed).newValue
    if count % Self.commitsBetweenReaderChecks == 0 {
      var dead: Int32 = 0
      unsafe mdb_reader_check(environment, &dead)
    }
  }

  /// Commits between two checks for the slots of dead readers: a check costs a microsecond.
  private static let commitsBetweenReaderChecks: UInt64 = 1000

  /// Returns whether LMDB has given this environment up. A read transaction takes no lock, so it can be tried here.
  private func isFatal(_ environment: OpaquePointer?) -> Bool {
    var probe: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &probe)
    if code == 0 { unsafe mdb_txn_abort(probe) }
    return code == MDB_PANIC
  }

  #if canImport(Darwin)
    /// Flushes the drive's cache, in which Apple's `fsync` leaves the data.
    private func flushDriveCache(_ environment: OpaquePointer?) throws(LMDBError) {
      var file: Int32 = -1
      unsafe mdb_env_get_fd(environment, &file)
      guard fcntl(file, F_FULLFSYNC) == 0 || errno == ENOTSUP || errno == EINVAL else {
        let error = LMDBError(.outcomeUnknown, rawCode: errno, operation: "commit", path: path)
        poison(error)
        throw error
      }
    }
  #endif

  /// If there was no room, makes the next write look for some.
  func noteFailure(_ error: (any Error)?) {
    guard let error = error as? LMDBError else { return }
    if error.code == .mapFull { growthNeeded.store(true, ordering: .relaxed) }
    if error.code == .mapFull || error.code == .diskFull { shortage.store(.short, ordering: .relaxed) }
  }
}
