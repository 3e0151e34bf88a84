import Satchel
import SatchelLive
import SatchelPlanning

/// What a window hangs on: the object that it lies around, the first row at a date, or the oldest row of a tail.
struct WindowPlace {
  let identifier: String
  var row: PlacedRow
  /// Of a tail: false while it is all of the results.
  var isFull = true

  init(_ object: WorldObject, _ sort: [SortKey], in world: World) {
    identifier = object.identifier
    row = PlacedRow(object, sort, in: world)
  }

  /// The number of the first of some sorted results that is at the place or after it.
  func rank(in results: [WorldObject], _ world: World) -> Int {
    results.firstIndex { !row.isBehind($0, in: world) } ?? results.count
  }

  /// The same place at its object, wherever that is now.
  func following(in world: World, _ query: QueryDescription) throws -> WindowPlace {
    guard let object = try world.object(identifier, of: query), object.reference == row.reference else {
      return self
    }
    var moved = self
    moved.row = PlacedRow(object, row.sort, in: world)
    return moved
  }
}

extension WindowPlace {
  /// The rows of a tail of `count` rows among all results, and where it hangs from now on.
  static func tail(
    _ count: Int, of results: [WorldObject], _ sort: [SortKey], at old: WindowPlace?, in world: World
  ) -> (Range<Int>, WindowPlace?) {
    guard let last = results.indices.last else { return (0..<0, nil) }
    var start = max(0, results.count - count)
    if var place = old {
      // The oldest row may go back, with no other row between where it was and where it is.
      if let now = results.firstIndex(where: { $0.reference == place.row.reference }) {
        let rank = place.rank(in: results, world)
        if now < rank, !place.isFull || now + 1 == rank {
          place.row = PlacedRow(results[now], sort, in: world)
        }
      }
      let rank = place.rank(in: results, world)
      if place.isFull, rank <= last { return (rank..<results.count, place) }
      if !place.isFull { start = min(start, rank) }
    }
    var place = WindowPlace(results[start], sort, in: world)
    place.isFull = results.count >= count
    return (start..<results.count, place)
  }

  /// The number of the first row at or after a date, by halving: where dates do not grow with the order, it depends on
  /// which rows are looked at.
  static func rank(of date: Timestamp, _ key: SortKey, in results: [WorldObject]) -> Int {
    func dateOfRow(_ object: WorldObject) -> Timestamp? {
      switch object.value {
      case .message(let message): (message.sentAt ?? message.receivedAt).map { Timestamp($0) }
      case .announcement(let announcement):
        (announcement.sentAt ?? announcement.receivedAt).map { Timestamp($0) }
      default: nil
      }
    }
    var rows = results.indices
    while !rows.isEmpty {
      let middle = rows.lowerBound + rows.count / 2
      let dated = rows[middle...].lazy.compactMap { row in dateOfRow(results[row]).map { (row, $0) } }.first
      if let (row, found) = dated, key.descending ? found > date : found < date {
        rows = (row + 1)..<rows.upperBound
      } else {
        rows = rows.lowerBound..<middle
      }
    }
    return rows.lowerBound
  }
}
