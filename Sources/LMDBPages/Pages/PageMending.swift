#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Headers of overflow pages that are wrong in databases whose values can be made again.
///
/// LMDB frees as many pages as such a header says, from the number on that it carries: with a wrong one it would give up pages of
/// others. All that a header has to say is known besides: the leaf that names the pages says where they are and how long their value is.
struct PageMending {
  /// A run of pages with a wrong header.
  struct Wrong {
    let run: OverflowRun
    let fault: PageFault
    /// The name of its tree in a report.
    let tree: String
  }

  let databases: Set<[UInt8]>
  /// Whether each run has to be as long as its value. LMDB leaves a run longer if a shorter value took the place of a longer one in
  /// the same transaction; or a header says so that is wrong.
  let isExact: Bool
  var wrong: [Wrong] = []

  func includes(_ tree: TreeWalk) -> Bool {
    if case .database(let name) = tree.kind { databases.contains(name) } else { false }
  }
}

extension PageAudit {
  /// Checks everything. If nothing is wrong but headers of overflow pages of some databases, the report says so, and what they have to be.
  ///
  /// A leaf may be what is wrong, and name pages of others. But then the pages that it should name are in no tree, and others are in two
  /// trees, or are free: so these headers are wrong only if each page of the store is in one tree or on the free list, and all counts
  /// are right.
  package static func report(
    of file: FilePages, _ roots: SnapshotRoots, mending databases: Set<[UInt8]>
  ) -> PageReport {
    let report = run(file, roots, .everything).report
    guard !report.isSound, !databases.isEmpty, isPossible(roots, in: file) else { return report }
    for isExact in [false, true] {
      let wrong = wrongHeaders(of: file, roots, PageMending(databases: databases, isExact: isExact))
      if let mendable = wrong { return mendable }
    }
    return report
  }
}

extension FilePages {
  /// Writes the header of overflow pages as it has to be. It lies in one sector of the disk; the value behind it stays as it is.
  package func writeHeader(of run: OverflowRun) throws(PageFault) {
    // The number of the first page, two bytes without a meaning, the flags of an overflow page, and how many pages there are.
    var header = [UInt8](repeating: 0, count: CheckedPage.header)
    unsafe header.withUnsafeMutableBytes { header in
      unsafe header.storeBytes(of: run.first, as: UInt64.self)
      unsafe header.storeBytes(of: 4, toByteOffset: 10, as: UInt16.self)
      unsafe header.storeBytes(of: UInt32(truncatingIfNeeded: run.pages), toByteOffset: 12, as: UInt32.self)
    }
    let offset = off_t(run.first) * off_t(pageSize)
    let count = unsafe header.withUnsafeBytes { bytes in
      while true {
        let count = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        if count >= 0 || errno != EINTR { return count }
      }
    }
    guard count == header.count else {
      throw PageFault(run.first, .unreadable, systemError: count < 0 ? errno : ENOSPC)
    }
  }
}
