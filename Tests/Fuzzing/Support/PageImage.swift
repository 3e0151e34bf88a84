import LMDBPages

/// A data file that nobody writes, read by our own reader alone: without LMDB, its locks and its transactions. The file
/// may hold any bytes. A store reads its file through the same code.
struct PageImage {
  private let file: FilePages
  private let roots: SnapshotRoots
  private let map: PageMap

  /// Opens the state of the file that the newer of its meta pages names.
  /// - Parameters:
  ///   - descriptor: The open file. Its owner closes it, but only after this is no longer used.
  ///   - bytes: The same bytes in memory.
  /// - Throws: The reason why LMDB must not open the file.
  init(descriptor: Int32, bytes: UnsafeRawBufferPointer) throws(MetaPage.Flaw) {
    let first = unsafe try MetaPage(bytes.bytes)
    guard bytes.count > first.pageSize, let start = bytes.baseAddress else {
      throw MetaPage.Flaw("the file ends inside its first pages")
    }
    let second = unsafe try MetaPage(UnsafeRawBufferPointer(rebasing: bytes[first.pageSize...]).bytes)
    file = FilePages(descriptor: descriptor, pageSize: first.pageSize)
    guard let roots = try SnapshotRoots.read(of: max(first.transaction, second.transaction), from: file)
    else {
      throw MetaPage.Flaw("transactions \(first.transaction) and \(second.transaction) in the meta pages")
    }
    self.roots = roots
    map = unsafe PageMap(
      base: start, pageSize: first.pageSize, limit: min(roots.limit, UInt64(bytes.count / first.pageSize)))
    guard roots.mainTree.isPossible(limit: map.limit) else {
      throw MetaPage.Flaw("the main table is rooted at page \(roots.mainTree.root)")
    }
  }

  /// Checks every page. O(pages).
  func audit() -> PageReport { PageAudit.run(file, roots, .everything).report }

  /// Makes the checks that are made before a first write.
  func audit(beforeWriting checks: PageChecks) -> PageReport {
    PageAudit.run(file, roots, .writing(checks)).report
  }

  /// Returns the number of pages on the free list. O(records of the free list).
  func freePages() throws(PageFault) -> Int {
    try PageSnapshot(
      id: roots.transaction, map: map, freeTree: roots.freeTree, mainTree: roots.mainTree
    ).freePages()
  }

  /// The main table. Its keys are the names of the databases, perhaps among other keys.
  var mainTable: Tree { Tree(map: map, record: roots.mainTree) }

  /// Returns a database, or nil if the main table has none of that name.
  func database(named name: String) throws(PageFault) -> Tree? {
    try map.record(named: name, in: roots.mainTree).map { Tree(map: map, record: $0) }
  }

  /// One tree of the file.
  struct Tree {
    fileprivate let map: PageMap
    fileprivate let record: TreeRecord

    /// Returns the value under a key, or nil. It lies in the file's memory. O(log n).
    func value(_ key: UnsafeRawBufferPointer) throws(PageFault) -> UnsafeRawBufferPointer? {
      guard let key = unsafe SearchKey(key) else { return nil }
      return unsafe try map.find(key, in: record)
    }

    /// Returns the size of the tree, as the file gives it.
    func statistics() throws(PageFault) -> DatabaseStatistics {
      try DatabaseStatistics(record, limit: map.limit)
    }

    /// Returns a walk that stands before the first entry when it goes forward, and after the last when it goes back.
    func walk() -> Walk { Walk(PageWalk(map, record)) }
  }

  /// A walk through a tree in the order of the keys: see `Cursor`.
  struct Walk: ~Copyable {
    private var walk: PageWalk

    fileprivate init(_ walk: consuming PageWalk) { self.walk = walk }

    mutating func next() throws(PageFault) -> PageEntry? { unsafe try walk.next() }

    mutating func previous() throws(PageFault) -> PageEntry? { unsafe try walk.previous() }

    mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(PageFault) -> PageEntry? {
      guard let key = unsafe SearchKey(key) else { return nil }
      return unsafe try walk.seek(key)
    }
  }
}
