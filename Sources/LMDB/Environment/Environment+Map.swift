internal import CLMDB
internal import StoreFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Returns the bytes that the last commit of any process uses. Only while this thread has entered the environment.
  package func committedBytes() -> Int {
    unsafe mapUse(handleInside).used
  }

  /// How often this process has renewed the map: what has found it full may then find room.
  package var mapRenewals: UInt64 { renewals.load(ordering: .relaxed) }

  /// Returns the bytes in use, the bytes mapped and the bytes of a page.
  func mapUse(_ handle: OpaquePointer) -> (used: Int, mapped: Int, pageSize: Int) {
    var info = unsafe MDB_envinfo()
    var shape = MDB_stat()
    unsafe mdb_env_info(handle, &info)
    unsafe mdb_env_stat(handle, &shape)
    let page = Int(shape.ms_psize)
    // LMDB does not check the number of the last page: in a damaged file it may be any number.
    let (used, overflow) = unsafe (max(0, info.me_last_pgno) &+ 1).multipliedReportingOverflow(by: page)
    return unsafe (overflow || used < 0 ? .max : used, info.me_mapsize, page)
  }

  /// Returns the size that the map of a store should have: twice the bytes in use and 1 GiB more, within the limit, in
  /// whole pages.
  func mapSize(forUsed used: Int) -> Int {
    let (double, overflow) = used.multipliedReportingOverflow(by: 2)
    let wanted = overflow ? Int.max : double.addingReportingOverflow(1 << 30).partialValue
    return Self.roundedToPages(min(max(wanted, 0), options.maxMapSize))
  }

  /// Enlarges the map before a write if three quarters of it are in use, or if a write has found it full.
  ///
  /// As long as there is room left, this happens only if nobody reads. If the map is full, it waits for the readers.
  func growMapIfNeeded() throws(LMDBError) {
    let (handle, _) = unsafe try enter("write")
    let (used, mapped, _) = unsafe mapUse(handle)
    leave()
    let isFull = growthNeeded.load(ordering: .relaxed)
    guard isFull || used > mapped / 4 * 3 else { return }
    let size = max(mapSize(forUsed: used), isFull ? mapSize(forUsed: mapped) : 0)
    guard size > mapped, Self.addressSpaceAllows(size) else {
      growthNeeded.store(false, ordering: .relaxed)
      return
    }
    do {
      try remap(to: size, waiting: isFull ? options.mapWait : 0, "write")
      growthNeeded.store(false, ordering: .relaxed)
    } catch {
      // If no room is left, the write itself will say so. If room is left, the write goes on in the old map.
      if error.code != .mapResizedTimeout { throw error }
    }
  }

  /// Maps the file again after another process has enlarged it.
  func adoptMapSize(_ operation: StaticString) throws(LMDBError) {
    let (handle, _) = unsafe try enter(operation)
    let (used, mapped, _) = unsafe mapUse(handle)
    leave()
    // The limit is only what this process asked for: a file that is larger already has to be mapped whole all the same.
    let size = max(mapSize(forUsed: used), Self.roundedToPages(used), mapped)
    try remap(to: size, waiting: options.mapWait, operation)
  }

  /// Renews the map once nothing of this process uses it. Waits at most `seconds` for that.
  ///
  /// LMDB does not check whether the map is in use: a reader's pointers into the old map would raise SIGBUS.
  private func remap(to size: Int, waiting seconds: Double, _ operation: StaticString) throws(LMDBError) {
    let limit = deadline(afterSeconds: seconds)
    // Only one thread remaps at a time.
    let isFirst = lifecycle.locked(when: { !$0.remapping }, until: limit) { state, free in
      if free {
        state.remapping = true
        entrance.close()
      }
      return free
    }
    guard isFirst else { throw error(.mapResizedTimeout, "\(operation)") }
    var failure: LMDBError?
    lifecycle.locked(when: { _ in entrance.inside == 0 }, until: limit) { state, idle in
      state.remapping = false
      defer { if state.end == nil, !state.isSuspended { entrance.open() } }
      guard idle else {
        failure = error(
          .mapResizedTimeout, "\(operation)", detail: "\(entrance.inside) transactions are open")
        return
      }
      guard state.end == nil, let handle = unsafe state.handle else { return }
      mapStart.store(0, ordering: .relaxed)
      let code = unsafe mdb_env_set_mapsize(handle, size)
      renewals.wrappingAdd(1, ordering: .relaxed)
      if code != 0 {
        // LMDB has already given up the old map: nothing can be read any more.
        let error = LMDBError(raw: code, operation: "map", path: path, detail: "\(size) bytes")
        end(&state, because: error)
        failure = error
      }
    }
    lifecycle.notify()
    finishIfIdle()
    if let failure {
      if failure.code != .mapResizedTimeout {
        ringBells()
        writers.shutDown(refusal("write", failure))
      }
      throw failure
    }
  }

  /// Returns whether the system would grant a map of this size. This is tried before the old map is given up.
  static func addressSpaceAllows(_ size: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    guard let probe = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0), unsafe probe != MAP_FAILED else {
      return false
    }
    unsafe munmap(probe, size)
    return true
  }

  static func roundedToPages(_ bytes: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return max(page, bytes / page * page + (bytes % page == 0 || bytes > Int.max - page ? 0 : page))
  }
}
