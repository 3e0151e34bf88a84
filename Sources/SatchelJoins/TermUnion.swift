internal import SatchelReading

/// The rows of one of several terms, merged as they are wanted. A term whose rows are all behind the current one is not opened.
///
/// Rows ascend, as those of `TermRows` do.
final class TermUnion {
  /// The current row; `SearchStream.end` behind the last one.
  private(set) var row: UInt64 = 0

  private let join: SearchJoin
  private let kept: KeptTerms?
  private let search: TermSearch
  /// Terms that are not among the kept ones, or have pending rows: these are given twice then.
  private let others: [[UInt8]]
  /// Those that have not been opened, the nearest last.
  private var waiting: [Waiting]
  /// What has one row alone has no stream.
  private var open = BinaryHeap<(row: UInt64, rows: TermRows?)> { $0.row < $1.row }
  private var moves = 0

  /// A term, with a row that none of its rows is before.
  private struct Waiting {
    let bound: UInt64
    /// Where it begins among the kept ones, or less than 0 the complement of its place among the others.
    let place: Int
    /// The complement of its bound is its only row.
    var isOne = false
  }

  /// - Parameter search: It has looked through the kept terms, if there are some, and through all others.
  init(_ search: TermSearch, _ kept: KeptTerms?, of join: SearchJoin, descending: Bool) {
    self.join = join
    self.kept = kept
    self.search = search
    let mask = SearchStream.mask(descending: descending)
    others = Array(search.others)
    waiting = others.indices.map { Waiting(bound: 0, place: ~$0) }
    for place in search.places {
      guard let rows = kept?.rows(ofTermAt: place) else { continue }
      let nearest = descending ? rows.last : rows.first
      let bound = nearest <= mask || !descending ? nearest ^ mask : 0
      waiting.append(Waiting(bound: bound, place: place, isOne: rows.isOne && nearest == bound ^ mask))
    }
    // Of equal ones in the order of the tree: their leaves lie side by side.
    waiting.sort { ($0.bound, $0.place) > ($1.bound, $1.place) }
  }

  /// Moves to the first row that is not before a target.
  func advance(to target: UInt64) throws {
    moves += 1
    while let first = open.first, first.row < target {
      try first.rows?.advance(to: target)
      if let row = first.rows?.row, row < SearchStream.end {
        open.replaceFirst(with: (row, first.rows))
      } else {
        open.removeFirst()
      }
    }
    while let next = waiting.last, next.bound <= open.first?.row ?? SearchStream.end {
      waiting.removeLast()
      if next.isOne {
        guard next.bound >= target, try join.has(next.bound, term(next)) else { continue }
        open.insert((next.bound, nil))
        continue
      }
      let rows = try join.rows(ofTerm: term(next))
      try rows.advance(to: target)
      if rows.row < SearchStream.end { open.insert((rows.row, rows)) }
    }
    row = open.first?.row ?? SearchStream.end
  }

  /// Whether so many rows have been wanted that it takes less to read all of them at once: see ``allRows()``.
  var isLong: Bool { moves > 1024 + search.count / 4 }

  /// Returns all rows of all terms, those before the current one, too.
  func allRows() throws -> [UInt64] { try join.collected(search.terms(kept)) }

  private func term(_ waiting: Waiting) -> [UInt8] {
    waiting.place < 0 ? others[~waiting.place] : kept?.term(at: waiting.place) ?? []
  }
}
