internal import CLMDB

/// What decides whether a transaction may begin, and when the file may be closed or remapped.
struct Lifecycle {
  /// LMDB's environment; nil once it is closed.
  var handle: OpaquePointer?
  /// Calls of `open` that have not been balanced by `close`.
  var references = 1
  /// Transactions, and other uses of the map, in progress.
  var active = 0
  /// Whether a thread waits to remap the file. No transaction begins meanwhile.
  var remapping = false
  /// The reason why no transaction may begin any more; nil while the environment is open.
  var end: LMDBError?
  /// Read transactions that were reset and can be renewed: renewing one takes 8 ns, beginning a new one takes 57 ns.
  var idleReaders: [KeptReader] = []

  /// More idle readers than threads can use would only occupy slots of the shared reader table.
  static let maximumIdleReaders = 32

  init(handle: OpaquePointer) {
    self.handle = handle
  }
}

extension Environment {
  /// Begins a use of the map. Returns LMDB's environment and, for a reader, an idle transaction to renew if there is
  /// one.
  @inline(__always)
  func enter(
    _ operation: StaticString, reader: Bool = false
  ) throws(LMDBError) -> (environment: OpaquePointer, idle: KeptReader?) {
    try lifecycle.locked(when: { !$0.remapping }) { state, _ throws(LMDBError) in
      if let end = state.end { throw refusal(operation, end) }
      guard let handle = state.handle else { throw error(.closed, "\(operation)") }
      state.active += 1
      return (handle, reader ? state.idleReaders.popLast() : nil)
    }
  }

  /// Ends a use of the map. Keeps a reader that was reset, or frees it if there are enough.
  @inline(__always)
  func leave(idle: KeptReader? = nil) {
    let (wake, finish) = lifecycle.locked { state in
      state.active -= 1
      if let idle {
        if state.idleReaders.count < Lifecycle.maximumIdleReaders, state.end == nil {
          state.idleReaders.append(idle)
        } else {
          mdb_txn_abort(idle.handle)
        }
      }
      return (state.remapping, state.end != nil)
    }
    if wake { lifecycle.notify() }
    if finish { finishIfIdle() }
  }

  /// Closes the file if the environment has ended and nothing uses it any more.
  func finishIfIdle() {
    let (handle, readers) = lifecycle.locked { state -> (OpaquePointer?, [KeptReader]) in
      guard state.end != nil, state.active == 0, !state.remapping, let handle = state.handle else {
        return (nil, [])
      }
      let readers = state.idleReaders
      state.idleReaders = []
      state.handle = nil
      return (handle, readers)
    }
    guard let handle else { return }
    for reader in readers { mdb_txn_abort(reader.handle) }
    gate.close()
    mdb_env_close(handle)
    Registry.remove(self)
  }

  /// Sleeps until the file is closed.
  func waitUntilClosed() {
    Registry.waitUntilRemoved(self)
  }

  /// Whether no transaction may begin any more.
  package var hasEnded: Bool { lifecycle.locked { $0.end != nil } }

  /// Adds a reference. Returns false if the environment has ended.
  func retain() -> Bool {
    lifecycle.locked { state in
      guard state.end == nil else { return false }
      state.references += 1
      return true
    }
  }

  /// Returns the error for a transaction that comes after the end.
  func refusal(_ operation: StaticString, _ end: LMDBError) -> LMDBError {
    if end.code == .closed { return error(.closed, "\(operation)") }
    return LMDBError(
      .closed, rawCode: end.rawCode, operation: "\(operation)", path: path,
      detail: "closed after a failed \(end.operation): \(end.code)")
  }
}
