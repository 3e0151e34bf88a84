internal import CLMDB
internal import LMDBPages
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
  /// Takes the snapshot of a read transaction that has just begun, so that the transaction then reads without LMDB.
  /// Returns LMDB's code if the transaction could not be renewed meanwhile: it has ended then.
  /// - Throws: `corrupted` if a root is impossible.
  @inline(__always)
  func takeSnapshot(_ reader: KeptReader) throws(LMDBError) -> Int32 {
    var base = mapStart.load(ordering: .acquiring)
    if base == 0 {
      let code = unsafe try findMap(reader.handle)
      guard code == 0 else { return code }
      base = mapStart.load(ordering: .acquiring)
    }
    guard let base = unsafe UnsafeRawPointer(bitPattern: base) else {
      reader.begin(with: nil)
      return 0
    }
    // The snapshot with a number never changes. LMDB has just announced this one as the last commit, so none of its
    // pages is free.
    if unsafe reader.hasSnapshot(of: reader.id, at: base) { return 0 }
    let (code, meta) = unsafe MetaCopy.Source(pages: .map(base), pageSize: pageSize).accepted(
      by: reader.handle)
    guard code == 0, let meta else {
      reader.begin(with: nil)
      return code
    }
    // Pages that lie in the file but not in the map are never asked for: LMDB refuses to begin then.
    let limit = min(pagesPresent(upTo: meta.lastPage), mappedPages.load(ordering: .relaxed))
    let main = meta.mainTree
    guard main.flags == 0, main.isPossible(limit: limit) else {
      throw damage(PageFault(meta.transaction & 1, .treeRecord), "read")
    }
    unsafe reader.begin(
      with: PageSnapshot(
        id: meta.transaction, map: PageMap(base: base, pageSize: pageSize, limit: limit),
        freeTree: meta.freeTree, mainTree: main))
    return 0
  }

  /// Returns one more than the last page of a snapshot that the file has. Free pages at the end may be missing from the
  /// file.
  @inline(__always)
  func pagesPresent(upTo lastPage: UInt64) -> UInt64 {
    lastPage < knownPages.load(ordering: .relaxed) ? lastPage &+ 1 : countPages(upTo: lastPage)
  }

  @inline(never)
  private func countPages(upTo lastPage: UInt64) -> UInt64 {
    guard let handle = unsafe lifecycle.locked({ unsafe $0.handle }) else { return 0 }
    var file: Int32 = -1
    var status = stat()
    guard unsafe mdb_env_get_fd(handle, &file) == 0, unsafe fstat(file, &status) == 0 else { return 0 }
    let pages = UInt64(max(0, status.st_size)) / UInt64(pageSize)
    knownPages.store(pages, ordering: .relaxed)
    return lastPage < pages ? lastPage + 1 : pages
  }

  /// Finds out the address at which LMDB has mapped the file, which LMDB does not tell. LMDB gives the address of a
  /// record whose offset in the file is known, because it was found by reading the file. As long as that cannot be
  /// done, for example in a store without databases, `mapStart` stays 0. Returns LMDB's code if the transaction has
  /// ended by it.
  /// - Parameter handle: A read transaction, so that the map stays at its address.
  @inline(never)
  private func findMap(_ handle: OpaquePointer) throws(LMDBError) -> Int32 {
    // LMDB compares names only after a database has been opened.
    guard let environment = unsafe mdb_txn_env(handle), let name = databases.locked({ $0.keys.first }) else {
      return 0
    }
    let (ended, file) = unsafe MainTableFile.make(of: handle, pageSize: pageSize)
    guard let file else { return ended }
    let found: MainTableFile.LocatedRecord?
    do throws(PageFault) { found = try file.find(name) } catch { throw damage(error, "read") }
    guard let found else { return 0 }
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    var bytes = Array(name.utf8)
    let code = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe key = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
      return unsafe mdb_get(handle, Self.mainDatabase, &key, &value)
    }
    guard code == 0, let address = unsafe value.mv_data else { return 0 }
    let (start, isBefore) = UInt(bitPattern: address).subtractingReportingOverflow(UInt(found.offset))
    var numbers = unsafe MDB_envinfo()
    guard !isBefore, start % UInt(sysconf(Int32(_SC_PAGESIZE))) == 0,
      unsafe mdb_env_info(environment, &numbers) == 0
    else { return 0 }
    unsafe mappedPages.store(UInt64(numbers.me_mapsize / pageSize), ordering: .relaxed)
    mapStart.store(start, ordering: .releasing)
    return 0
  }

  /// Returns the error for a damaged page that a read has found. Other reads go on: the pages that they need may be
  /// sound.
  func damage(_ fault: PageFault, _ operation: StaticString) -> LMDBError {
    error(fault.code, "\(operation)", detail: fault.description)
  }

  /// LMDB's handle of the main table, which holds the names of the other databases.
  static let mainDatabase: UInt32 = 1
}
