/// The pages of a snapshot that no database has: the free ones, and those of LMDB's own trees.
package struct PagesAside: Sendable, Hashable {
  /// Pages that one transaction has given up, and that none has used since.
  package struct Freed: Sendable, Hashable {
    package let transaction: UInt64
    package let pages: Int
  }

  /// The free pages in the file, the earliest first.
  package private(set) var freed: [Freed] = []
  /// How many of the free pages are the last ones: without them the file would be shorter.
  package private(set) var freeAtEnd = 0
  /// The meta pages, the table of databases, and the free list.
  package let ownPages: Int
  /// All pages of the snapshot that the file has.
  package let pages: Int

  /// Reads the free list of a snapshot. It has a record for each transaction that has given up pages: how many there are, then
  /// their numbers. O(free pages).
  package init(of snapshot: PageSnapshot) throws(PageFault) {
    let (map, freeTree) = (snapshot.map, snapshot.freeTree)
    pages = Int(clamping: map.limit)
    let main = try DatabaseStatistics(snapshot.mainTree, limit: map.limit)
    ownPages = try 2 + main.pages + DatabaseStatistics(freeTree, limit: map.limit).pages
    guard freeTree.isPossible(limit: map.limit) else { throw PageFault(freeTree.root, .treeRecord) }
    var numbers: [UInt64] = []
    var walk = PageWalk(map, freeTree, order: .numbers)
    while let record = unsafe try walk.next() {
      guard unsafe record.key.count == 8, unsafe record.value.count >= 8 else {
        throw PageFault(freeTree.root, .value)
      }
      let count = unsafe record.value.loadUnaligned(as: UInt64.self)
      guard unsafe count < record.value.count / 8 else { throw PageFault(freeTree.root, .value) }
      let before = numbers.count
      for index in 0..<Int(count) {
        let number = unsafe record.value.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self)
        // What a transaction has taken behind the file's end and given up again was never written.
        if number < map.limit { numbers.append(number) }
      }
      let transaction = unsafe record.key.loadUnaligned(as: UInt64.self)
      freed.append(Freed(transaction: transaction, pages: numbers.count - before))
    }
    numbers.sort(by: >)
    while freeAtEnd < numbers.count, numbers[freeAtEnd] == map.limit - 1 - UInt64(freeAtEnd) {
      freeAtEnd += 1
    }
  }
}
