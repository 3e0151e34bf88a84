internal import CLMDB
internal import StoreFiles

/// What decides whether a transaction may begin, and when the file may be closed or remapped. `Environment.entrance` is
/// closed as long as `remapping` or `isSuspended` holds, or there is an `end`.
///
/// It is safe to hold; to give the handle to LMDB is unsafe.
@safe struct Lifecycle {
  /// LMDB's environment; nil while it is closed.
  var handle: OpaquePointer?
  /// What keeps others from opening the store: see `SoleReading`. -1 if nothing does.
  var sole: Int32
  /// Calls of `open` that have not been balanced by `close`, without those that are suspended.
  var references = 1
  /// Those that are suspended.
  var suspended = 0
  /// Whether a thread is closing the file.
  var isClosing = false
  /// Whether a thread waits to remap the file. No transaction begins meanwhile.
  var remapping = false
  /// The reason why no transaction may begin any more; nil while the environment is open.
  var end: LMDBError?

  init(_ opened: OpenedHandle) {
    unsafe handle = opened.handle
    sole = opened.sole
  }

  /// Whether nobody may use the file for now, because all that have it open are suspended.
  var isSuspended: Bool { references == 0 && suspended > 0 && end == nil }
  /// Whether the file is closed, for now or for good.
  var isClosed: Bool { unsafe handle == nil && !isClosing }
}

extension Environment {
  /// Begins a use of the map. Returns LMDB's environment and, for a reader, an idle transaction to renew if there is
  /// one.
  @inline(__always)
  func enter(
    _ operation: StaticString, reader: Bool = false
  ) throws(LMDBError) -> (environment: OpaquePointer, idle: KeptReader?) {
    if !entrance.enter() { try waitToEnter(operation) }
    return unsafe (handleInside, reader ? idleReaders.take() : nil)
  }

  /// Enters once the entrance is open, after an attempt that found it closed.
  @inline(never)
  private func waitToEnter(_ operation: StaticString) throws(LMDBError) {
    leave()
    try lifecycle.locked(when: { !$0.remapping }) { state, _ throws(LMDBError) in
      if let end = state.end { throw refusal(operation, end) }
      guard !state.isSuspended else { throw error(.suspended, "\(operation)") }
      // It is open now, and only a thread that has the lock closes it.
      _ = entrance.enter()
    }
  }

  /// Begins a use of the map on a thread that is already inside: it does not wait for a thread that wants to remap,
  /// because that thread waits for this one.
  func enterAgain(
    _ operation: StaticString
  ) throws(LMDBError) -> (environment: OpaquePointer, idle: KeptReader?) {
    try lifecycle.locked { state throws(LMDBError) in
      if let end = state.end { throw refusal(operation, end) }
      _ = entrance.enter()
    }
    return unsafe (handleInside, idleReaders.take())
  }

  /// Ends a use of the map. Keeps a reader that was reset, or frees it if there are enough.
  @inline(__always)
  func leave(idle: KeptReader? = nil) {
    if let idle, !idleReaders.put(idle) { unsafe mdb_txn_abort(idle.handle) }
    if entrance.leave() { wakeThoseWhoWait() }
  }

  @inline(never)
  private func wakeThoseWhoWait() {
    // Whoever looks at the count has the lock meanwhile, so that it sleeps when it is woken.
    let isOver = lifecycle.locked { $0.end != nil || $0.isSuspended }
    lifecycle.notify()
    if isOver { finishIfIdle() }
  }

  /// Refuses all later transactions. Only the first reason counts.
  func end(_ state: inout Lifecycle, because error: @autoclosure () -> LMDBError) {
    guard state.end == nil else { return }
    state.end = error()
    entrance.close()
  }

  /// Closes the file if the environment has ended, or is suspended, and nothing uses it any more.
  func finishIfIdle() {
    var handle: OpaquePointer?
    var sole: Int32 = -1
    var isInUse = false
    let hasClosedBefore = lifecycle.locked { state in
      guard state.end != nil || state.isSuspended, entrance.inside == 0, !state.remapping else {
        return false
      }
      guard let last = unsafe state.handle else { return state.end != nil && state.isClosed }
      unsafe handle = last
      unsafe state.handle = nil
      state.isClosing = true
      sole = state.sole
      isInUse = state.references > 0
      return false
    }
    // A suspended environment that has ended has nothing left to close.
    if hasClosedBefore { Registry.remove(self) }
    guard let handle = unsafe handle else { return }
    while let reader = idleReaders.take() { unsafe mdb_txn_abort(reader.handle) }
    gate.close()
    databaseGate.close()
    // Of an environment that has ended because of an error, each handle of the store lets go by itself.
    if !isInUse {
      (attachment.locked { $0 } as? any HolderOfFiles)?.letGoOfFiles()
      outside.locked { $0 = nil }
      files.end()
    }
    unsafe mdb_env_close(handle)
    SoleReading.end(sole)
    let hasEnded = lifecycle.locked { state in
      state.isClosing = false
      return state.end != nil
    }
    // Before the registry's lock is taken: who has it meanwhile, to open the store again, may wait for this closing.
    lifecycle.notify()
    if hasEnded { Registry.remove(self) }
  }

  /// Sleeps until the file is closed.
  func waitUntilClosed() {
    Registry.waitUntilRemoved(self)
  }

  /// Whether the current thread is inside a transaction of this environment.
  package var isInsideTransaction: Bool { ThreadScope.contains(number) }

  /// Whether no transaction may begin any more.
  package var hasEnded: Bool { lifecycle.locked { $0.end != nil } }

  /// Returns the error for a transaction that comes after the end.
  func refusal(_ operation: StaticString, _ end: LMDBError) -> LMDBError {
    if end.code == .closed { return error(.closed, "\(operation)") }
    if end.code == .replaced { return error(.replaced, "\(operation)", detail: end.detail) }
    return LMDBError(
      .closed, rawCode: end.rawCode, operation: "\(operation)", path: path,
      detail: "closed after a failed \(end.operation): \(end.code)")
  }
}
