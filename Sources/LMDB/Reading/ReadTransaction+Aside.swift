package import LMDBPages
package import StoreFiles

extension ReadTransaction {
  /// Tells of the pages of a read's snapshot that no database has. O(free pages).
  /// - Returns: Nil if LMDB itself has to read the snapshot, as beside a busy writer: begin another read then.
  package final func pagesAside() throws(LMDBError) -> PagesAside? {
    guard isOpen else {
      throw environment.error(.closed, "read the free list", detail: "the transaction is over")
    }
    guard let snapshot = reader?.snapshot else { return nil }
    do throws(PageFault) { return try PagesAside(of: snapshot) } catch {
      throw environment.damage(error, "read the free list")
    }
  }
}
