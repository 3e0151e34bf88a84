import SatchelModel
import SatchelQuery
import TestSupport
import Testing

@Suite struct SetTests {
  /// Sets of small integers, and of the two ends of Int64, against sets that hold each member.
  @Test func integersAgainstBruteForce() {
    var random = SeededGenerator()
    let universe: [Int64] = Array(-12...12) + [.min, .min + 1, .min + 2, .max - 2, .max - 1, .max]
    func randomRanges() -> [ClosedRange<Int64>] {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        let one = universe.randomElement(using: &random) ?? 0
        let other = Bool.random(using: &random) ? one : universe.randomElement(using: &random) ?? 0
        return min(one, other)...max(one, other)
      }
    }
    for _ in 0..<TestEnvironment.rounds(2000) {
      let (left, right) = (randomRanges(), randomRanges())
      let (one, other) = (IntegerSet(left), IntegerSet(right))
      for set in [one, other, one.complement, one.union(other), one.intersection(other)] {
        for (range, next) in zip(set.ranges, set.ranges.dropFirst()) {
          #expect(range.upperBound < next.lowerBound - 1, "\(set)")
        }
      }
      for value in universe {
        let isLeft = left.contains { $0.contains(value) }
        let isRight = right.contains { $0.contains(value) }
        #expect(one.contains(value) == isLeft)
        #expect(one.complement.contains(value) == !isLeft)
        #expect(one.union(other).contains(value) == (isLeft || isRight))
        #expect(one.intersection(other).contains(value) == (isLeft && isRight))
      }
      #expect(one.complement.complement == one)
      #expect(one.union(one.complement).isAll)
      #expect(one.intersection(one.complement).isEmpty)
      #expect(one.complement.union(other.complement) == one.intersection(other).complement)
      #expect(IntegerSet.union([one, other, one]) == one.union(other))
      #expect(IntegerSet.intersection([one, other, one]) == one.intersection(other))
    }
  }

  @Test func integerShapes() {
    #expect(IntegerSet([1...2, 3...4, 9...9]).ranges == [1...4, 9...9])
    #expect(IntegerSet(values: [3, 1, 3, 7]).points == [1, 3, 7])
    #expect(IntegerSet(values: [3, 1, 2]).ranges == [1...3])
    #expect(IntegerSet(values: [1, 2]).points == nil)
    #expect(IntegerSet.empty.points == [])
    #expect(IntegerSet.all.complement == .empty)
    #expect(IntegerSet.intersection([]) == .all)
    #expect(IntegerSet.union([]) == .empty)
    #expect(IntegerSet([.min ... -1, 0 ... .max]).isAll)
  }

  /// Sets of byte strings over an alphabet of three bytes, two of them the extremes, against their definition.
  @Test func bytesAgainstBruteForce() {
    var random = SeededGenerator()
    let alphabet: [UInt8] = [0, 1, 0xFF]
    var universe: [[UInt8]] = [[]]
    var layer: [[UInt8]] = [[]]
    for _ in 0..<3 {
      layer = layer.flatMap { prefix in alphabet.map { prefix + [$0] } }
      universe += layer
    }
    func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
    func randomRanges() -> [ByteRange] {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let lower = universe.randomElement(using: &random) ?? []
        switch Int.random(in: 0...3, using: &random) {
        case 0: return ByteRange(lower: lower, upper: nil)
        case 1: return ByteRange(lower: lower, upper: lower + [0])
        default: return ByteRange(lower: lower, upper: universe.randomElement(using: &random) ?? [])
        }
      }
    }
    func holds(_ ranges: [ByteRange], _ bytes: [UInt8]) -> Bool {
      ranges.contains { range in
        !isLess(bytes, range.lower) && (range.upper.map { isLess(bytes, $0) } ?? true)
      }
    }
    for _ in 0..<TestEnvironment.rounds(2000) {
      let (left, right) = (randomRanges(), randomRanges())
      let (one, other) = (ByteRanges(left), ByteRanges(right))
      let (complement, union, intersection) = (one.complement, one.union(other), one.intersection(other))
      for set in [one, other, complement, union, intersection] {
        for range in set.ranges {
          #expect(range.upper.map { isLess(range.lower, $0) } ?? true, "\(set)")
        }
        for (range, next) in zip(set.ranges, set.ranges.dropFirst()) {
          #expect(range.upper.map { isLess($0, next.lower) } == true, "\(set)")
        }
      }
      for bytes in universe {
        let (isLeft, isRight) = (holds(left, bytes), holds(right, bytes))
        #expect(one.contains(bytes) == isLeft)
        #expect(complement.contains(bytes) == !isLeft)
        #expect(union.contains(bytes) == (isLeft || isRight))
        #expect(intersection.contains(bytes) == (isLeft && isRight))
      }
      for range in other.ranges {
        let common = one.intersection(ByteRanges([range]))
        #expect(one.meets(range) == !common.isEmpty)
        #expect(one.covers(range) == (common == ByteRanges([range])))
      }
      #expect(ByteRanges.intersection([one, other, union]) == intersection)
      #expect(complement.complement == one)
      #expect(one.union(complement).isAll)
      #expect(one.intersection(complement).isEmpty)
    }
    for prefix in universe {
      let set = ByteRanges(prefix: prefix)
      for bytes in universe { #expect(set.contains(bytes) == bytes.starts(with: prefix)) }
    }
  }

  @Test func byteShapes() {
    #expect(ByteRanges(points: [[2], [1], [2]]).points == [[1], [2]])
    #expect(ByteRanges(points: [[1], [1, 0]]).points == nil)
    #expect(ByteRanges(points: [[1], [1, 0]]).ranges == [ByteRange(lower: [1], upper: [1, 0, 0])])
    #expect(ByteRanges(points: [[]]).points == [[]])
    #expect(ByteRanges(prefix: []).isAll)
    #expect(ByteRanges(prefix: [0xFF]).ranges == [ByteRange(lower: [0xFF], upper: nil)])
    #expect(ByteRanges(prefix: [1, 0xFF]).ranges == [ByteRange(lower: [1, 0xFF], upper: [2])])
    #expect(ByteRanges(from: [2], upTo: [1]).isEmpty)
    #expect(ByteRanges.all.points == nil)
  }
}
