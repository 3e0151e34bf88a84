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
  /// Makes the system read neighbouring pages too, from now on. The caller has to be a transaction, or another use of
  /// the map, that keeps the map at its address until `endReadAhead`.
  func beginReadAhead() {
    let map = unsafe map
    readAhead.locked { state in
      state.scans += 1
      guard unsafe state.map == nil, let map = unsafe map else { return }
      unsafe state.map = map
      // A hint: nothing depends on its success.
      unsafe madvise(map.baseAddress, map.count, MADV_NORMAL)
    }
  }

  /// Makes the system read pages alone again, once every `beginReadAhead` has been ended.
  func endReadAhead() {
    readAhead.locked { state in
      state.scans -= 1
      guard state.scans == 0, let map = unsafe state.map else { return }
      unsafe state.map = nil
      unsafe madvise(map.baseAddress, map.count, MADV_RANDOM)
    }
  }

  private var map: UnsafeMutableRawBufferPointer? {
    guard let start = unsafe UnsafeMutableRawPointer(bitPattern: mapStart.load(ordering: .relaxed)),
      let environment = unsafe lifecycle.locked({ unsafe $0.handle })
    else { return nil }
    var numbers = unsafe MDB_envinfo()
    guard unsafe mdb_env_info(environment, &numbers) == 0 else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: numbers.me_mapsize)
  }
}

extension ReadTransaction {
  /// Counts a value that was found. Begins the read-ahead when there are enough of them.
  @inline(__always)
  final func noteValue() {
    let count = valuesRead.load(ordering: .relaxed) &+ 1
    valuesRead.store(count, ordering: .relaxed)
    if count == ReadAhead.values { readNeighbours() }
  }

  @inline(never)
  private final func readNeighbours() {
    environment.beginReadAhead()
    readsAhead.store(true, ordering: .relaxed)
  }

  /// Ends the use of LMDB's transaction: every further call throws `closed`.
  final func endReading() {
    if readsAhead.exchange(false, ordering: .relaxed) { environment.endReadAhead() }
    unsafe handle.store(nil, ordering: .relaxed)
  }
}
