/// The rows with the greatest scores of all that are shown to it; of equal ones the first.
struct BestRows {
  struct Row: Sendable {
    let score: Double
    let row: UInt64

    /// Whether it comes before another one.
    func precedes(_ other: Row) -> Bool {
      score > other.score || score == other.score && row < other.row
    }
  }

  private let limit: Int
  private var rows: [Row] = []
  /// The last of the best; nil as long as there may be fewer.
  private var last: Row?

  /// - Parameter limit: How many are wanted.
  init(atMost limit: Int) { self.limit = limit }

  /// Whether a row is none of the best, and so are all that it precedes.
  func excludes(_ row: Row) -> Bool { last.map { !row.precedes($0) } ?? false }

  /// Shows it a row. Rows come in any order.
  /// - Complexity: O(log limit) on average.
  mutating func insert(_ row: Row) {
    if limit == 0 || excludes(row) { return }
    rows.append(row)
    if rows.count / 2 >= max(limit, 16) { cut() }
  }

  /// Returns the best, the greatest score first.
  mutating func sorted() -> [Row] {
    cut()
    return rows
  }

  private mutating func cut() {
    rows.sort { $0.precedes($1) }
    guard rows.count >= limit else { return }
    rows.removeLast(rows.count - limit)
    last = rows.last
  }
}
