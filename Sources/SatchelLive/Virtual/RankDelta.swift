import SatchelPlanning

/// How a list of which no row is held became another: the places that some objects had and have.
struct RankDelta: Sendable {
  /// Where an object was and is; nil where it was or is none of the list's.
  struct Entry: Sendable {
    var before: Int?
    var after: Int?
    var isChanged: Bool
  }

  var totalBefore: Int
  var totalAfter: Int
  /// The objects that came, went, moved or changed.
  var entries: [RowReference: Entry] = [:]
  /// True when it is not known what changed: the list has to be read anew.
  var isReset = false

  /// From this many objects on, reading anew costs less than telling them.
  static let maximumEntries = 10_000

  /// One delta for two, this one first.
  /// - Complexity: O(k log k) for k objects in both.
  func followed(by second: RankDelta) -> RankDelta {
    var result = RankDelta(totalBefore: totalBefore, totalAfter: second.totalAfter)
    result.isReset = isReset || second.isReset
    guard !result.isReset else { return result }
    let forward = PlaceMap(
      from: second.entries.values.compactMap(\.before), to: second.entries.values.compactMap(\.after))
    let back = PlaceMap(from: entries.values.compactMap(\.after), to: entries.values.compactMap(\.before))
    for (row, first) in entries {
      if let later = second.entries[row] {
        result.add(row, first.before, later.after, isChanged: first.isChanged || later.isChanged)
      } else {
        result.add(row, first.before, first.after.map(forward.place), isChanged: first.isChanged)
      }
    }
    for (row, later) in second.entries where entries[row] == nil {
      result.add(row, later.before.map(back.place), later.after, isChanged: later.isChanged)
    }
    if result.entries.count > Self.maximumEntries {
      result.isReset = true
      result.entries = [:]
    }
    return result
  }

  private mutating func add(_ row: RowReference, _ before: Int?, _ after: Int?, isChanged: Bool) {
    guard before != nil || after != nil else { return }
    entries[row] = Entry(before: before, after: after, isChanged: isChanged)
  }

  /// The difference in places; a reset is every row gone and every row new.
  var difference: ListDifference {
    ListDifference(
      of: entries.values.map {
        ListDifference.Row(before: $0.before, after: $0.after, isChanged: $0.isChanged)
      })
  }

  /// Where a row of the list before is in the list after, if it is still there and the list is known.
  func place(after place: Int) -> Int? {
    guard !isReset else { return nil }
    if let entry = entries.values.first(where: { $0.before == place }) { return entry.after }
    return PlaceMap(from: entries.values.compactMap(\.before), to: entries.values.compactMap(\.after)).place(
      place)
  }
}

/// Where rows that nobody touched are in another list, when some rows have left the one and some have come to the other.
private struct PlaceMap {
  private let gone: [Int]
  private let come: [Int]

  init(from gone: [Int], to come: [Int]) {
    self.gone = gone.sorted()
    self.come = come.sorted()
  }

  /// The place of an untouched row.
  func place(_ place: Int) -> Int {
    var low = 0
    var high = gone.count
    while low < high {
      let middle = (low + high) / 2
      if gone[middle] < place { low = middle + 1 } else { high = middle }
    }
    // The row is the one at this place among the untouched ones.
    let untouched = place - low
    low = 0
    high = come.count
    while low < high {
      let middle = (low + high) / 2
      if come[middle] - middle <= untouched { low = middle + 1 } else { high = middle }
    }
    return untouched + low
  }
}
