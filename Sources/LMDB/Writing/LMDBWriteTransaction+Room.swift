internal import CLMDB
internal import LMDBPages
package import StoreFiles
internal import Synchronization

extension LMDBWriteTransaction {
  /// Makes sure that the reserve is still there when everything is committed that the transaction has changed. For writes that make
  /// the store larger.
  ///
  /// The pages that it has copied count as well: they are not free before the second commit from now.
  /// - Parameter records: How many it has changed, each of which may have been in a page of its own.
  /// - Throws: `diskFull`; the transaction can only be discarded.
  package func keepReserve(changing records: Int) throws(LMDBError) {
    let used = try bytesInUse()
    let copied = min(used, (records + Self.pagesOfCommit) * environment.pageSize)
    guard environment.hasRoom(for: used + copied) else {
      environment.shortage.store(.short, ordering: .relaxed)
      throw environment.error(.diskFull, "write", detail: "what is left is kept for deletions")
    }
    environment.noteRoom(besides: used + copied)
  }

  /// The pages that any commit of a write changes.
  private static let pagesOfCommit = 32

  /// Whether little room is left, as far as is known.
  package var isShortOfRoom: Bool { environment.shortage.load(ordering: .relaxed) == .short }

  /// The bytes of all pages that are in use after the transaction.
  private func bytesInUse() throws(LMDBError) -> Int {
    // Two meta pages, the list of free pages, the table of tables.
    var pages = 2
    for number: UInt32 in 0...1 { pages += try countPages(ofTree: number) }
    for database in environment.databases.locked({ $0.values.map(\.self) }) {
      pages += try statistics(of: database).pages
    }
    return pages * environment.pageSize
  }

  /// The pages of one of LMDB's own trees.
  private func countPages(ofTree number: UInt32) throws(LMDBError) -> Int {
    guard let handle = unsafe handle.load(ordering: .relaxed) else {
      throw environment.error(.closed, "write", detail: "the transaction is over")
    }
    var numbers = MDB_stat()
    let code = unsafe mdb_stat(handle, number, &numbers)
    guard code == 0 else { throw LMDBError(raw: code, operation: "write", path: environment.path) }
    return DatabaseStatistics(numbers).pages
  }
}
