import SatchelLive
import TestSupport
import Testing

@Suite struct ListDifferenceTests {
  private func difference(_ before: [Int], _ after: [Int], changed: Set<Int> = []) -> ListDifference {
    let all = Set(before).union(after)
    return ListDifference(
      of: all.map {
        ListDifference.Row(
          before: before.firstIndex(of: $0), after: after.firstIndex(of: $0), isChanged: changed.contains($0))
      })
  }

  @Test func oneMovedRowIsOneMove() {
    let moved = difference([1, 2, 3, 4, 5], [2, 3, 4, 5, 1])
    #expect(moved.moves == [.init(before: 0, after: 4)])
    #expect(moved.deletes.isEmpty && moved.inserts.isEmpty && moved.updates.isEmpty)
  }

  @Test func ofTwoExchangedRowsTheChangedOneMoves() {
    #expect(difference([1, 2], [2, 1], changed: [2]).moves == [.init(before: 1, after: 0)])
    #expect(difference([1, 2], [2, 1], changed: [1]).moves == [.init(before: 0, after: 1)])
  }

  @Test func aShiftedRowIsNoMove() {
    let shifted = difference([1, 2, 3], [9, 2, 3], changed: [3])
    #expect(shifted.deletes == [0] && shifted.inserts == [0] && shifted.moves.isEmpty)
    #expect(shifted.updates == [.init(before: 2, after: 2)])
  }

  @Test func randomListsReplay() {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("random lists: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let before = Array((0..<Int.random(in: 0...12, using: &generator)).shuffled(using: &generator))
      var after = before.filter { _ in Bool.random(using: &generator) }
      for _ in 0..<Int.random(in: 0...3, using: &generator) where after.count > 1 {
        after.swapAt(0, after.count / 2)
      }
      for new in 100..<(100 + Int.random(in: 0...4, using: &generator)) {
        after.insert(new, at: Int.random(in: 0...after.count, using: &generator))
      }
      let changed = Set(before.filter { _ in Bool.random(using: &generator) })
      let result = difference(before, after, changed: changed)
      #expect(apply(result, to: before, after: after) == after, "\(before) \(after)")
      let places = result.deletes + result.moves.map(\.before) + result.updates.map(\.before)
      #expect(Set(places).count == places.count)
      // What is listed is needed: rows that keep their order are as many as can.
      let common = before.filter(after.contains)
      #expect(result.moves.count < max(1, common.count))
      for pair in result.moves + result.updates { #expect(before[pair.before] == after[pair.after]) }
      #expect(Set(result.updates.map { before[$0.before] }).isSubset(of: changed))
    }
  }
}
