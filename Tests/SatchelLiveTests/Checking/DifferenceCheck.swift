import SatchelLive
import SatchelPlanning

/// What the difference of two lists has to be, worked out row by row.
struct DifferenceCheck {
  private let before: [RowReference]
  private let after: [RowReference]
  /// The rows of both lists that have changed in what counts.
  private let changed: Set<RowReference>
  /// The rows of both lists that are in another section now: they move.
  private let resectioned: Set<RowReference>

  init(_ before: ExpectedList, _ after: ExpectedList, comparesValues: Bool) {
    self.before = before.rows.map(\.object.reference)
    self.after = after.rows.map(\.object.reference)
    let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.object.reference, $0) })
    resectioned = Set(
      after.rows.compactMap { row in
        old[row.object.reference].flatMap { $0.section != row.section ? row.object.reference : nil }
      })
    changed = Set(
      after.rows.compactMap { row in
        guard let old = old[row.object.reference] else { return nil }
        let isChanged =
          row.watched != old.watched || comparesValues && row.object.value != old.object.value
        return isChanged ? row.object.reference : nil
      })
  }

  /// How a difference is not as it has to be.
  func mismatch(with difference: ListDifference) -> String? {
    let places = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1, $0) })
    let earlier = Set(before)
    if difference.deletes != before.indices.filter({ places[before[$0]] == nil }) {
      return "deletes \(difference.deletes)"
    }
    if difference.inserts != after.indices.filter({ !earlier.contains(after[$0]) }) {
      return "inserts \(difference.inserts)"
    }
    for pair in difference.moves + difference.updates {
      guard before.indices.contains(pair.before), after.indices.contains(pair.after),
        before[pair.before] == after[pair.after]
      else { return "\(pair) are different rows" }
    }
    let moved = Set(difference.moves.map(\.before))
    let updated = Set(difference.updates.map(\.before))
    if moved.count != difference.moves.count || updated.count != difference.updates.count
      || !moved.isDisjoint(with: updated)
    {
      return "a row is there twice: \(difference)"
    }
    if apply(difference, to: before, after: after) != after { return "the replayed list is another one" }
    let survivors = before.indices.filter { places[before[$0]] != nil }
    let kept = survivors.filter { !moved.contains($0) }
    let weight = survivors.count + 1
    func weigh(_ place: Int) -> Int { changed.contains(before[place]) ? 1 : weight }
    if kept.contains(where: { resectioned.contains(before[$0]) }) { return "a row of another section stays" }
    let best = Self.heaviest(
      survivors.filter { !resectioned.contains(before[$0]) }.map { (places[before[$0]] ?? 0, weigh($0)) })
    let found = kept.reduce(0) { $0 + weigh($1) }
    if found != best { return "moves \(difference.moves): \(found) stay in order, \(best) could" }
    let wanted = kept.filter { changed.contains(before[$0]) }
    if difference.updates.map(\.before) != wanted {
      return "updates of \(difference.updates.map(\.before)), wanted \(wanted)"
    }
    return nil
  }

  /// The weight of the heaviest ascending subsequence.
  private static func heaviest(_ rows: [(place: Int, weight: Int)]) -> Int {
    if zip(rows, rows.dropFirst()).allSatisfy({ $0.place < $1.place }) {
      return rows.reduce(0) { $0 + $1.weight }
    }
    var best: [Int] = []
    for (index, row) in rows.enumerated() {
      var most = 0
      for earlier in 0..<index where rows[earlier].place < row.place { most = max(most, best[earlier]) }
      best.append(most + row.weight)
    }
    return best.max() ?? 0
  }
}
