/// Databases whose values can be made again, so that they may be given up with all of their pages.
extension PageAudit {
  /// Checks everything. If something is wrong, checks all but some databases as well.
  ///
  /// No page of those is read for that: what one names may be wrong. Their pages are those that neither another tree nor the free list
  /// has. They are as many as the records of the databases say: so none of them is one that another tree has lost.
  /// - Returns: What is wrong; and what was found of the others, if nothing is wrong there.
  package static func run(
    _ file: FilePages, _ roots: SnapshotRoots, givingUp databases: Set<[UInt8]>
  ) -> (report: PageReport, others: PageAudit?) {
    var report = run(file, roots, .everything).report
    // A read that failed is no damage, and another one may succeed.
    guard !report.isSound, !databases.isEmpty, report.faults.allSatisfy({ $0.systemError == 0 }) else {
      return (report, nil)
    }
    let others = run(file, roots, .everything, without: databases)
    report.mayGiveUp = others.report.isSound
    return (report, report.mayGiveUp ? others : nil)
  }
}
