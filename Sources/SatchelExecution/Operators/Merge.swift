import RankedIndex
import RankedKeys
import SatchelJoins
import SatchelPlanning

/// Merges the runs of an index that each have the query's order, such as "sent by one of three users, by date".
struct MergeScanner {
  private let scanner: IndexScanner
  private let descending: Bool
  private let keyColumns: Int
  private let fixedColumns: Int

  init(_ scanner: IndexScanner, descending: Bool) {
    self.scanner = scanner
    self.descending = descending
    keyColumns = scanner.scan.index.tree.keyColumns
    fixedColumns = scanner.scan.fixedColumns
  }

  /// A run that is being read: a batch of its rows, and the index of the next row in it.
  private struct Run {
    var remaining: [KeyRange]
    var rows: [Words] = []
    var next = 0
    var head: Words { rows[next] }
  }

  /// Calls `body` with each row in order until it returns false.
  func forEach(_ body: (inout RowContext) throws -> Bool) throws -> Bool {
    var runs: [Run] = []
    var prefix: [UInt64]?
    for span in scanner.scan.spans {
      let own = Array(span.lower.prefix(fixedColumns))
      if own == prefix {
        runs[runs.count - 1].remaining.append(span.range)
      } else {
        runs.append(Run(remaining: [span.range]))
        prefix = own
      }
    }
    for index in runs.indices where descending { runs[index].remaining.reverse() }
    var heap = BinaryHeap<(head: Words, run: Int)> { precedes($0.head, $1.head) }
    for index in runs.indices where try refill(&runs[index]) { heap.insert((runs[index].head, index)) }
    var context = RowContext()
    while let (words, index) = heap.first {
      context.begin(scanner.layout.reference(words), words)
      guard try body(&context) else { return false }
      runs[index].next += 1
      if try runs[index].next < runs[index].rows.count || refill(&runs[index]) {
        heap.replaceFirst(with: (runs[index].head, index))
      } else {
        heap.removeFirst()
      }
    }
    return true
  }

  /// Reads the run's next batch, from just after the last row that the run gave; returns false if there are no more
  /// rows.
  private func refill(_ run: inout Run) throws -> Bool {
    while let range = run.remaining.first {
      if !run.rows.isEmpty { try scanner.snapshot.checkBounds() }
      var cursor = try scanner.forest.cursor(scanner.scan.index.tree)
      let last = run.rows.last
      run.rows.removeAll(keepingCapacity: true)
      run.next = 0
      if descending {
        try cursor.seek(to: last.map { .before($0, columns: keyColumns) } ?? range.upper)
        _ = try cursor.readBack(into: &run.rows, downTo: range.lower, limit: IndexScanner.batch)
      } else {
        try cursor.seek(to: last.map { .after($0, columns: keyColumns) } ?? range.lower)
        _ = try cursor.read(into: &run.rows, upTo: range.upper, limit: IndexScanner.batch)
      }
      if !run.rows.isEmpty { return true }
      run.remaining.removeFirst()
    }
    return false
  }

  private func precedes(_ left: Words, _ right: Words) -> Bool {
    for column in fixedColumns..<keyColumns where left[column] != right[column] {
      return (left[column] < right[column]) != descending
    }
    return false
  }
}
