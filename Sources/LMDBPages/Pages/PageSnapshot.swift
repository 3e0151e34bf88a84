/// What a read transaction sees: the pages and the roots of exactly the commit with the number `id`.
package struct PageSnapshot {
  package let id: UInt64
  package let map: PageMap
  package let freeTree: TreeRecord
  package let mainTree: TreeRecord

  package init(id: UInt64, map: PageMap, freeTree: TreeRecord, mainTree: TreeRecord) {
    self.id = id
    self.map = map
    self.freeTree = freeTree
    self.mainTree = mainTree
  }

  /// Returns the number of free pages. The free list has a record for each transaction that freed some: their count,
  /// then that many page numbers. O(records).
  package func freePages() throws(PageFault) -> Int {
    guard freeTree.isPossible(limit: map.limit) else { throw PageFault(freeTree.root, .treeRecord) }
    var walk = PageWalk(map, freeTree, order: .numbers)
    var pages = 0
    while let record = unsafe try walk.next() {
      guard unsafe record.value.count >= 8 else { throw PageFault(freeTree.root, .value) }
      let count = unsafe record.value.loadUnaligned(as: UInt64.self)
      guard unsafe count < record.value.count / 8 else { throw PageFault(freeTree.root, .value) }
      pages += Int(count)
    }
    return pages
  }
}
