import SatchelExecution
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Where a tail begins.
struct TailPlace: Sendable {
  /// The oldest row when the tail was hung on it. What comes before this point of the order is not in the window, even
  /// if the row itself is gone.
  var oldest: SortRow
  /// False while the query has fewer results than the tail takes: the window is then all of them, and rows come in
  /// before the oldest one, too.
  var isFull: Bool
}

extension LiveState {
  /// Returns the rank of the first row of a tail of `count` rows, and hangs the tail on that row if it has none.
  func tailStart(of count: Int, total: Int, _ executor: Executor) throws -> Int {
    guard total > 0 else {
      tail = nil
      return 0
    }
    var start = max(0, total - count)
    if var place = tail {
      var rank = try result.rank(of: place.oldest, total: total, executor)
      if let moved = try movedBack(place, rank, total: total, executor) {
        (place.oldest, rank) = moved
      }
      if place.isFull, rank < total {
        tail = place
        return rank
      }
      // What has been shown so far stays.
      if !place.isFull { start = min(start, rank) }
    }
    tail = try place(at: start, isFull: total >= count, total: total, executor)
    return start
  }

  /// Returns the oldest row and its new rank, if it has moved towards the beginning of the list and can be taken along
  /// without other rows. So a message that gets its position from the service stays in the window.
  private func movedBack(_ place: TailPlace, _ rank: Int, total: Int, _ executor: Executor) throws -> (
    SortRow, Int
  )? {
    let reference = place.oldest.reference
    guard try executor.snapshot.shows(reference, question.kind) else { return nil }
    let row = try SortRowReader(question, in: executor.snapshot).row(reference)
    guard row.keys != place.oldest.keys, RowOrder(question).precedes(row, place.oldest) else { return nil }
    let now = try result.rank(of: row, total: total, executor)
    guard now < total, !place.isFull || now + 1 == rank,
      try result.rows(in: now..<(now + 1), total: total, executor).first == reference
    else { return nil }
    return (row, now)
  }

  private func place(at rank: Int, isFull: Bool, total: Int, _ executor: Executor) throws -> TailPlace? {
    guard let reference = try result.rows(in: rank..<(rank + 1), total: total, executor).first else {
      return nil
    }
    return TailPlace(
      oldest: try SortRowReader(question, in: executor.snapshot).row(reference), isFull: isFull)
  }

  /// Returns where a tail begins that has been loaded again; nil to hang it on a row anew.
  func tail(from old: LiveState?, _ executor: Executor) throws -> TailPlace? {
    guard case .tail = specification.window, let old, case .tail = old.specification.window,
      old.specification.query == specification.query, let place = old.tail
    else { return nil }
    switch specification.place {
    case .anew: return nil
    case .kept: return place
    case .older(let rows):
      let total = try result.total(in: executor.snapshot)
      guard place.isFull, total > 0 else { return place }
      let rank = try result.rank(of: place.oldest, total: total, executor)
      let first = min(max(0, rank - rows), total - 1)
      return try self.place(at: first, isFull: true, total: total, executor)
    }
  }
}
