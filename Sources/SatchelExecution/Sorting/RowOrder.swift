package import SatchelPlanning
import SatchelQuery

/// A row with its sort values.
package struct SortRow: Sendable {
  package let keys: [SortValue]
  package let reference: RowReference
}

/// The total order of a query's rows: its sort keys, then the creation order.
package struct RowOrder: Sendable {
  let descending: [Bool]
  let tieDescending: Bool

  package init(_ question: Question) {
    descending = question.sort.map(\.descending)
    tieDescending = question.tieDescending
  }

  package func precedes(_ left: SortRow, _ right: SortRow) -> Bool {
    for (place, isDescending) in descending.enumerated() {
      let (first, second) = (left.keys[place], right.keys[place])
      if first < second { return !isDescending }
      if second < first { return isDescending }
    }
    return tieDescending ? right.reference < left.reference : left.reference < right.reference
  }
}

/// Collects rows and returns them sorted. With a bound, it holds no more rows than the bound.
struct RowCollector {
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
  consuming func sorted() -> [SortRow] {
    var all = bound == nil ? rows : heap.elements
    all.sort(by: order.precedes)
    return all
  }
}
