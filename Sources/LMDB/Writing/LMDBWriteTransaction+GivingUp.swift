internal import CLMDB
internal import LMDBPages
package import StoreFiles

/// Emptying databases whose pages are damaged.
extension LMDBWriteTransaction {
  /// How many pages the databases have that the transaction gives up; nil if it gives up none, or has emptied them.
  package var givenUpPages: Int? { pageGuard?.givenUp.map { Int(clamping: $0.count) } }

  /// Empties two databases, also if the transaction gives them up. O(pages): each one is put on the free list.
  package func deleteAll(in database: Database, and other: Database) throws(LMDBError) {
    guard let pages = pageGuard?.givenUp else {
      try deleteAll(in: database)
      return try deleteAll(in: other)
    }
    do throws(LMDBError) { try empty(database, other, of: pages) } catch {
      // The records of trees are half made.
      giveUp(error)
      throw error
    }
  }

  /// LMDB would walk a database that it empties: it would meet the damage, and not find what only a damaged page names. So it gets
  /// another tree in the place of the second database, which lists all pages of both, and empties that.
  ///
  /// No page of the state before is written over: the list lies on pages that LMDB has given this transaction.
  private func empty(_ first: Database, _ second: Database, of pages: PageSet) throws(LMDBError) {
    let handle = unsafe try changeable(first, "empty")
    _ = unsafe try changeable(second, "empty")
    closePutCursor(first)
    closePutCursor(second)
    environment.pageGuard.emptiedGivenUp()
    environment.pageGuard.hasChanged = true
    try put(record: TreeRecord.empty.bytes, of: first, depth: 0)
    guard pages.count > 0 else { return try put(record: TreeRecord.empty.bytes, of: second, depth: 0) }
    // A value of as many pages as the list, and one before it, which has the value's header.
    let count = ListingTree.pages(toList: Int(clamping: pages.count), environment.pageSize)
    let room = CheckedPage.room(in: UInt64(count) + 1, size: environment.pageSize)
    let value = unsafe try reserve(first, number: 0, count: room)
    let page = try unsafe shorten(value, from: count + 1)
    let list = ListingTree(of: pages, from: page + 1, pageSize: environment.pageSize)
    let file = unsafe try environment.filePages(mdb_txn_env(handle))
    do throws(PageFault) { try file.write(list.bytes, at: page + 1) } catch {
      throw unsafe environment.writeError(raw: error.systemError, "empty", mdb_txn_env(handle))
    }
    try put(record: list.record, of: second, depth: list.depth)
    try deleteAll(in: second)
    try deleteAll(in: first)
  }

  /// Makes a value that was just reserved one page long, so that LMDB has nothing of it but its first page to write and to free.
  /// - Parameter pages: How many pages it has.
  /// - Returns: The number of its first page.
  private func shorten(_ value: UnsafeMutableRawBufferPointer, from pages: Int) throws(LMDBError) -> UInt64 {
    guard let start = unsafe value.baseAddress.map({ unsafe $0 - CheckedPage.header }) else {
      throw environment.error(.corrupted, "empty")
    }
    // The flags of an overflow page that is not in the file yet.
    guard unsafe start.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == 0x14,
      unsafe start.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == UInt32(pages)
    else { throw environment.error(.incompatible, "empty", detail: "LMDB's pages have another format") }
    unsafe start.storeBytes(of: 1, toByteOffset: 12, as: UInt32.self)
    return unsafe start.loadUnaligned(as: UInt64.self)
  }

  /// Writes the record of a database, which LMDB must not have read in this transaction.
  private func put(record: [UInt8], of database: Database, depth: Int) throws(LMDBError) {
    let handle = unsafe try changeable(database, "empty")
    var cursor: OpaquePointer?
    var code = unsafe mdb_cursor_open(handle, Environment.mainDatabase, &cursor)
    guard code == 0, let cursor = unsafe cursor else { throw failure(code, "empty") }
    var (name, record) = (Array(database.name.utf8), record)
    code = unsafe name.withUnsafeMutableBytes { name in
      unsafe record.withUnsafeMutableBytes { record in
        var key = unsafe MDB_val(mv_size: name.count, mv_data: name.baseAddress)
        var value = unsafe MDB_val(mv_size: record.count, mv_data: record.baseAddress)
        return unsafe mdb_cursor_put(cursor, &key, &value, Self.recordOfTree)
      }
    }
    unsafe mdb_cursor_close(cursor)
    guard code == 0 else { throw failure(code, "empty") }
    guard try statistics(of: database).depth == depth else {
      throw environment.error(.incompatible, "empty", detail: "\(database.name) was read before")
    }
  }

  /// With this flag LMDB itself writes the record of a database, which is a value that others cannot write.
  private static let recordOfTree: UInt32 = 0x02
}
