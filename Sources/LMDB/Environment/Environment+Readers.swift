internal import CLMDB
internal import StoreFiles
internal import Synchronization

/// Read transactions of LMDB, which begin with their snapshots.
extension Environment {
  /// Enters the environment and begins a read transaction on the last commit. Balance with `endRead`.
  func beginRead(_ operation: StaticString) throws(LMDBError) -> KeptReader {
    var attempts = 0
    while true {
      let (environment, idle) = unsafe try enter(operation, reader: true)
      let code: Int32
      do throws(LMDBError) {
        let reader: KeptReader?
        (code, reader) = unsafe try begin(environment, idle)
        if let reader { return reader }
      } catch {
        leave()
        throw error
      }
      attempts += 1
      unsafe try prepareAnotherAttempt(after: code, attempts, environment, operation)
    }
  }

  /// Begins a new transaction, or renews an idle one, and takes its snapshot. Returns LMDB's code, and no reader if the
  /// code is not 0.
  @inline(__always)
  func begin(_ environment: OpaquePointer, _ idle: KeptReader?) throws(LMDBError) -> (
    code: Int32, reader: KeptReader?
  ) {
    var reader: KeptReader
    if let idle {
      let code = unsafe mdb_txn_renew(idle.handle)
      guard code == 0 else {
        unsafe mdb_txn_abort(idle.handle)
        return (code, nil)
      }
      reader = idle
    } else {
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle)
      guard code == 0, let handle = unsafe handle else { return (code, nil) }
      reader = unsafe KeptReader(handle)
    }
    do throws(LMDBError) {
      let code = try takeSnapshot(reader)
      if code == 0 { return (0, reader) }
      unsafe mdb_txn_abort(reader.handle)
      return (code, nil)
    } catch {
      unsafe mdb_txn_abort(reader.handle)
      throw error
    }
  }

  /// Ends a transaction of `beginRead`, and keeps it for the next reader.
  func endRead(_ reader: KeptReader) {
    unsafe mdb_txn_reset(reader.handle)
    leave(idle: reader)
  }

  /// Leaves the environment after a transaction could not begin. Returns if another attempt is worthwhile; otherwise
  /// throws.
  func prepareAnotherAttempt(
    after code: Int32, _ attempts: Int, _ environment: OpaquePointer, _ operation: StaticString
  ) throws(LMDBError) {
    let error = LMDBError(raw: code, operation: "\(operation)", path: path)
    if error.poisonsEnvironment { poison(error) }
    // The slots of dead processes are freed only when somebody checks for them.
    var freed: Int32 = 0
    if code == MDB_READERS_FULL { unsafe mdb_reader_check(environment, &freed) }
    leave()
    guard attempts < 8 else { throw error }
    if code == MDB_MAP_RESIZED { return try adoptMapSize(operation) }
    // At the first attempt another thread may have checked, and freed the slots, a moment before.
    if code == MDB_READERS_FULL, freed > 0 || attempts == 1 { return }
    throw error
  }

  /// Begins a read as `beginRead` does, on a thread that has already entered the environment. It must not wait for a
  /// thread that wants to remap the file, because that thread waits for this thread's write to end.
  func beginReadInsideWrite() throws(LMDBError) -> KeptReader {
    let (environment, idle) = unsafe try enterAgain("read")
    do throws(LMDBError) {
      if let idle, let reader = unsafe try begin(environment, idle).reader { return reader }
      var (code, reader) = unsafe try begin(environment, nil)
      if code == MDB_READERS_FULL {
        // The slots of dead processes are freed only when somebody checks for them.
        var freed: Int32 = 0
        unsafe mdb_reader_check(environment, &freed)
        (code, reader) = unsafe try begin(environment, nil)
      }
      if let reader { return reader }
      throw LMDBError(raw: code, operation: "read", path: path)
    } catch {
      leave()
      throw error
    }
  }
}
