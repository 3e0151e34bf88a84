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
    for (index, isDescending) in descending.enumerated() {
      let (first, second) = (left.keys[index], right.keys[index])
      if first < second { return !isDescending }
      if second < first { return isDescending }
    }
    return tieDescending ? right.reference < left.reference : left.reference < right.reference
  }
}
