import SatchelPlanning

/// How a list changed of which no row is held: the old and new ranks of some objects.
struct RankDelta: Sendable {
  /// The ranks of an object before and after; nil if it was not or is not in the list.
  struct Entry: Sendable {
    var before: Int?
    var after: Int?
    var isChanged: Bool
  }

  var totalBefore: Int
  var totalAfter: Int
  /// The objects that came, went, moved or changed.
  var entries: [RowReference: Entry] = [:]
  /// True if it is not known what changed: the list has to be read again.
  var isReset = false

  /// The maximum number of objects. With more, reading the list again costs less than reporting them.
  static let maximumEntries = 10_000

  /// Returns one delta for two successive ones, of which this is the first.
  /// - Complexity: O(k log k) for k objects in both.
  func followed(by second: RankDelta) -> RankDelta {
    var result = RankDelta(totalBefore: totalBefore, totalAfter: second.totalAfter)
    result.isReset = isReset || second.isReset
    guard !result.isReset else { return result }
    let forward = RankMap(
      from: second.entries.values.compactMap(\.before), to: second.entries.values.compactMap(\.after))
    let back = RankMap(from: entries.values.compactMap(\.after), to: entries.values.compactMap(\.before))
    for (row, first) in entries {
      if let later = second.entries[row] {
        result.add(row, first.before, later.after, isChanged: first.isChanged || later.isChanged)
      } else {
        result.add(row, first.before, first.after.map(forward.rank), isChanged: first.isChanged)
      }
    }
    for (row, later) in second.entries where entries[row] == nil {
      result.add(row, later.before.map(back.rank), later.after, isChanged: later.isChanged)
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

  /// The difference in ranks; empty after a reset.
  var difference: ListDifference {
    ListDifference(
      of: entries.values.map {
        ListDifference.Row(before: $0.before, after: $0.after, isChanged: $0.isChanged)
      })
  }

  /// Returns the rank in the list after of a row with a given rank in the list before; nil if the row is gone, or after
  /// a reset.
  /// - Complexity: O(k log k) for k objects.
  func rank(after rank: Int) -> Int? {
    guard !isReset else { return nil }
    if let entry = entries.values.first(where: { $0.before == rank }) { return entry.after }
    return RankMap(from: entries.values.compactMap(\.before), to: entries.values.compactMap(\.after)).rank(
      of: rank)
  }
}

/// Maps the ranks of untouched rows from one list to another, if some rows have left the first list and some have come
/// to the second.
private struct RankMap {
  private let gone: [Int]
  private let come: [Int]

  init(from gone: [Int], to come: [Int]) {
    self.gone = gone.sorted()
    self.come = come.sorted()
  }

  /// Returns the rank of an untouched row in the other list.
  func rank(of rank: Int) -> Int {
    var low = 0
    var high = gone.count
    while low < high {
      let middle = (low + high) / 2
      if gone[middle] < rank { low = middle + 1 } else { high = middle }
    }
    // This is the row's rank among the untouched rows.
    let untouched = rank - low
    low = 0
    high = come.count
    while low < high {
      let middle = (low + high) / 2
      if come[middle] - middle <= untouched { low = middle + 1 } else { high = middle }
    }
    return untouched + low
  }
}
