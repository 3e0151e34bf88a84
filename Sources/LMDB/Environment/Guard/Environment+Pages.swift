internal import CLMDB
internal import LMDBPages
internal import StoreFiles
internal import Synchronization

/// The pages of the file, as our own reader sees them in a write.
extension Environment {
  /// Returns the data file of an environment that this thread has entered.
  func filePages(_ handle: OpaquePointer?) throws(LMDBError) -> FilePages {
    var descriptor: Int32 = -1
    guard let handle = unsafe handle, unsafe mdb_env_get_fd(handle, &descriptor) == 0 else {
      throw .system("read the pages", path: path)
    }
    return FilePages(descriptor: descriptor, pageSize: pageSize)
  }

  /// Returns the map of the pages of the state that a write began on, or nil if the address of the map is unknown.
  func pageMap(limit: UInt64) throws(LMDBError) -> PageMap? {
    // A reader finds out the address, for all later calls.
    if mapStart.load(ordering: .acquiring) == 0 { endRead(try beginReadInsideWrite()) }
    guard let base = unsafe UnsafeRawPointer(bitPattern: mapStart.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe PageMap(
      base: base, pageSize: pageSize, limit: min(limit, mappedPages.load(ordering: .relaxed)))
  }

  /// Whether pages are still where LMDB has mapped the file.
  @inline(__always)
  func isMap(_ map: PageMap) -> Bool {
    unsafe UInt(bitPattern: map.base) == mapStart.load(ordering: .acquiring)
  }
}
