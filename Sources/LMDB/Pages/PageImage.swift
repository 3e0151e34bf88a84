/// A data file that nobody writes, read by our own reader alone: without LMDB, its locks and its transactions. Any bytes may
/// be in it; what a store reads of its file goes the same way.
package struct PageImage {
  private let file: FilePages
  private let roots: SnapshotRoots
  private let map: PageMap

  /// The state of the file that the newer of its meta pages names.
  /// - Parameters:
  ///   - descriptor: The open file. It stays its owner's, who keeps it open as long as this is used.
  ///   - bytes: The same bytes in memory.
  /// - Throws: What makes it a file that LMDB must not open.
  package init(descriptor: Int32, bytes: UnsafeRawBufferPointer) throws(MetaPage.Flaw) {
    let first = try MetaPage(bytes.bytes)
    guard bytes.count > first.pageSize, let start = bytes.baseAddress else {
      throw MetaPage.Flaw("the file ends inside its first pages")
    }
    let second = try MetaPage(UnsafeRawBufferPointer(rebasing: bytes[first.pageSize...]).bytes)
    file = FilePages(descriptor: descriptor, pageSize: first.pageSize)
    guard let roots = try SnapshotRoots.read(of: max(first.transaction, second.transaction), from: file)
    else {
      throw MetaPage.Flaw("transactions \(first.transaction) and \(second.transaction) in the meta pages")
    }
    self.roots = roots
    map = PageMap(
      base: start, pageSize: first.pageSize, limit: min(roots.limit, UInt64(bytes.count / first.pageSize)))
    guard roots.mainTree.isPossible(limit: map.limit) else {
      throw MetaPage.Flaw("the main table is rooted at page \(roots.mainTree.root)")
    }
  }

  /// Checks every page. O(pages).
  package func audit() -> PageReport { PageAudit.run(file, roots, .everything).report }

  /// Checks what is checked before a first write.
  package func audit(beforeWriting checks: Environment.PageChecks) -> PageReport {
    PageAudit.run(file, roots, .writing(checks)).report
  }

  /// How many pages the free list names. O(records of the free list).
  package func freePages() throws(PageFault) -> Int {
    try PageSnapshot(
      id: roots.transaction, map: map, freeTree: roots.freeTree, mainTree: roots.mainTree
    ).freePages()
  }

  /// The keys of the main table: the names of the databases, among others perhaps.
  package var mainTable: Tree { Tree(map: map, record: roots.mainTree) }

  /// A database, or nil where the main table has none of that name.
  package func database(named name: String) throws(PageFault) -> Tree? {
    try map.record(named: name, in: roots.mainTree).map { Tree(map: map, record: $0) }
  }

  /// One tree of the file.
  package struct Tree {
    fileprivate let map: PageMap
    fileprivate let record: TreeRecord

    /// The value under a key, or nil. It lies in the file's memory.
    package func value(_ key: UnsafeRawBufferPointer) throws(PageFault) -> UnsafeRawBufferPointer? {
      guard let key = SearchKey(key) else { return nil }
      return try map.find(key, in: record)
    }

    /// What the file says of the tree's size.
    package func statistics() throws(PageFault) -> DatabaseStatistics {
      try DatabaseStatistics(record, limit: map.limit)
    }

    /// A place before the first entry, and behind the last.
    package func walk() -> Walk { Walk(PageWalk(map, record)) }
  }

  /// A place in a tree: see `Cursor`.
  package struct Walk: ~Copyable {
    private var walk: PageWalk

    fileprivate init(_ walk: consuming PageWalk) { self.walk = walk }

    package mutating func next() throws(PageFault) -> Cursor.Entry? { try walk.next() }

    package mutating func previous() throws(PageFault) -> Cursor.Entry? { try walk.previous() }

    package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(PageFault) -> Cursor.Entry? {
      guard let key = SearchKey(key) else { return nil }
      return try walk.seek(key)
    }
  }
}
