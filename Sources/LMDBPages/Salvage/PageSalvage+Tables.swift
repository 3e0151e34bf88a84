/// The search for the tables, when the pages that lead to them are lost.
extension PageSalvage {
  /// An entry of which every state of the file has one version, and the number that tells a later version.
  ///
  /// It is safe to hold: the function is given the bytes of an array, and only while it runs.
  @safe package struct Version {
    let table: String
    let key: [UInt8]
    let number: (_ value: UnsafeRawBufferPointer) -> UInt64?

    package init(
      table: String, key: [UInt8], number: @escaping (_ value: UnsafeRawBufferPointer) -> UInt64?
    ) {
      self.table = table
      self.key = key
      unsafe self.number = number
    }
  }

  /// Returns the trees of the newest state of the file of which all pages exist. Each commit has written the records of
  /// its trees into a page of its own, and those of the last commit are unchanged.
  func findTables() -> [String: TreeRecord]? {
    var states: [(number: UInt64, records: [String: TreeRecord])] = []
    for page in 2..<max(2, file.pageCount) where freedBy[Int(page)] == 0 {
      guard let records = records(inPage: page), let root = records[version.table],
        let number = lookUp(version.key, in: root).flatMap({ unsafe $0.withUnsafeBytes(version.number) })
      else { continue }
      states.append((number, records))
    }
    states.sort { $0.number > $1.number }
    return states.prefix(Self.mostStates).first { state in
      state.records.values.allSatisfy { isWhole($0) }
    }?.records
  }

  /// Returns the records of all wanted tables, if a page has them.
  private func records(inPage number: UInt64) -> [String: TreeRecord]? {
    guard let bytes = file.page(number) else { return nil }
    let records = try? withPage(bytes, number) { page in
      try page.require(.leaf)
      var records: [String: TreeRecord] = [:]
      for index in 0..<page.count {
        let node = try page.node(index)
        guard case .tree(let bytes) = try page.value(node) else { throw PageFault(number, .valueKind) }
        let name = unsafe String(decoding: page.key(node), as: UTF8.self)
        records[name] = unsafe try TreeRecord(bytes, page: number, limit: file.pageCount)
      }
      return records.filter { tables.contains($0.key) }
    }
    return records?.count == tables.count ? records : nil
  }

  /// Returns the value of a key in a tree, if the pages on the way are sound.
  private func lookUp(_ key: [UInt8], in tree: TreeRecord) -> [UInt8]? {
    var number = tree.root
    for level in stride(from: tree.depth, to: 0, by: -1) {
      guard let bytes = file.page(number) else { return nil }
      let found: (next: UInt64?, value: [UInt8]?)? = try? withPage(bytes, number) { page in
        try page.require(level == 1 ? .leaf : .branch)
        var next: UInt64?
        for index in 0..<page.count {
          let node = try page.node(index)
          let found = unsafe [UInt8](page.key(node))
          if level > 1 {
            if index > 0, key.lexicographicallyPrecedes(found) { break }
            next = try page.child(node)
          } else if found == key {
            return (nil, value(page, node))
          }
        }
        return (next, nil)
      }
      if level == 1 { return found?.value }
      guard let next = found?.next else { return nil }
      number = next
    }
    return nil
  }

  /// Whether a tree has all of its entries, each of them intact.
  private func isWhole(_ tree: TreeRecord) -> Bool {
    guard !tree.isEmpty else { return true }
    var entries: UInt64 = 0
    var isWhole = true
    var seen = PageSet(limit: file.pageCount)
    func walk(_ number: UInt64, _ levels: Int) {
      guard isWhole, number >= 2, number < file.pageCount, seen.insert(number),
        let bytes = file.page(number)
      else {
        isWhole = false
        return
      }
      do {
        try withPage(bytes, number) { page in
          try page.checkWhole(order: .bytes)
          try page.require(levels == 1 ? .leaf : .branch)
          for index in 0..<page.count {
            let node = try page.node(index)
            if levels > 1 {
              walk(try page.child(node), levels - 1)
            } else if let value = value(page, node),
              unsafe value.withUnsafeBytes({ unsafe isIntact(page.key(node), $0) })
            {
              entries += 1
            } else {
              isWhole = false
            }
          }
        }
      } catch {
        isWhole = false
      }
    }
    walk(tree.root, tree.depth)
    return isWhole && entries == tree.entries
  }

  /// How many states are checked as a whole. The last one is whole unless it is damaged, and so is the one before.
  private static let mostStates = 4
}
