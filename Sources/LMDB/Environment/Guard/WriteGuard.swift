internal import CLMDB
internal import LMDBPages
internal import StoreFiles
internal import Synchronization

/// Makes sure that LMDB reads no damaged page in a write.
///
/// LMDB trusts its pages: it frees the number that a page carries, whatever put it there, and overwrites the pages that
/// its free list names. So the free list and the branch pages are checked (`PageAudit`) before the first write of an
/// environment, and after commits of other processes. And before LMDB walks to a key in a write, the leaf and the
/// overflow pages that it will read there are checked, once each. They are read in the state that the write began on,
/// which lies in the file unchanged as long as the write lasts. Pages that this environment has written since need no
/// check.
///
/// It belongs to the writer whose turn it is; the turns are handed on through locks. The properties that each call of a
/// write reads are spared the check for overlapping accesses.
final class WriteGuard: @unchecked Sendable {
  /// The commit up to which `unchecked` is right: this environment has made every later one.
  private var snapshot: UInt64?
  /// Pages that were in use before this environment wrote, and that have not been checked.
  @safe @exclusivity(unchecked) private var unchecked = PageSet(limit: 0)
  /// Pages that the audit has found in a tree. Of those that are unchecked it knows only the number.
  private var numbered = PageSet(limit: 0)
  /// The names of the databases of which every leaf has been checked.
  private var wholeTrees: Set<[UInt8]> = []
  /// The names of those of which all overflow pages have been checked as well.
  private var completeTrees: Set<[UInt8]> = []
  /// How many descents to a leaf were needed, by the name of the database.
  private var descents: [[UInt8]: UInt64] = [:]

  /// What the transaction in progress began on; nil if LMDB has to read it.
  @safe @exclusivity(unchecked) private(set) var before: StateBefore?

  /// The databases that the writer whose turn it is gives up if their pages are damaged, and only theirs.
  private var namesToGiveUp: Set<[UInt8]> = []

  // The following properties belong to the transaction in progress.

  /// The pages of the databases that it gives up; nil if it gives up none, or has emptied them.
  private(set) var givenUp: PageSet?

  private var base: UInt64 = 0
  /// Set as long as pages are left to check.
  @safe @exclusivity(unchecked) private var map: PageMap?
  private var mainTree = TreeRecord.empty
  private var file: FilePages?
  /// Indexed by LMDB's handle of the database.
  @safe @exclusivity(unchecked) private var trees: [GuardedTree?] = []
  /// Whether LMDB has something to commit. If not, the next transaction gets the same number.
  @safe @exclusivity(unchecked) var hasChanged = false

  /// Whether nothing is left to check. In a store that this environment has made itself, this comparison is all that a
  /// call costs.
  @inline(__always)
  var knowsAll: Bool { unchecked.count == 0 }

  /// Begins to guard a write transaction.
  /// - Parameter isOrdered: Whether it is the writer whose turn it is.
  /// - Throws: `corrupted` if the free list or the branch pages are damaged.
  func begin(_ handle: OpaquePointer, _ environment: Environment, isOrdered: Bool) throws(LMDBError) {
    hasChanged = false
    givenUp = nil
    keepTrees()
    map = nil
    base = unsafe UInt64(truncatingIfNeeded: mdb_txn_id(handle)) &- 1
    guard environment.options.pageChecks.isOn else {
      before = nil
      return
    }
    let names = isOrdered ? namesToGiveUp : []
    if !names.isEmpty { snapshot = nil }
    // A transaction that has changed nothing leaves its state to the next one.
    if base == snapshot, let before, before.roots.transaction == base, environment.isMap(before.map) {
      if !knowsAll { map = before.map }
      return
    }
    before = nil
    let file = unsafe try environment.filePages(mdb_txn_env(handle))
    self.file = file
    let roots: SnapshotRoots
    do throws(MetaPage.Flaw) {
      guard let found = try SnapshotRoots.read(of: base, from: file) else {
        throw MetaPage.Flaw("the meta pages are not those of commit \(base)")
      }
      roots = found
      if base != snapshot { try examine(roots, file, environment.options.pageChecks, givingUp: names) }
    } catch {
      // If nothing is left to check, LMDB may read as it does.
      if base == snapshot, knowsAll { return }
      snapshot = nil
      throw environment.error(error.codeInStore, "write", detail: error.text)
    }
    mainTree = roots.mainTree
    // Not `file.pages`: whoever asks for the status of a file makes its next change cost a write of the inode, on
    // systems that keep fine timestamps (Linux 6.13), and that is a twentieth of a durable commit.
    let known = try environment.pageMap(limit: environment.pagesPresent(upTo: roots.lastPage))
    if let known { before = StateBefore(roots, known) }
    guard !knowsAll else { return }
    map = known
    guard map == nil else { return }
    // The address of LMDB's map is unknown: everything is checked at once.
    do throws(PageFault) {
      try checkEverything(orBlame: PageFault(base & 1, .unreadable))
    } catch {
      throw environment.error(error.code, "write", detail: "\(error)")
    }
  }

  /// Returns the pages of the state that the transaction began on, and the tree of a database in them, as long as nothing has
  /// changed. Nil if LMDB has to be asked.
  @inline(__always)
  func unchanged(_ database: Database) throws(PageFault) -> (map: PageMap, tree: TreeRecord)? {
    hasChanged ? nil : try stateBefore(database)
  }

  /// Returns the pages of the state that the transaction began on, and the tree of a database in them, whatever has changed since.
  /// Nil if LMDB has to be asked.
  func stateBefore(_ database: Database) throws(PageFault) -> (map: PageMap, tree: TreeRecord)? {
    guard let map = before?.map, let tree = try before?.tree(of: database) else { return nil }
    return (map, tree)
  }

  /// Takes note that the transaction was committed.
  func committed() {
    if hasChanged { snapshot = givenUp == nil ? base &+ 1 : nil }
  }

  /// Forgets what was checked, after a commit that failed: how it ended may be unknown.
  func forget() { snapshot = nil }

  /// Forgets all that it knows of the file, which is opened anew: others may have written, and the map is another one.
  func forgetFile() {
    snapshot = nil
    before = nil
    map = nil
    file = nil
    trees = []
  }

  /// Has the transaction of the writer whose turn it is, which begins in `body`, give up databases that are damaged.
  func givingUp<R>(_ databases: [String], _ body: () throws -> R) rethrows -> R {
    namesToGiveUp = Set(databases.map { Array($0.utf8) })
    defer { namesToGiveUp = [] }
    return try body()
  }

  /// Takes note that the databases that are given up are empty from now on. Everything else has been checked.
  func emptiedGivenUp() {
    givenUp = nil
    unchecked = PageSet(limit: 0)
  }

  private func examine(
    _ roots: SnapshotRoots, _ file: FilePages, _ checks: PageChecks, givingUp names: Set<[UInt8]>
  ) throws(MetaPage.Flaw) {
    snapshot = nil
    if !names.isEmpty, let others = PageAudit.run(file, roots, givingUp: names).others {
      begin(after: others)
      givenUp = unchecked
      // The state is damaged: who begins on it again checks it again.
      snapshot = nil
      return
    }
    guard roots.limit > checks.store else { return try checkEverything(roots, file) }
    let audit = PageAudit.run(file, roots, .writing(checks))
    if let fault = audit.report.faults.first {
      throw MetaPage.Flaw(fault.description, systemError: fault.systemError)
    }
    begin(after: audit)
  }

  private func begin(after audit: PageAudit) {
    unchecked = audit.unread
    numbered = audit.live
    wholeTrees = audit.wholeTrees
    completeTrees = []
    descents = [:]
    snapshot = base
  }

  private func checkEverything(_ roots: SnapshotRoots, _ file: FilePages) throws(MetaPage.Flaw) {
    let audit = PageAudit.run(file, roots, .everything)
    if let fault = audit.report.faults.first {
      throw MetaPage.Flaw(fault.description, systemError: fault.systemError)
    }
    unchecked = PageSet(limit: 0)
    numbered = PageSet(limit: 0)
    snapshot = base
  }

  /// Whether a page was in use before this environment wrote, and has not been checked.
  func isUnchecked(_ page: UInt64) -> Bool { unchecked.contains(page) }

  /// Checks, before LMDB walks to a key, the leaf in which the key belongs and the overflow pages of its value.
  func admit(
    _ database: UInt32, _ name: String, _ key: UnsafeRawBufferPointer, _ access: Access,
    _ environment: Environment
  ) throws(LMDBError) {
    guard let map, let key = unsafe SearchKey(key) else { return }
    do throws(PageFault) {
      let tree = try tree(database, name, map)
      try tree.admit(key, access, map, self)
    } catch {
      throw environment.error(error.code, "write", detail: "database \(name): \(error)")
    }
  }

  /// Whether values of a database may lie in overflow pages that have not been checked, and nothing else is left to
  /// check. If so, LMDB has to look a value up before it puts or removes the value, and `admitValue` has to be called
  /// with the address that LMDB has found.
  func namesRuns(_ database: UInt32) -> Bool {
    let index = Int(database)
    return index < trees.count && trees[index]?.namesRuns == true
  }

  /// Checks the overflow pages of a value that LMDB has found. Values that were written in this transaction lie
  /// elsewhere.
  func admitValue(
    _ database: UInt32, _ name: String, at address: UnsafeRawPointer?, count: Int, _ environment: Environment
  ) throws(LMDBError) {
    guard let map, let address = unsafe address else { return }
    let (offset, isBefore) = unsafe UInt(bitPattern: address).subtractingReportingOverflow(
      UInt(bitPattern: map.base))
    let page = UInt64(offset) / UInt64(map.pageSize)
    guard !isBefore, page < map.limit, unchecked.contains(page) else { return }
    do throws(PageFault) {
      try check(page, count, true, map)
    } catch {
      throw environment.error(error.code, "write", detail: "database \(name): \(error)")
    }
  }

  /// Checks a whole database, before LMDB walks through it or a cursor over it is opened.
  func admitAll(of database: Database, _ environment: Environment) throws(LMDBError) {
    guard let map else { return }
    do throws(PageFault) {
      try tree(database.handle, database.name, map).checkAll(map, self)
    } catch {
      throw environment.error(error.code, "write", detail: "database \(database.name): \(error)")
    }
  }

  /// What a call does with the key.
  enum Access {
    case read
    case put
    case delete
    /// A put after the last key, for which LMDB searches.
    case append
  }

  /// Keeps what was learnt about the trees in a transaction.
  private func keepTrees() {
    for case let tree? in trees where tree.hasLearnt {
      if tree.isWhole { wholeTrees.insert(tree.name) }
      if tree.isComplete { completeTrees.insert(tree.name) }
      descents[tree.name] = tree.descents
    }
    trees.removeAll(keepingCapacity: true)
  }

  /// Returns the tree of a database, looked up once in a transaction.
  /// - Parameter name: Used only if the tree has not been looked up in this transaction.
  private func tree(_ database: UInt32, _ name: String, _ map: PageMap) throws(PageFault) -> GuardedTree {
    let index = Int(database)
    if index < trees.count, let tree = trees[index] { return tree }
    let record = try map.record(named: name, in: mainTree) ?? .empty
    let bytes = Array(name.utf8)
    let tree = GuardedTree(
      record, name: bytes, isWhole: wholeTrees.contains(bytes), isComplete: completeTrees.contains(bytes),
      descents: descents[bytes] ?? 0)
    while trees.count <= index { trees.append(nil) }
    trees[index] = tree
    return tree
  }

  /// Returns a leaf. Checks it, unless that has been done.
  @inline(__always)
  func check(leaf number: UInt64, _ bounds: PageBounds, _ map: PageMap) throws(PageFault) -> CheckedPage {
    let page = try map.page(number)
    if unchecked.contains(number) { try check(page, bounds) }
    return page
  }

  @inline(never)
  private func check(_ page: CheckedPage, _ bounds: PageBounds) throws(PageFault) {
    try page.require(.leaf)
    try page.checkWhole(order: .bytes)
    try bounds.check(page, .bytes)
    unchecked.remove(page.number)
  }

  /// Checks the overflow pages of a value, unless that has been done. The header of the first one says how many pages
  /// LMDB would free.
  @inline(__always)
  func check(run first: UInt64, count: Int, isWhole: Bool, _ map: PageMap) throws(PageFault) {
    if unchecked.contains(first) { try check(first, count, isWhole, map) }
  }

  @inline(never)
  private func check(_ first: UInt64, _ count: Int, _ isWhole: Bool, _ map: PageMap) throws(PageFault) {
    let run = OverflowRun(first: first, count: count, pageSize: map.pageSize)
    let pages = try map.page(first).overflowPages
    guard pages >= run.pages else { throw PageFault(first, .run) }
    guard pages == run.pages else {
      // Either a value became shorter in the transaction that stored it, or the header is wrong. A check of all pages
      // tells which.
      return try checkEverything(orBlame: PageFault(first, .run))
    }
    // If all leaves are known, their runs are known not to overlap.
    if !isWhole {
      for page in first..<first + pages where !unchecked.contains(page) || numbered.contains(page) {
        throw PageFault(first, .run)
      }
    }
    for page in first..<first + pages { unchecked.remove(page) }
  }

  private func checkEverything(orBlame fault: PageFault) throws(PageFault) {
    do throws(MetaPage.Flaw) {
      guard let file, let roots = try SnapshotRoots.read(of: base, from: file) else {
        throw MetaPage.Flaw("")
      }
      try checkEverything(roots, file)
    } catch {
      guard case .io(let number) = error.code else { throw fault }
      throw PageFault(fault.page, .unreadable, systemError: number)
    }
  }
}
