internal import CLMDB
internal import StoreFiles

/// LMDB's environment of a store that has just been opened.
@safe struct OpenedHandle {
  let handle: OpaquePointer
  /// The lock file; nil if LMDB does without.
  var lock: FileIdentity?
  /// What keeps others from opening the store: see `SoleReading`. -1 if nothing does.
  let sole: Int32

  init(handle: OpaquePointer, lock: FileIdentity?, sole: Int32) {
    unsafe self.handle = handle
    self.lock = lock
    self.sole = sole
  }

  /// Whether nobody else can open the store.
  var isAlone: Bool { sole >= 0 }

  /// Closes it. It cannot be used after that.
  func close() {
    unsafe mdb_env_close(handle)
    SoleReading.end(sole)
  }
}
