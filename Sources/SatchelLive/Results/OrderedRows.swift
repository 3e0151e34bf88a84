package import SatchelExecution
package import SatchelPlanning

/// Rows in the order of their sort values, in pieces, so that a row can be added or removed without moving all others.
package struct OrderedRows: Sendable {
  private let order: RowOrder
  /// Ascending pieces, none of them empty.
  private var pieces: [[SortRow]] = []
  package private(set) var count = 0

  private static let longest = 512

  /// Takes rows that are in order already.
  package init(_ rows: [SortRow], order: RowOrder) {
    self.order = order
    count = rows.count
    var start = 0
    while start < rows.count {
      let end = min(start + Self.longest / 2, rows.count)
      pieces.append(Array(rows[start..<end]))
      start = end
    }
  }

  /// Returns for how many rows `isBefore` is true. It has to be true for all rows up to some rank, and false from there
  /// on.
  /// - Complexity: O(n / 512 + log n).
  package func rank(_ isBefore: (SortRow) -> Bool) -> Int {
    var rank = 0
    for piece in pieces {
      guard let last = piece.last, isBefore(last) else { return rank + Self.index(in: piece, isBefore) }
      rank += piece.count
    }
    return rank
  }

  /// Returns the rank of a row, or the rank that it would have.
  package func rank(of row: SortRow) -> Int { rank { order.precedes($0, row) } }

  /// Returns the rows with the given ranks.
  package func references(in ranks: Range<Int>) -> [RowReference] {
    var references: [RowReference] = []
    references.reserveCapacity(ranks.count)
    var start = 0
    for piece in pieces where references.count < ranks.count {
      let inside = ranks.clamped(to: start..<(start + piece.count))
      for rank in inside { references.append(piece[rank - start].reference) }
      start += piece.count
    }
    return references
  }

  package mutating func insert(_ row: SortRow) {
    count += 1
    guard !pieces.isEmpty else {
      pieces = [[row]]
      return
    }
    let index = min(piece(of: row), pieces.count - 1)
    pieces[index].insert(row, at: Self.index(in: pieces[index]) { order.precedes($0, row) })
    guard pieces[index].count > Self.longest else { return }
    let half = pieces[index].count / 2
    let rest = Array(pieces[index][half...])
    pieces[index].removeSubrange(half...)
    pieces.insert(rest, at: index + 1)
  }

  package mutating func remove(_ row: SortRow) {
    let index = piece(of: row)
    guard index < pieces.count else { return }
    let rowIndex = Self.index(in: pieces[index]) { order.precedes($0, row) }
    guard rowIndex < pieces[index].count, pieces[index][rowIndex].reference == row.reference else { return }
    pieces[index].remove(at: rowIndex)
    if pieces[index].isEmpty { pieces.remove(at: index) }
    count -= 1
  }

  /// Returns the index of the first piece that does not end before a row.
  private func piece(of row: SortRow) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if let last = pieces[middle].last, order.precedes(last, row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func index(in piece: [SortRow], _ isBefore: (SortRow) -> Bool) -> Int {
    var low = 0
    var high = piece.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(piece[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
