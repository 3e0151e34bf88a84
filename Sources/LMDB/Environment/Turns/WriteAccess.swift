internal import CLMDB
package import StoreFiles

/// What a write, or several that share one, has of LMDB: its turn among the writers of all processes and, from the moment on at which
/// it has something to write there, LMDB's write transaction. Until then it has a snapshot, as a read has.
///
/// It belongs to the thread that has begun it, because LMDB binds the two ends of a write transaction to a thread. Others that share it
/// read it in their turn.
///
/// It is safe to hold; to give the handle to LMDB is unsafe.
@safe package final class WriteAccess: @unchecked Sendable {
  private let environment: Environment
  /// The number of LMDB's transaction whose state the write sees beneath its changes.
  private(set) var base: UInt64
  /// LMDB's write transaction; nil before it was begun and after it has ended.
  private(set) var handle: OpaquePointer?
  /// The snapshot; nil if the write has begun with LMDB's write transaction.
  private let snapshot: KeptReader?
  /// Whether the snapshot is LMDB's still: it had to be given up if the map was renewed.
  private(set) var hasSnapshot: Bool
  /// Whether LMDB's write transaction was begun, so that others of this process wait for it.
  private var hasDatabase: Bool
  /// Whether it has entered the environment.
  private var isInside = true
  /// Whether it has its turn among the writers of all processes: a checkpoint does without.
  let isOrdered: Bool
  /// When the write gives up waiting for other processes; nil for never.
  let waitLimit: UInt64?
  /// Which opening of the files it belongs to.
  private let opening: UInt64

  /// Begins with a snapshot.
  init(_ environment: Environment, _ snapshot: KeptReader, until limit: UInt64?) {
    self.environment = environment
    isOrdered = true
    waitLimit = limit
    opening = environment.openings
    self.snapshot = snapshot
    base = snapshot.snapshot?.id ?? snapshot.id
    unsafe handle = nil
    hasSnapshot = true
    hasDatabase = false
  }

  /// Begins with LMDB's write transaction.
  init(
    _ environment: Environment, writing handle: OpaquePointer, isOrdered: Bool = true, until limit: UInt64?
  ) {
    self.environment = environment
    waitLimit = limit
    opening = environment.openings
    self.isOrdered = isOrdered
    snapshot = nil
    base = unsafe UInt64(truncatingIfNeeded: mdb_txn_id(handle)) &- 1
    unsafe self.handle = handle
    hasSnapshot = false
    hasDatabase = true
  }

  /// The snapshot of a write that has not begun LMDB's write transaction.
  var reader: KeptReader {
    guard let snapshot else { preconditionFailure("the write has LMDB's transaction") }
    return snapshot
  }

  /// Whether LMDB's write transaction has changed something.
  package var hasChanged: Bool { unsafe handle != nil && environment.pageGuard.hasChanged }

  /// Begins LMDB's write transaction, unless that has been done.
  /// - Returns: Whether it begins on the state of the snapshot, in the same memory.
  package func begin() throws(LMDBError) -> Bool {
    var attempts = 0
    var isSame = true
    while true {
      guard unsafe handle == nil else { return isSame }
      // From now on: a write that has worked for long does not fail because somebody is inside for a moment.
      let (code, begun) = unsafe try environment.beginDatabaseWrite(
        environment.handleInside, isOrdered: isOrdered, until: environment.writerDeadline())
      if let begun = unsafe begun {
        unsafe handle = begun
        hasDatabase = true
        let found = unsafe UInt64(truncatingIfNeeded: mdb_txn_id(begun)) &- 1
        isSame = isSame && found == base
        base = found
        continue
      }
      // Another process has made the file larger: the map is renewed when nobody of this process is inside.
      attempts += 1
      isSame = false
      if hasSnapshot, let snapshot { unsafe mdb_txn_abort(snapshot.handle) }
      hasSnapshot = false
      isInside = false
      unsafe try environment.prepareAnotherAttempt(after: code, attempts, environment.handleInside, "write")
      _ = unsafe try environment.enter("write")
      isInside = true
    }
  }

  /// Takes back what LMDB's write transaction has changed: ends it, and begins it anew upon the same state, before anybody else does. Does
  /// nothing if it has not begun, or has changed nothing and can go on.
  /// - Parameter error: What has made it unusable; nil if nothing has.
  /// - Throws: If it cannot be begun anew, or if neither it nor the snapshot is there: then there is nothing to go on from.
  package func beginAgain(because error: (any Error)?) throws(LMDBError) {
    guard unsafe handle != nil else {
      guard hasSnapshot else { throw environment.error(.closed, "write", detail: "its snapshot is lost") }
      return
    }
    guard hasChanged || error != nil else { return }
    abort(because: error)
    let (code, begun) = unsafe try environment.beginInDatabase(
      environment.handleInside, isOrdered: isOrdered)
    guard let begun = unsafe begun else {
      throw unsafe environment.writeError(raw: code, "write", environment.handleInside)
    }
    unsafe handle = begun
    guard unsafe UInt64(truncatingIfNeeded: mdb_txn_id(begun)) &- 1 == base else {
      // A program that knows no gate has written meanwhile.
      throw environment.error(.writerBusy(process: 0), "write", detail: "another state is in the file")
    }
  }

  /// Commits what LMDB's write transaction has changed, if it was begun.
  package func commit() throws(LMDBError) {
    guard let ending = unsafe handle else { return }
    unsafe handle = nil
    unsafe try environment.commit(ending)
  }

  /// Ends LMDB's write transaction without its changes, if it was begun.
  /// - Parameter error: Why; nil if the changes are elsewhere.
  package func abort(because error: (any Error)? = nil) {
    guard let ending = unsafe handle else { return }
    unsafe handle = nil
    unsafe mdb_txn_abort(ending)
    environment.noteFailure(error)
  }

  /// Ends the write, whose transaction was committed or aborted: others may write, and the map may be renewed.
  func end() {
    // Once it has had to leave, the files may have been given back, and with them its turn.
    guard isInside else { return environment.leaveOrder(of: opening) }
    if hasDatabase { environment.leaveDatabase() }
    if isOrdered { environment.leaveOrder() }
    if hasSnapshot, let snapshot { environment.endRead(snapshot) } else { environment.leave() }
  }
}
