internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Which pages the system reads when one is not in memory: that one alone, or its neighbours with it.
///
/// Alone is the rule (MDB_NORDAHEAD): a query touches pages all over the file, and neighbours of each, of which Linux
/// takes `read_ahead_kb`, would be read for nothing. Whoever reads much in one transaction is likely to read
/// on, though, and then every page alone would be a wait: from some number of values on the neighbours come along, until
/// the last such transaction has ended.
struct ReadAhead {
  /// The values that a transaction reads before neighbours are worth reading.
  static let values = 256

  /// Transactions in progress that have read so many.
  var scans = 0
  /// The map, while neighbours are read.
  var map: UnsafeMutableRawBufferPointer?
}

extension Environment {
  /// Has neighbours read from now on. Only by a transaction, or another use of the map, which keeps it where it is until
  /// `endReadAhead`.
  func beginReadAhead() {
    let map = map
    readAhead.locked { state in
      state.scans += 1
      guard state.map == nil, let map else { return }
      state.map = map
      // A hint: nothing depends on its success.
      madvise(map.baseAddress, map.count, MADV_NORMAL)
    }
  }

  /// Has pages read alone again, when nobody reads much any more.
  func endReadAhead() {
    readAhead.locked { state in
      state.scans -= 1
      guard state.scans == 0, let map = state.map else { return }
      state.map = nil
      madvise(map.baseAddress, map.count, MADV_RANDOM)
    }
  }

  private var map: UnsafeMutableRawBufferPointer? {
    guard let start = UnsafeMutableRawPointer(bitPattern: mapStart.load(ordering: .relaxed)),
      let environment = lifecycle.locked({ $0.handle })
    else { return nil }
    var numbers = MDB_envinfo()
    guard mdb_env_info(environment, &numbers) == 0 else { return nil }
    return UnsafeMutableRawBufferPointer(start: start, count: numbers.me_mapsize)
  }
}

extension ReadTransaction {
  /// Counts a value that was found.
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
    handle.store(nil, ordering: .relaxed)
  }
}
