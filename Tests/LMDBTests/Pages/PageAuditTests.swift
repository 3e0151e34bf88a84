import LMDBScenes
import StoreFiles
import TestSupport
import Testing

/// Damage of each kind that a write would make worse, and that checksums of records cannot see.
@Suite struct PageAuditTests {
  private static let sound = Result { try BusyStore.image(messages: 3000, seed: 7) }

  /// Damages a sound store, and returns what the check of its pages says.
  private func faults(_ damage: (inout StoreImage) throws -> Void) throws -> [String] {
    let scratch = Scratch()
    var image = try Self.sound.get()
    try damage(&image)
    image.save(scratch)
    let damaged: BusyStore
    do {
      damaged = try BusyStore(scratch, create: false)
    } catch let error as LMDBError where error.code == .corrupted {
      // Without the main table nothing can be opened.
      return [error.description]
    }
    defer { damaged.close() }
    let report = try damaged.audit()
    #expect(report.faultCount >= report.faults.count)
    return report.faults.map(\.description)
  }

  private func expect(
    _ text: String, _ location: SourceLocation = #_sourceLocation, _ damage: (inout StoreImage) throws -> Void
  ) throws {
    let faults = try faults(damage)
    #expect(faults.contains { $0.contains(text) }, "\(faults.prefix(5))", sourceLocation: location)
  }

  @Test func aSoundStoreHasNoFault() throws {
    try #expect(faults { _ in } == [])
  }

  @Test func pagesThatAreExchanged() throws {
    try expect("carries another page's number") { image in
      let leaves = image.leaves(image.tree("messages"))
      image.swapPages(leaves[2], leaves[9])
    }
    try expect("its keys do not ascend") { image in
      let leaves = image.leaves(image.tree("messages"))
      image.swapPages(leaves[2], leaves[9], keepingNumbers: true)
    }
  }

  @Test func aPageThatIsFreeTwice() throws {
    try expect("stands on the free list twice") { image in
      let numbers = image.freeNumbers()
      image[numbers[3], UInt64.self] = image[numbers[4], UInt64.self]
    }
  }

  @Test func aPageThatIsInUseAndFree() throws {
    for tree in ["messages", "nodes"] {
      try expect("it is in use and on the free list") { image in
        let pages = tree == "nodes" ? image.overflows(image.tree(tree)) : image.leaves(image.tree(tree))
        image[image.freeNumbers()[5], UInt64.self] = UInt64(pages[3])
      }
    }
  }

  @Test func aPageThatIsInUseTwice() throws {
    try expect("it is in use twice") { image in
      let leaf = image.leaves(image.tree("nodes"))[0]
      let nodes = image.nodes(leaf).filter(\.isOverflow)
      image[nodes[1].value, UInt64.self] = image[nodes[0].value, UInt64.self]
    }
  }

  @Test func pagesThatNobodyHas() throws {
    try expect("in no tree and not on the free list") { image in
      let record = try #require(image.freeRecords().first { $0.numbers.count > 16 })
      image[record.count, UInt64.self] = 0
    }
  }

  @Test func wrongCounts() throws {
    for name in ["messages", "nodes"] {
      try expect("branch pages, and it has") { $0[$0.tree(name).branchPages, UInt64.self] += 1 }
      try expect("leaf pages, and it has") { $0[$0.tree(name).leafPages, UInt64.self] -= 1 }
      try expect("overflow pages, and it has") { $0[$0.tree(name).overflowPages, UInt64.self] += 64 }
      try expect("entries, and it has") { $0[$0.tree(name).entries, UInt64.self] ^= 2 }
    }
    try expect("free list: its record says") { $0[$0.freeTree.entries, UInt64.self] += 1 }
    try expect("free list: its record says") { $0[$0.freeTree.leafPages, UInt64.self] += 1 }
  }

  @Test func aWrongDepth() throws {
    try expect("not the kind of page that belongs here") { $0[$0.tree("messages").depth, UInt16.self] -= 1 }
    try expect("not the kind of page that belongs here") { $0[$0.tree("nodes").depth, UInt16.self] += 1 }
  }

  @Test func keysOutOfOrder() throws {
    try expect("its keys do not ascend") { image in
      let nodes = image.nodes(image.leaves(image.tree("messages"))[4])
      let offset = image[nodes[2].slot, UInt16.self]
      image[nodes[2].slot, UInt16.self] = image[nodes[3].slot, UInt16.self]
      image[nodes[3].slot, UInt16.self] = offset
    }
    // A separator that is greater than the first key behind it.
    try expect("its keys do not ascend") { image in
      let branch = try #require(image.branches(image.tree("messages")).last)
      let separator = image.nodes(branch)[1]
      image.flip(bit: 0, at: separator.key.upperBound - 1)
      image.flip(bit: 1, at: separator.key.upperBound - 1)
    }
  }

  @Test func wrongLengthsOfOverflowPages() throws {
    try expect("its overflow pages do not fit its value or the file") { image in
      image[image.overflows(image.tree("nodes"))[2] * 4096 + 12, UInt32.self] = 0
    }
    try expect("it is in use twice") { image in
      let pages = image.overflows(image.tree("nodes"))
      let page = try #require(pages.first { pages.contains($0 + 1) })
      image[page * 4096 + 12, UInt32.self] = 2
    }
    try expect("its overflow pages do not fit its value or the file") { image in
      let leaf = try #require(image.leaves(image.tree("nodes")).first)
      image[image.nodes(leaf)[0].start, UInt32.self] += 4096
    }
    try expect("overflow") { image in
      let pages = image.overflows(image.tree("nodes"))
      let page = try #require(pages.first { !pages.contains($0 + 1) })
      image[page * 4096 + 12, UInt32.self] = 2
    }
  }

  @Test func wrongHeaders() throws {
    for tree in ["messages", "nodes"] {
      for part in 0..<3 {
        let pages: (StoreImage) -> Int? = { image in
          let tree = image.tree(tree)
          return [image.branches(tree).first, image.leaves(tree).last, image.overflows(tree).last][part]
        }
        // Without overflow pages a leaf of the main table.
        try expect("carries another page's number") { image in
          image.flip(bit: 3, at: (pages(image) ?? image.leaves(image.mainTree)[0]) * 4096)
        }
      }
    }
    try expect("its flags are not those") { image in
      image.flip(bit: 4, at: image.leaves(image.tree("messages"))[1] * 4096 + 10)
    }
    try expect("the bounds of its free space are impossible") { image in
      image[image.leaves(image.tree("messages"))[1] * 4096 + 14, UInt16.self] = 4096
    }
    try expect("its nodes overlap or leave gaps") { image in
      image[image.leaves(image.tree("messages"))[1] * 4096 + 14, UInt16.self] -= 2
    }
    try expect("a slot points outside its nodes") { image in
      let slot = image.nodes(image.leaves(image.tree("messages"))[1])[3].slot
      image[slot, UInt16.self] = 16
    }
  }

  @Test func wrongRecordsOfTheFreeList() throws {
    try expect("the last transaction is") { image in
      image[try #require(image.freeRecords().last).key, UInt64.self] += 1000
    }
    try expect("is no page of the store") { $0[$0.freeNumbers()[2], UInt64.self] = 1 }
    try expect("is no page of the store") { $0[$0.freeNumbers()[2], UInt64.self] = UInt64($0.lastPage) + 1 }
    try expect("and should come before it") { image in
      let record = try #require(image.freeRecords().first { $0.numbers.count > 24 })
      let first = record.numbers.lowerBound
      let number = image[first, UInt64.self]
      image[first, UInt64.self] = image[first + 8, UInt64.self]
      image[first + 8, UInt64.self] = number
    }
    try expect("and has room for") { image in
      image[try #require(image.freeRecords().first { $0.numbers.count > 24 }).count, UInt64.self] -= 1
    }
  }

  @Test func aRootThatIsAnotherTreesPage() throws {
    try expect("not the kind of page that belongs here") { image in
      image[image.tree("objects").root, UInt64.self] = UInt64(image.leaves(image.tree("messages"))[0])
    }
    try expect("impossible record of a tree") { $0[$0.tree("objects").root, UInt64.self] = 1 }
  }

  /// Counts that no file can have: sums of them do not fit a number.
  @Test(arguments: [UInt64.max, 1 << 63, UInt64.max / 2 - 1])
  func impossibleCounts(_ number: UInt64) throws {
    for name in BusyStore.databases {
      for count in [\StoreImage.Tree.branchPages, \.leafPages, \.overflowPages, \.entries] {
        try expect("its record says \(number)") { $0[$0.tree(name)[keyPath: count], UInt64.self] = number }
        try expectRefused { image in
          for name in BusyStore.databases { image[image.tree(name)[keyPath: count], UInt64.self] = number }
        }
      }
    }
  }

  /// Neither a write nor the sizes of the trees, however little of the store is looked at before the write.
  private func expectRefused(_ damage: (inout StoreImage) throws -> Void) throws {
    let scratch = Scratch()
    var image = try Self.sound.get()
    try damage(&image)
    image.save(scratch)
    for leaves in [512, 0] as [UInt64] {
      let store = try BusyStore(scratch, create: false) {
        $0.pageChecks.store = 16
        $0.pageChecks.leaves = leaves
        $0.pageChecks.namingLeaves = leaves
      }
      defer { store.close() }
      try store.environment.read { transaction in
        for database in store.all {
          #expect(code { _ = try transaction.statistics(of: database) } == .corrupted)
        }
      }
      #expect(code { try store.environment.write { _ in } } == .corrupted)
    }
  }

  /// A run of pages that many values share is not walked once for each of them.
  @Test func overflowPagesThatAllValuesShare() throws {
    let scratch = Scratch()
    var image = try Self.sound.get()
    let tree = image.tree("nodes")
    let first = try #require(image.overflows(tree).min())
    let nodes = image.leaves(tree).flatMap(image.nodes).filter(\.isOverflow)
    for node in nodes { image[node.value, UInt64.self] = UInt64(first) }
    image[first * 4096 + 12, UInt32.self] = UInt32(image.lastPage - first)
    image.save(scratch)
    let store = try BusyStore(scratch, create: false)
    defer { store.close() }
    let report = try store.audit()
    #expect(!report.isSound)
    #expect(report.faultCount < 4 * image.lastPage, "\(nodes.count) values, \(image.lastPage) pages")
  }
}
