/// Finds entries in a data file that LMDB must not map, and says where there may have been others.
///
/// The trees are walked where they are sound. Where a page is not, what was below it is lost: its range of keys is noted,
/// and entries of that range are looked for in all other pages of the file. So nothing that was deleted comes back, but
/// within such a range, where old versions of pages may be all that is left.
///
/// Memory: some bytes a page of the file, and the ranges.
package final class PageSalvage {
  /// What is known of where an entry was found. Of two versions of an entry the one of the higher standing is right, or
  /// at least newer.
  package enum Standing: Comparable, Sendable {
    /// In a page that was given up by this transaction: an older version.
    case free(transaction: UInt32)
    /// In a page that is damaged and belongs to no tree that can be read.
    case stray
    /// In a sound page that no tree leads to any more, and that is not free.
    case orphan
    /// In the tree.
    case reached
  }

  /// A range of keys of which there may have been entries.
  package struct LostRange: Sendable, Equatable {
    /// The name of the table; nil when no table can be read.
    package let table: String?
    package let lower: [UInt8]
    /// The first key behind it; nil at the end of the table.
    package let upper: [UInt8]?
    /// The page that could not be read.
    package let page: UInt64
  }

  package typealias Entry = (key: [UInt8], value: [UInt8], standing: Standing)

  /// What was found of the file itself.
  package struct Summary: Sendable {
    package internal(set) var pages: UInt64 = 0
    package internal(set) var damagedPages: Set<UInt64> = []
    package internal(set) var lost: [LostRange] = []
    /// Whether the way to the tables was lost, and they were found without it.
    package internal(set) var hasFoundTables = false
    /// Whether a meta page was lost that may have led to a later state.
    package internal(set) var mayLackLastCommit = false
    /// Whether somebody has committed to the file meanwhile: what was found is of several states then.
    package internal(set) var wasWritten = false
  }

  let file: PageFile
  let tables: Set<String>
  /// Says whether a key and a value belong together: the checksum over both is right.
  let isIntact: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool
  /// The table that a key can only be of.
  let table: (_ key: UnsafeRawBufferPointer) -> String?
  let version: Version
  let found: (Entry) throws -> Void
  var summary = Summary()
  var reached: [Bool]
  /// By page the transaction that gave it up; 0 for others.
  var freedBy: [UInt32]

  /// - Parameters:
  ///   - tables: The databases whose entries are wanted.
  ///   - version: By what a later state of the file is known.
  ///   - found: Is given every entry that is intact; more than once where there are several versions.
  package init(
    path: String, tables: Set<String>,
    isIntact: @escaping (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool,
    table: @escaping (_ key: UnsafeRawBufferPointer) -> String?, version: Version,
    found: @escaping (Entry) throws -> Void
  ) throws(LMDBError) {
    file = try PageFile(path)
    self.tables = tables
    self.isIntact = isIntact
    self.table = table
    self.version = version
    self.found = found
    reached = [Bool](repeating: false, count: Int(clamping: file.pageCount))
    freedBy = [UInt32](repeating: 0, count: Int(clamping: file.pageCount))
    summary.pages = file.pageCount
  }

  /// Looks through the file once, and a second time if anything is missing.
  /// - Throws: What `found` throws.
  package func run() throws -> Summary {
    // The meta page that is left may lead to the state before the last commit, whose free pages that commit has used.
    let found = file.hasBothMetas ? nil : findTables()
    if let meta = file.meta, meta.freeTree.root != MetaPage.Tree.noRoot {
      try walkFreeList(meta.freeTree.root, levels: meta.freeTree.depth)
      // A damaged list may lead into the tables, whose pages are theirs.
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

  /// A page of a tree that has not been met before, as its bytes.
  func take(_ number: UInt64) -> [UInt8]? {
    guard number >= 2, number < file.pageCount, !reached[Int(number)] else { return nil }
    reached[Int(number)] = true
    return file.page(number)
  }

  /// Calls `body` with a checked view of a page's bytes.
  func withPage<R>(
    _ bytes: [UInt8], _ number: UInt64, _ body: (CheckedPage) throws -> R
  ) throws -> R {
    try bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { throw PageFault(number, .outside) }
      return try body(
        CheckedPage(at: start, size: file.pageSize, number: number, limit: file.pageCount))
    }
  }

  /// The value of a node of a leaf, wherever it lies; nil where it cannot be had.
  func value(_ page: CheckedPage, _ node: CheckedPage.Node) -> [UInt8]? {
    switch try? page.value(node) {
    case .here(let bytes), .tree(let bytes): return [UInt8](bytes)
    case .overflow(let first, let count): return file.overflow(first, count: count)
    case nil: return nil
    }
  }

  /// Notes that the pages of a node's value are in use: of one that is intact only, since a damaged node, or an old one,
  /// names any pages.
  func reachValue(_ page: CheckedPage, _ node: CheckedPage.Node) {
    guard case .overflow(let first, let count)? = try? page.value(node) else { return }
    let pages = CheckedPage.pages(of: count, size: file.pageSize)
    for number in first..<first + pages where number < file.pageCount { reached[Int(number)] = true }
  }
}
