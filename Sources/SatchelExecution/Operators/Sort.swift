import SatchelJoins
import SatchelReading

/// Collects rows and gives them back sorted. With a bound, only the first rows in order are held, no more than the
/// bound: the top-N of a question with a limit.
struct Sort {
  private let order: RowOrder
  private let bound: Int?
  private var rows: [SortRow] = []
  private var heap: BinaryHeap<SortRow>

  init(_ order: RowOrder, atMost bound: Int?) {
    self.order = order
    self.bound = bound
    // The first row of the heap is the last one in order: a row that precedes it pushes it out.
    heap = BinaryHeap { order.precedes($1, $0) }
  }

  mutating func insert(_ row: SortRow) {
    guard let bound else {
      rows.append(row)
      return
    }
    if heap.count < bound {
      heap.insert(row)
    } else if let worst = heap.first, order.precedes(row, worst) {
      heap.replaceFirst(with: row)
    }
  }

  /// Returns the rows in order.
  /// - Throws: What `Snapshot.checkBounds` of the rows' snapshot throws, which is called between many comparisons.
  consuming func sorted(in snapshot: Snapshot) throws -> [SortRow] {
    var all = bound == nil ? rows : heap.elements
    var comparisons = 0
    try all.sort { left, right in
      comparisons &+= 1
      if comparisons & 0x3FFF == 0 { try snapshot.checkBounds() }
      return order.precedes(left, right)
    }
    return all
  }
}
