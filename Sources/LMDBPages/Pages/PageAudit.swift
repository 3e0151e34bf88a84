/// A check of the pages of one snapshot against each other. Our own reader walks the free list, the main table and
/// every database.
///
/// LMDB trusts the numbers in its pages. A page that carries another number, a run that says it is longer than it is,
/// or a wrong number on the free list makes a later write overwrite pages that are in use. So each page from 2 to the
/// last has to be found exactly once, in a tree or on the free list, has to carry its own number, and has to be whole.
/// The keys have to ascend over all pages of a tree, and the counts have to be those of the tree's record.
///
/// Nothing is followed twice, so no damage makes the check go in circles. Memory: three bits for each page of the file.
///
/// It is safe to use: the buffers have a page for each level that a possible tree has, and live as long as this does.
/// The properties that each page changes are spared the check for overlapping accesses, a third of the time of a check:
/// none of them is passed to code that uses this object.
@safe package final class PageAudit {
  /// How much is read.
  package enum Extent {
    /// Every page that is in use.
    case everything
    /// What decides which pages the next writes overwrite: the free list, the branch pages, and the leaves of each tree
    /// that has no more of them than `PageChecks` allows, which allows more if the leaves name overflow pages. Of the
    /// other leaves only the numbers are known.
    case writing(PageChecks)
  }

  let file: FilePages
  let roots: SnapshotRoots
  let extent: Extent
  /// Pages found in a tree.
  @safe @exclusivity(unchecked) package private(set) var live: PageSet
  /// Pages found on the free list.
  @safe @exclusivity(unchecked) package private(set) var free: PageSet
  /// Pages in use that have been read and are whole. Of overflow pages only the header was read.
  @safe @exclusivity(unchecked) package private(set) var read: PageSet
  /// The names of the databases of which every leaf was read.
  package private(set) var wholeTrees: Set<[UInt8]> = []
  @safe @exclusivity(unchecked) package private(set) var report = PageReport()
  /// Whether the check of all pages together makes sense: each tree could be walked to its end.
  private var isComplete = true
  /// Overflow pages of the trees whose leaves were not read, and all pages of those that are excluded.
  @safe @exclusivity(unchecked) private var unseen: UInt64 = 0
  /// The databases of which no page is read.
  private let excluded: Set<[UInt8]>
  /// Memory for one page of each level of a tree, and for the header of an overflow page.
  private let buffers: UnsafeMutableRawBufferPointer

  private init(
    _ file: FilePages, _ roots: SnapshotRoots, _ extent: Extent, _ excluded: Set<[UInt8]>
  ) {
    self.file = file
    self.excluded = excluded
    self.roots = roots
    self.extent = extent
    live = PageSet(limit: roots.limit)
    free = PageSet(limit: roots.limit)
    read = PageSet(limit: roots.limit)
    unsafe buffers = .allocate(
      byteCount: TreeRecord.maximumDepth * file.pageSize + CheckedPage.header, alignment: 16)
  }

  deinit { unsafe buffers.deallocate() }

  /// Checks the snapshot with these roots. Its pages must not be overwritten meanwhile: a transaction has to keep them.
  /// - Parameter excluded: Databases of which nothing is read but their records: what is left of the pages has to be as many as these
  ///   say.
  package static func run(
    _ file: FilePages, _ roots: SnapshotRoots, _ extent: Extent, without excluded: Set<[UInt8]> = []
  ) -> PageAudit {
    guard isPossible(roots, in: file) else {
      let audit = PageAudit(file, roots.without(lastPageAbove: file.pages), extent, excluded)
      audit.note("meta page", nil, "it says that page \(roots.lastPage) is in use, and the file is shorter")
      return audit
    }
    let audit = PageAudit(file, roots, extent, excluded)
    audit.run()
    return audit
  }

  /// The free list is part of the file, so a last page beyond all that it can name would only cost memory.
  static func isPossible(_ roots: SnapshotRoots, in file: FilePages) -> Bool {
    roots.lastPage < file.pages.addingReportingOverflow(file.pages * UInt64(file.pageSize) / 8).partialValue
  }

  private var readsEverything: Bool {
    if case .everything = extent { true } else { false }
  }

  /// The pages in use that were not read.
  package var unread: PageSet {
    PageSet(withoutNumbersOf: free, read)
  }

  private func run() {
    var databases: [(name: [UInt8], record: TreeRecord)] = []
    walk(TreeWalk(roots.mainTree, .main)) { name, record in databases.append((name, record)) }
    for (name, record) in databases {
      let tree = TreeWalk(record, .database(name))
      if excluded.contains(name) { pass(over: tree) } else { walk(tree) { _, _ in } }
    }
    walk(TreeWalk(roots.freeTree, .free)) { _, _ in }
    if isComplete { checkTogether() }
    report.pages = Int(clamping: live.count + 2)
    report.freePages = Int(clamping: free.count)
  }

  /// Checks that the pages of the file are exactly those in use, those on the free list and the two meta pages.
  private func checkTogether() {
    let known = live.count + free.count
    let others = roots.limit - 2 > known ? roots.limit - 2 - known : 0
    guard others != unseen else { return }
    guard readsEverything, excluded.isEmpty else {
      return note(
        "pages", nil,
        "of \(roots.limit) pages \(others) are in no tree and not free, and \(unseen) should be")
    }
    for gap in live.gaps(with: free) {
      let pages = gap.count == 1 ? "page \(gap.lowerBound)" : "pages \(gap.lowerBound) to \(gap.upperBound)"
      note("pages", gap.lowerBound, "\(pages): in no tree and not on the free list")
    }
  }

  private func pass(over tree: TreeWalk) {
    let record = tree.record
    guard record.hasPossibleCounts(limit: roots.limit) else {
      return note(tree.name, PageFault(record.root, .treeRecord))
    }
    unseen += record.branchPages + record.leafPages + record.overflowPages
  }

  private func walk(_ tree: TreeWalk, _ found: ([UInt8], TreeRecord) -> Void) {
    var tree = tree
    tree.readsLeaves = readsLeaves(of: tree)
    let faults = report.faultCount
    if !tree.record.isEmpty {
      do throws(PageFault) {
        guard tree.record.isPossible(limit: roots.limit) else {
          throw PageFault(tree.record.root, .treeRecord)
        }
        visit(tree.record.root, level: 1, PageBounds(), &tree, found)
      } catch {
        note(tree.name, error)
      }
    }
    // Pages below a page that cannot be read are not counted.
    guard report.faultCount == faults else {
      isComplete = false
      return
    }
    settleOverflow(&tree)
    checkCounts(tree)
    if report.faultCount > faults { isComplete = false }
    if tree.readsLeaves, report.faultCount == faults, case .database(let name) = tree.kind {
      wholeTrees.insert(name)
    }
  }

  private func readsLeaves(of tree: TreeWalk) -> Bool {
    let record = tree.record
    guard case .writing(let checks) = extent, case .database = tree.kind else { return true }
    return record.leafPages <= (record.overflowPages > 0 ? checks.namingLeaves : checks.leaves)
  }

  /// Checks a page and, level by level, the pages below it.
  private func visit(
    _ number: UInt64, level: Int, _ bounds: PageBounds, _ tree: inout TreeWalk,
    _ found: ([UInt8], TreeRecord) -> Void
  ) {
    do throws(PageFault) {
      let isLeaf = level == tree.record.depth
      guard number >= 2, number < roots.limit else { throw PageFault(number, .outside) }
      take(number, tree)
      if isLeaf { tree.leafPages += 1 } else { tree.branchPages += 1 }
      guard !isLeaf || tree.readsLeaves else { return }
      let offset = (level - 1) * file.pageSize
      let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: buffers[offset..<offset + file.pageSize])
      unsafe try file.read(number, into: buffer)
      guard let start = UnsafeRawPointer(buffer.baseAddress) else { throw PageFault(number, .unreadable) }
      let page = unsafe try CheckedPage(at: start, size: file.pageSize, number: number, limit: roots.limit)
      try page.require(isLeaf ? .leaf : .branch)
      try page.checkWhole(order: tree.order)
      try bounds.check(page, tree.order)
      _ = read.insert(number)
      if isLeaf { return try visitLeaf(page, &tree, found) }
      // LMDB ends the process at a branch page with only one child.
      guard page.count >= 2 else { throw PageFault(number, .shape) }
      for index in 0..<page.count {
        let node = try page.node(index)
        let low = unsafe index == 0 ? bounds.low : page.key(node)
        let high = unsafe index + 1 < page.count ? page.key(try page.node(index + 1)) : bounds.high
        unsafe visit(try page.child(node), level: level + 1, PageBounds(low: low, high: high), &tree, found)
      }
    } catch {
      note(tree.name, error)
    }
  }

  private func visitLeaf(
    _ page: CheckedPage, _ tree: inout TreeWalk, _ found: ([UInt8], TreeRecord) -> Void
  ) throws(PageFault) {
    for index in 0..<page.count {
      let node = try page.node(index)
      tree.entries += 1
      let value = try page.value(node)
      if case .overflow(let first, let count) = value {
        let run = OverflowRun(first: first, count: count, pageSize: file.pageSize)
        if readsEverything || tree.kind == .free {
          try take(whole: run, &tree)
        } else {
          tree.runs.append(run)
        }
      }
      switch (tree.kind, value) {
      case (.free, .tree): throw PageFault(page.number, .valueKind)
      case (.free, _): unsafe readFreeList(page.key(node), value, tree.name)
      case (.database, .tree): throw PageFault(page.number, .valueKind)
      case (.main, .tree(let bytes)):
        unsafe found([UInt8](page.key(node)), try TreeRecord(bytes, page: page.number, limit: roots.limit))
      case (.main, _), (.database, _): break
      }
    }
  }

  /// Reads the header of a run of overflow pages, and counts the pages that the header says. LMDB leaves a run longer
  /// than its value needs if a shorter value replaced a longer one in the same transaction.
  private func take(whole run: OverflowRun, _ tree: inout TreeWalk) throws(PageFault) {
    let offset = TreeRecord.maximumDepth * file.pageSize
    let header = unsafe UnsafeMutableRawBufferPointer(rebasing: buffers[offset...])
    unsafe try file.read(run.first, into: header)
    guard let start = UnsafeRawPointer(header.baseAddress) else { throw PageFault(run.first, .unreadable) }
    let page = unsafe try CheckedPage(at: start, size: file.pageSize, number: run.first, limit: roots.limit)
    let pages = try page.overflowPages
    guard pages >= run.pages else { throw PageFault(run.first, .run) }
    // The end of the run has to be in the file, or reading the value would end the process.
    if run.first + run.pages > file.pages { throw PageFault(run.first, .unreadable) }
    for page in run.first..<run.first + pages where !read.insert(page) { break }
    take(OverflowRun(first: run.first, pages: pages), &tree)
  }

  /// Counts the pages of a run. Ends at the first page that is already in use: however many values share pages, each
  /// page is counted once or reported.
  private func take(_ run: OverflowRun, _ tree: inout TreeWalk) {
    for page in run.first..<run.first + run.pages where !take(page, tree) { break }
    tree.overflowPages += run.pages
  }

  /// Counts the runs whose headers were not read. If the lengths of the values explain all overflow pages of the tree,
  /// each run is as long as its value.
  private func settleOverflow(_ tree: inout TreeWalk) {
    guard tree.readsLeaves else {
      guard tree.record.hasPossibleCounts(limit: roots.limit) else {
        return note(tree.name, PageFault(tree.record.root, .treeRecord))
      }
      unseen += tree.record.overflowPages
      tree.overflowPages = tree.record.overflowPages
      return
    }
    let pages = tree.runs.reduce(0) { $0 + $1.pages }
    let isExplained = tree.overflowPages + pages == tree.record.overflowPages
    for run in tree.runs {
      do throws(PageFault) {
        if isExplained { take(run, &tree) } else { try take(whole: run, &tree) }
      } catch {
        note(tree.name, error)
      }
    }
  }

  private func checkCounts(_ tree: TreeWalk) {
    let record = tree.record
    let counts = [
      ("branch pages", record.branchPages, tree.branchPages),
      ("leaf pages", record.leafPages, tree.leafPages),
      ("overflow pages", record.overflowPages, tree.overflowPages),
      ("entries", record.entries, tree.readsLeaves ? tree.entries : record.entries),
    ]
    for (what, recorded, found) in counts where recorded != found {
      note(tree.name, nil, "its record says \(recorded) \(what), and it has \(found)")
    }
  }

  /// Counts a page as in use. Returns false if it is in use already.
  @discardableResult
  private func take(_ page: UInt64, _ tree: TreeWalk) -> Bool {
    if free.contains(page) { note(tree.name, page, "page \(page): it is in use and on the free list") }
    if live.insert(page) { return true }
    note(tree.name, page, "page \(page): it is in use twice")
    return false
  }

  /// Counts a page of the free list, or notes a fault if it cannot be there.
  func takeFree(_ page: UInt64, _ name: String) {
    if live.contains(page) { note(name, page, "page \(page): it is in use and on the free list") }
    guard !free.insert(page) else { return }
    note(name, page, "page \(page): it stands on the free list twice")
  }

  func note(_ location: String, _ fault: PageFault) {
    isComplete = false
    note(location, fault.page, fault.description, systemError: fault.systemError)
  }

  func note(_ location: String, _ page: UInt64?, _ finding: String, systemError: Int32 = 0) {
    report.add(
      PageReport.Fault(place: location, page: page, finding: finding, systemError: systemError))
  }
}
