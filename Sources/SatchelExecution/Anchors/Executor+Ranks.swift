import SatchelModel
package import SatchelPlanning

extension Executor {
  /// Returns the index of an object in the results of a question; nil if the object is not one of them.
  /// - Complexity: O(log n) for each run of an index, if the results are runs of one that each have the question's
  ///   order. Otherwise the objects that may meet the condition are tested one by one, and not sorted. With an anchor,
  ///   the results up to the object are read.
  package func rank(ofObject identifier: String, _ question: Question) throws -> Int? {
    guard let row = try locate(identifier, question), try isResult(row, question) else { return nil }
    guard question.anchor == nil else { return try index(of: row, plan(question)) }
    var earlier = question
    earlier.anchor = .before(identifier)
    earlier.limit = nil
    earlier.offset = 0
    let index = try (countBesideAnchor(plan(earlier)) ?? countEarlier(than: row, question)) - question.offset
    return index >= 0 && index < question.limit ?? .max ? index : nil
  }

  /// Returns how many results come before one of them, whatever order they are read in.
  private func countEarlier(than row: RowReference, _ question: Question) throws -> Int {
    let plan = try planOfAll(question)
    let object = try SortRowReader(question, in: snapshot).row(row)
    let reader = SortKeyReader(question.sort, of: question.kind, on: plan.path.index, in: snapshot)
    let order = RowOrder(question)
    var count = 0
    try RowFilter(source(of: plan)).forEach { row in
      if order.precedes(try reader.row(&row), object) { count += 1 }
      return true
    }
    return count
  }

  private func index(of row: RowReference, _ plan: Plan) throws -> Int? {
    var index = 0
    var isFound = false
    try forEach(plan) { found in
      isFound = found == row
      if !isFound { index += 1 }
      return !isFound
    }
    return isFound ? index : nil
  }
}
