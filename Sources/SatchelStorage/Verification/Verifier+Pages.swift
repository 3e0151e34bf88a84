internal import LMDB

/// The pages of the file, which carry no checksums, and which LMDB believes.
extension Verifier {
  /// A wrong number on the free list or in a page's header shows in nothing that is read; the next writes would overwrite
  /// pages that are in use.
  mutating func checkPages() throws {
    let pages = try snapshot.transaction.auditPages()
    report.pages = pages.pages + pages.freePages
    for fault in pages.faults { report.add(fault.place, "", fault.finding) }
    if pages.faultCount > pages.faults.count {
      report.add("pages", "", "\(pages.faultCount - pages.faults.count) more faults")
    }
  }
}
