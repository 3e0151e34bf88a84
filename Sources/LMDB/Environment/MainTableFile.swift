internal import CLMDB
internal import LMDBPages

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The main table of a snapshot, read from the file: before the address of LMDB's map is known, and before LMDB itself
/// reads the pages of the main table.
struct MainTableFile {
  private let file: Int32
  private let pageSize: Int
  private let limit: UInt64
  private let mainTree: TreeRecord

  /// The record of a database, and where it lies.
  struct LocatedRecord {
    /// Offset in the file, in bytes.
    let offset: Int
    let record: TreeRecord
  }

  /// Takes the snapshot of a read transaction, which this may renew. Returns no file if the snapshot cannot be
  /// determined, and LMDB's code if the transaction has ended by the renewal.
  static func make(of handle: OpaquePointer, pageSize: Int) -> (code: Int32, file: MainTableFile?) {
    var file: Int32 = -1
    var status = stat()
    guard let environment = unsafe mdb_txn_env(handle), unsafe mdb_env_get_fd(environment, &file) == 0 else {
      return (0, nil)
    }
    let (code, meta) = unsafe MetaCopy.Source(pages: .file(file), pageSize: pageSize).accepted(by: handle)
    guard code == 0, let meta, unsafe fstat(file, &status) == 0 else { return (code, nil) }
    let pages = UInt64(max(0, status.st_size)) / UInt64(pageSize)
    let limit = meta.lastPage < pages ? meta.lastPage + 1 : pages
    return (0, MainTableFile(file: file, pageSize: pageSize, limit: limit, mainTree: meta.mainTree))
  }

  private init(file: Int32, pageSize: Int, limit: UInt64, mainTree: TreeRecord) {
    self.file = file
    self.pageSize = pageSize
    self.limit = limit
    self.mainTree = mainTree
  }

  /// Finds the record of a database. Returns nil if there is none. Every page on the way is checked as a whole, so that
  /// LMDB can read the same pages.
  func find(_ name: String) throws(PageFault) -> LocatedRecord? {
    guard mainTree.flags == 0, mainTree.isPossible(limit: limit) else {
      throw PageFault(mainTree.root, .treeRecord)
    }
    guard !mainTree.isEmpty else { return nil }
    let name = Array(name.utf8)
    var number = mainTree.root
    var buffer = [UInt8](repeating: 0, count: pageSize)
    for level in 0..<mainTree.depth {
      try read(number, &buffer)
      let isLeaf = level == mainTree.depth - 1
      var found: LocatedRecord?
      var failure: PageFault?
      unsafe buffer.withUnsafeBytes { bytes in
        unsafe name.withUnsafeBytes { name in
          do throws(PageFault) {
            guard let start = bytes.baseAddress, let key = unsafe SearchKey(name) else { return }
            let page = unsafe try CheckedPage(at: start, size: pageSize, number: number, limit: limit)
            try page.require(isLeaf ? .leaf : .branch)
            try page.checkWhole(order: .bytes)
            if isLeaf {
              found = try locate(key, in: page)
            } else {
              number = try page.child(try page.node(try page.childIndex(of: key)))
            }
          } catch {
            failure = error
          }
        }
      }
      if let failure { throw failure }
      if isLeaf { return found }
    }
    return nil
  }

  /// What was found in a table.
  private struct Contents {
    var pages: UInt64 = 0
    var databases: UInt64 = 0
    /// Entries that are not databases: the file of another program has some, and so has a page of another tree.
    var values: UInt64 = 0
  }

  /// Checks the whole table, which has one page or a few. If a name is missing, the root may be that of another tree.
  /// Returns whether the table holds nothing but databases.
  func checkAll() throws(PageFault) -> Bool {
    guard !mainTree.isEmpty else { return true }
    var found = Contents()
    try check(mainTree.root, level: 0, &found)
    guard found.databases &+ found.values == mainTree.entries,
      found.pages == mainTree.branchPages &+ mainTree.leafPages,
      found.databases == 0 || found.values == 0
    else { throw PageFault(mainTree.root, .treeRecord) }
    return found.values == 0
  }

  /// Checks a page and those below it. Fails at once if the table has more pages than its record says.
  private func check(_ number: UInt64, level: Int, _ found: inout Contents) throws(PageFault) {
    found.pages += 1
    guard level < mainTree.depth, found.pages <= mainTree.branchPages &+ mainTree.leafPages else {
      throw PageFault(number, .shape)
    }
    let isLeaf = level == mainTree.depth - 1
    var buffer = [UInt8](repeating: 0, count: pageSize)
    try read(number, &buffer)
    var children: [UInt64] = []
    var failure: PageFault?
    unsafe buffer.withUnsafeBytes { bytes in
      do throws(PageFault) {
        guard let start = bytes.baseAddress else { return }
        let page = unsafe try CheckedPage(at: start, size: pageSize, number: number, limit: limit)
        try page.require(isLeaf ? .leaf : .branch)
        try page.checkWhole(order: .bytes)
        for index in 0..<page.count {
          let node = try page.node(index)
          if !isLeaf {
            children.append(try page.child(node))
          } else if case .tree(let record) = try page.value(node) {
            _ = unsafe try TreeRecord(record, page: number, limit: limit)
            found.databases += 1
          } else {
            found.values += 1
          }
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    for child in children { try check(child, level: level + 1, &found) }
  }

  private func locate(_ key: SearchKey, in leaf: CheckedPage) throws(PageFault) -> LocatedRecord? {
    let (index, isFound) = try leaf.firstIndex(atOrAfter: key)
    guard isFound else { return nil }
    let node = try leaf.node(index)
    guard case .tree(let record) = try leaf.value(node) else { throw PageFault(leaf.number, .valueKind) }
    return unsafe LocatedRecord(
      offset: Int(leaf.number) * pageSize + node.valueOffset,
      record: try TreeRecord(record, page: leaf.number, limit: limit))
  }

  private func read(_ number: UInt64, _ buffer: inout [UInt8]) throws(PageFault) {
    guard number >= 2, number < limit else { throw PageFault(number, .outside) }
    var failure: PageFault?
    unsafe buffer.withUnsafeMutableBytes { bytes in
      do throws(PageFault) {
        let page = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<pageSize])
        unsafe try FilePages(descriptor: file, pageSize: pageSize).read(number, into: page)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
