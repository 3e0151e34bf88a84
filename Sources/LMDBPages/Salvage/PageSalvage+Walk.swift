/// The walk down the trees, as far as their pages are sound.
extension PageSalvage {
  /// Walks all tables, and notes the ranges of keys that are lost.
  /// - Parameter known: The records of the tables, if they are known already.
  func walkTables(_ known: [String: TreeRecord]?) throws {
    var (records, isWhole) = try known.map { ($0, true) } ?? readTables()
    summary.hasFoundTables = known != nil
    if !isWhole, let found = findTables() {
      (records, isWhole) = (found, true)
      summary.hasFoundTables = true
    }
    for name in tables.sorted() {
      guard let record = records[name] else {
        // At best the table is empty; but a store has all of its tables.
        lose(isWhole ? name : nil, [], nil, page: file.meta?.mainTree.root ?? 0)
        continue
      }
      guard !record.isEmpty else { continue }
      try walk(
        record.root, levels: record.depth, lower: [], upper: nil,
        lost: { lower, upper, page in lose(name, lower, upper, page: page) },
        entry: { page, node in
          let key = unsafe [UInt8](page.key(node))
          guard let value = value(page, node),
            unsafe key.withUnsafeBytes({ key in unsafe value.withUnsafeBytes { unsafe isIntact(key, $0) } })
          else {
            lose(name, key, key + [0], page: page.number)
            return true
          }
          reachValue(page, node)
          try found((key, value, .reached))
          return true
        })
    }
  }

  /// Returns the records of the tables in the main table, and whether all of it could be read.
  private func readTables() throws -> (records: [String: TreeRecord], isWhole: Bool) {
    guard let main = file.meta?.mainTree else { return ([:], false) }
    guard main.root != MetaPage.Tree.noRoot else { return ([:], true) }
    var records: [String: TreeRecord] = [:]
    var isWhole = true
    try walk(
      main.root, levels: main.depth, lower: [], upper: nil, lost: { _, _, _ in isWhole = false },
      entry: { page, node in
        let name = unsafe String(decoding: page.key(node), as: UTF8.self)
        guard case .tree(let bytes) = try page.value(node),
          let record = unsafe try? TreeRecord(bytes, page: page.number, limit: file.pageCount)
        else { return false }
        records[name] = record
        return true
      })
    return (records, isWhole)
  }

  /// Notes, for each page on the free list, which transaction freed it.
  func walkFreeList(_ root: UInt64, levels: Int) throws {
    try walk(root, levels: levels, lower: [], upper: nil, lost: { _, _, _ in }) { page, node in
      let key = unsafe page.key(node)
      guard key.count == 8, let value = value(page, node), value.count >= 8 else { return true }
      let transaction = unsafe UInt32(clamping: key.loadUnaligned(as: UInt64.self))
      unsafe value.withUnsafeBytes { words in
        let count = unsafe min(words.loadUnaligned(as: UInt64.self), UInt64(words.count / 8 - 1))
        for index in 0..<Int(count) {
          let number = unsafe words.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self)
          if number < file.pageCount { freedBy[Int(number)] = max(1, transaction) }
        }
      }
      return true
    }
  }

  /// Walks a page and the pages below it. `levels` is 1 for a leaf.
  /// - Parameters:
  ///   - lost: Told the range of keys below a page that cannot be read.
  ///   - entry: Given each entry of a leaf. Returns false if the entry makes no sense.
  private func walk(
    _ number: UInt64, levels: Int, lower: [UInt8], upper: [UInt8]?,
    lost: (_ lower: [UInt8], _ upper: [UInt8]?, _ page: UInt64) -> Void,
    entry: (CheckedPage, CheckedPage.Node) throws -> Bool
  ) throws {
    guard levels >= 1, levels <= MetaPage.Tree.maximumDepth, let bytes = take(number) else {
      return lost(lower, upper, number)
    }
    do {
      try withPage(bytes, number) { page in
        try page.require(levels == 1 ? .leaf : .branch)
        for index in 0..<page.count {
          let node = try page.node(index)
          if levels == 1 {
            guard try entry(page, node) else { throw PageFault(number, .value) }
            continue
          }
          let start = unsafe index == 0 ? lower : [UInt8](page.key(node))
          let end = unsafe index + 1 < page.count ? [UInt8](page.key(try page.node(index + 1))) : upper
          try walk(
            page.child(node), levels: levels - 1, lower: start, upper: end, lost: lost, entry: entry)
        }
      }
    } catch is PageFault {
      summary.damagedPages.insert(number)
      // The sweep finds what still makes sense in this page, with everything else of the range.
      reached[Int(number)] = false
      lost(lower, upper, number)
    }
  }
}
