/// The free pages of a state, in the order in which LMDB takes them for what it writes: those that were given up longest ago first, and
/// of what one transaction has given up, or was written anew in one record, the lowest first.
package struct PagesToTake: Sendable {
  package private(set) var numbers: [UInt64] = []
  /// How many free pages there are beside these, which a transaction may not take yet.
  package private(set) var tooNew = 0

  /// Reads the free list. It has a record for each transaction that has given up pages: how many there are, then their numbers, the
  /// largest first. O(free pages).
  /// - Parameter first: The number of the first transaction whose pages may not be taken.
  package init(from tree: TreeRecord, in map: PageMap, before first: UInt64) throws(PageFault) {
    guard tree.isPossible(limit: map.limit) else { throw PageFault(tree.root, .treeRecord) }
    var walk = PageWalk(map, tree, order: .numbers)
    while let record = unsafe try walk.next() {
      guard unsafe record.key.count == 8, unsafe record.value.count >= 8 else {
        throw PageFault(tree.root, .value)
      }
      let count = unsafe record.value.loadUnaligned(as: UInt64.self)
      guard unsafe count < record.value.count / 8 else { throw PageFault(tree.root, .value) }
      guard unsafe record.key.loadUnaligned(as: UInt64.self) < first else {
        tooNew += Int(count)
        continue
      }
      for index in (0..<Int(count)).reversed() {
        unsafe numbers.append(
          record.value.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self))
      }
    }
  }

  /// Returns the runs of neighbours among some of the pages, the lowest first. O(n log n).
  package static func runs(of numbers: ArraySlice<UInt64>) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    for number in numbers.sorted() {
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<number + 1
      } else {
        runs.append(number..<number + 1)
      }
    }
    return runs
  }
}
