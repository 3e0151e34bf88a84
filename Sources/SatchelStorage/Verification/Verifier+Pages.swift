internal import LMDB

/// Checks the pages of the file, which have no checksums and which LMDB trusts.
extension Verifier {
  /// Checks the use of every page. A wrong number on the free list or in a page's header does not show in anything that
  /// is read, but the next writes would overwrite pages that are in use.
  mutating func checkPages() throws {
    let pages = try snapshot.transaction.auditPages()
    report.pages = pages.pages + pages.freePages
    for fault in pages.faults { report.add(fault.place, "", fault.finding) }
    if pages.faultCount > pages.faults.count {
      report.add("pages", "", "\(pages.faultCount - pages.faults.count) more faults")
    }
  }
}
