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
  /// Has neighbours read from now on.
  /// - Parameter address: Of a value that the calling read transaction has found in the map.
  func beginReadAhead(near address: UnsafeRawPointer) {
    let map = map(holding: address)
    readAhead.locked { state in
      state.scans += 1
      guard state.map == nil, let map else { return }
      state.map = map
      // A hint: nothing depends on its success.
      madvise(map.baseAddress, map.count, MADV_NORMAL)
    }
  }

  /// Has pages read alone again, when nobody reads much any more. Precedes the end of the transaction, which keeps the map
  /// where it is.
  func endReadAhead() {
    readAhead.locked { state in
      state.scans -= 1
      guard state.scans == 0, let map = state.map else { return }
      state.map = nil
      madvise(map.baseAddress, map.count, MADV_RANDOM)
    }
  }

  /// Where the file is mapped: LMDB does not tell, but a value lies in a page that begins with its number.
  private func map(holding address: UnsafeRawPointer) -> UnsafeMutableRawBufferPointer? {
    guard let environment = lifecycle.locked({ $0.handle }) else { return nil }
    var shape = MDB_stat()
    var numbers = MDB_envinfo()
    guard mdb_env_stat(environment, &shape) == 0, mdb_env_info(environment, &numbers) == 0 else { return nil }
    let pageSize = UInt(shape.ms_psize)
    guard pageSize.nonzeroBitCount == 1 else { return nil }
    let page = UInt(bitPattern: address) & ~(pageSize - 1)
    guard let start = UnsafeRawPointer(bitPattern: page) else { return nil }
    let (offset, overflow) = start.load(as: UInt.self).multipliedReportingOverflow(by: pageSize)
    guard !overflow, offset < page, offset < UInt(clamping: numbers.me_mapsize) else { return nil }
    return UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(bitPattern: page - offset), count: numbers.me_mapsize)
  }
}

extension ReadTransaction {
  /// Counts a value that was found in the map.
  @inline(__always)
  final func noteValue(at address: UnsafeRawPointer?) {
    let count = valuesRead.load(ordering: .relaxed) &+ 1
    valuesRead.store(count, ordering: .relaxed)
    if count == ReadAhead.values { readAhead(near: address) }
  }

  @inline(never)
  private final func readAhead(near address: UnsafeRawPointer?) {
    // Values of a write may lie in memory of its own.
    guard let address, !(self is WriteTransaction) else { return }
    environment.beginReadAhead(near: address)
    readsAhead.store(true, ordering: .relaxed)
  }

  /// Ends the reading: every further call throws `closed`.
  final func endReading() {
    if readsAhead.load(ordering: .relaxed) { environment.endReadAhead() }
    handle.store(nil, ordering: .relaxed)
  }
}
