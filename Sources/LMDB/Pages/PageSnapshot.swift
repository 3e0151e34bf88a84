/// What a read transaction sees: the pages and the roots of exactly the commit that it is named after.
struct PageSnapshot {
  let id: UInt64
  let map: PageMap
  let freeTree: TreeRecord
  let mainTree: TreeRecord

  /// How many pages the free list has: it is a record for each transaction that freed some, of a number and so many numbers.
  /// O(records).
  func freePages() throws(PageFault) -> Int {
    guard freeTree.isPossible(limit: map.limit) else { throw PageFault(freeTree.root, .treeRecord) }
    var walk = PageWalk(map, freeTree, order: .numbers)
    var pages = 0
    while let record = try walk.next() {
      guard record.value.count >= 8 else { throw PageFault(freeTree.root, .value) }
      let count = record.value.loadUnaligned(as: UInt64.self)
      guard count < record.value.count / 8 else { throw PageFault(freeTree.root, .value) }
      pages += Int(count)
    }
    return pages
  }
}
