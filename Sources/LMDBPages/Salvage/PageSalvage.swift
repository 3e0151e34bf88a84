package import StoreFiles

/// Finds entries in a data file that LMDB must not map, and says in which ranges of keys there may have been others.
///
/// The trees are walked where they are sound. If a page is not sound, everything below it is lost: its range of keys is
/// noted, and entries of that range are searched for in all other pages of the file. So nothing that was deleted comes
/// back, except within such a range, where old versions of pages may be all that is left.
///
/// Memory: some bytes for each page of the file, and the ranges.
///
/// It is safe to use: the functions that it is made with are given bytes that exist while they run.
@safe package final class PageSalvage {
  /// What is known about the page in which an entry was found. Of two versions of an entry, the one with the higher
  /// standing is right, or at least newer.
  package enum Standing: Comparable, Sendable {
    /// In a page that this transaction has freed: an older version.
    case free(transaction: UInt32)
    /// In a damaged page that belongs to no readable tree.
    case stray
    /// In a sound page to which no tree leads any more, and that is not free.
    case orphan
    /// In the tree.
    case reached
  }

  /// A range of keys in which there may have been entries.
  package struct LostRange: Sendable, Equatable {
    /// The name of the table; nil if no table can be read.
    package let table: String?
    package let lower: [UInt8]
    /// The first key after the range; nil at the end of the table.
    package let upper: [UInt8]?
    /// The page that could not be read.
    package let page: UInt64
  }

  package typealias Entry = (key: [UInt8], value: [UInt8], standing: Standing)

  /// What was found out about the file itself.
  package struct Summary: Sendable {
    package internal(set) var pages: UInt64 = 0
    package internal(set) var damagedPages: Set<UInt64> = []
    package internal(set) var lost: [LostRange] = []
    /// Whether the pages that lead to the tables were lost, and the tables were found without them.
    package internal(set) var hasFoundTables = false
    /// Whether a meta page was lost that may have led to a later state.
    package internal(set) var mayLackLastCommit = false
    /// Whether somebody has committed to the file meanwhile: the entries are then of several states.
    package internal(set) var wasWritten = false
  }

  let file: PageFile
  let tables: Set<String>
  /// Says whether a key and a value belong together: the checksum over both is right.
  let isIntact: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool
  /// Returns the only table to which a key can belong, or nil.
  let table: (_ key: UnsafeRawBufferPointer) -> String?
  let version: Version
  let found: (Entry) throws -> Void
  var summary = Summary()
  var reached: [Bool]
  /// For each page, the number of the transaction that freed it; 0 for pages that are not free.
  var freedBy: [UInt32]

  /// - Parameters:
  ///   - tables: The databases whose entries are wanted.
  ///   - version: Tells which of two states of the file is the later one.
  ///   - found: Is given every intact entry, more than once if there are several versions.
  package init(
    path: String, tables: Set<String>,
    isIntact: @escaping (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool,
    table: @escaping (_ key: UnsafeRawBufferPointer) -> String?, version: Version,
    found: @escaping (Entry) throws -> Void
  ) throws(LMDBError) {
    file = try PageFile(path)
    self.tables = tables
    unsafe self.isIntact = isIntact
    unsafe self.table = table
    self.version = version
    self.found = found
    reached = [Bool](repeating: false, count: Int(clamping: file.pageCount))
    freedBy = [UInt32](repeating: 0, count: Int(clamping: file.pageCount))
    summary.pages = file.pageCount
  }

  /// Reads the file once, and a second time if anything is missing.
  /// - Throws: What `found` throws.
  package func run() throws -> Summary {
    // The meta page that is left may lead to the state before the last commit, which has reused that state's free
    // pages.
    let found = file.hasBothMetas ? nil : findTables()
    if let meta = file.meta, meta.freeTree.root != MetaPage.Tree.noRoot {
      try walkFreeList(meta.freeTree.root, levels: meta.freeTree.depth)
      // A damaged list may lead into the tables, whose pages are not to be skipped.
      for page in reached.indices { reached[page] = false }
    }
    try walkTables(found)
    summary.mayLackLastCommit = !file.hasBothMetas && !summary.hasFoundTables
    if !summary.lost.isEmpty { try sweep() }
    summary.wasWritten = file.isChanged
    return summary
  }

  func lose(_ table: String?, _ lower: [UInt8], _ upper: [UInt8]?, page: UInt64) {
    summary.lost.append(LostRange(table: table, lower: lower, upper: upper, page: page))
  }

  /// Returns the bytes of a page of a tree, or nil if the page was reached before.
  func take(_ number: UInt64) -> [UInt8]? {
    guard number >= 2, number < file.pageCount, !reached[Int(number)] else { return nil }
    reached[Int(number)] = true
    return file.page(number)
  }

  /// Calls `body` with a checked view of a page's bytes.
  func withPage<R>(
    _ bytes: [UInt8], _ number: UInt64, _ body: (CheckedPage) throws -> R
  ) throws -> R {
    unsafe try bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { throw PageFault(number, .outside) }
      return unsafe try body(
        CheckedPage(at: start, size: file.pageSize, number: number, limit: file.pageCount))
    }
  }

  /// Returns the value of a node of a leaf, wherever it lies; nil if it is unavailable.
  func value(_ page: CheckedPage, _ node: CheckedPage.Node) -> [UInt8]? {
    switch try? page.value(node) {
    case .here(let bytes), .tree(let bytes): return unsafe [UInt8](bytes)
    case .overflow(let first, let count): return file.overflow(first, count: count)
    case nil: return nil
    }
  }

  /// Notes that the pages of a node's value are in use. The node has to be intact: a damaged or an old one may name any
  /// pages.
  func reachValue(_ page: CheckedPage, _ node: CheckedPage.Node) {
    guard case .overflow(let first, let count)? = try? page.value(node) else { return }
    let pages = CheckedPage.pages(of: count, size: file.pageSize)
    for number in first..<first + pages where number < file.pageCount { reached[Int(number)] = true }
  }
}
