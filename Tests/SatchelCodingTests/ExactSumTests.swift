import SatchelCoding
import SatchelModel
import TestSupport
import Testing

/// Sums are those of numbers of any size, whatever was added before and taken away again.
@Suite struct ExactSumTests {
  private static func add(_ scalar: MetadataScalar, _ factor: Int64 = 1, to sum: inout ExactSum) {
    ExactSum.forEachLimb(of: scalar) { limb, amount in
      #expect(limb < ExactSum.limbs && amount != 0 && amount.magnitude < 1 << 24)
      sum.add(factor * amount, to: limb)
    }
  }

  private static func exact(_ scalar: MetadataScalar) -> ExactNumber {
    switch scalar {
    case .integer(let integer): ExactNumber(integer)
    case .number(let bits): ExactNumber(Double(bitPattern: bits))
    case .boolean, .date: ExactNumber()
    }
  }

  private static func rounded(_ exact: ExactNumber) -> MetadataScalar {
    exact.integer.map { .integer($0) } ?? .number(bits: exact.nearest.bitPattern)
  }

  private static func sum(_ doubles: [Double]) -> MetadataScalar {
    var sum = ExactSum()
    for double in doubles { add(.number(bits: double.bitPattern), to: &sum) }
    return sum.value
  }

  private static func number(_ double: Double) -> MetadataScalar { .number(bits: double.bitPattern) }

  /// Found by hand.
  @Test func examples() {
    #expect(Self.sum([]) == .integer(0))
    #expect(Self.sum([-0.0]) == .integer(0))
    #expect(Self.sum([0.1]) == Self.number(0.1))
    #expect(Self.sum([0.1, 0.2]) == Self.number(0.30000000000000004))
    #expect(Self.sum([0.1, 0.2, -0.3]) == Self.number(2.7755575615628914e-17))
    #expect(Self.sum([Double](repeating: 0.1, count: 10)) == Self.number(1.0000000000000000555))
    #expect(Self.sum([1e308, 1e308, -1e308]) == Self.number(1e308))
    #expect(Self.sum([1e308, 1, -1e308]) == .integer(1))
    #expect(Self.sum([1e308, 1e308]) == Self.number(.infinity))
    #expect(Self.sum([-1e308, -1e308]) == Self.number(-.infinity))
    #expect(Self.sum([.greatestFiniteMagnitude, 0x1p969]) == Self.number(.greatestFiniteMagnitude))
    #expect(Self.sum([.greatestFiniteMagnitude, 0x1p970]) == Self.number(.infinity))
    #expect(Self.sum([0x1p-1074, -0x1p-1073]) == Self.number(-0x1p-1074))
    #expect(Self.sum([0x1p-1022, -0x1p-1074]) == Self.number(Double.leastNormalMagnitude.nextDown))
    #expect(Self.sum([0x1p63]) == Self.number(0x1p63))
    #expect(Self.sum([-0x1p63]) == .integer(.min))
    // Halves go to the even one, and anything more to the greater.
    #expect(Self.sum([0x1p53, 0.5]) == Self.number(0x1p53))
    #expect(Self.sum([0x1p53 + 2, 1.5]) == Self.number(0x1p53 + 4))
    #expect(Self.sum([0x1p54, 2.5]) == Self.number(0x1p54 + 4))
    #expect(Self.sum([0x1p80, 0x1p27]) == Self.number(0x1p80))
    #expect(Self.sum([0x1p80, 0x1p27, 0x1p-1074]) == Self.number(0x1p80.nextUp))
    #expect(Self.sum([0x1p80.nextUp, 0x1p27]) == Self.number(0x1p80.nextUp.nextUp))
  }

  @Test func integersStayExact() {
    var sum = ExactSum()
    Self.add(.integer(.max), to: &sum)
    #expect(sum.value == .integer(.max))
    Self.add(.integer(.max), to: &sum)
    #expect(sum.value == Self.number(0x1p64))
    Self.add(.integer(.min), to: &sum)
    #expect(sum.value == .integer(.max - 1))
    Self.add(.integer(.min), to: &sum)
    #expect(sum.value == .integer(-2))
    Self.add(.integer(.min), to: &sum)
    #expect(sum.value == Self.number(-0x1p63))
    Self.add(.integer(2), to: &sum)
    #expect(sum.value == .integer(.min))
    Self.add(.boolean(true), to: &sum)
    Self.add(.date(5), to: &sum)
    #expect(sum.value == .integer(.min))
    Self.add(Self.number(.infinity), to: &sum)
    Self.add(Self.number(.nan), to: &sum)
    #expect(sum.value == .integer(.min))
  }

  /// More than a limb could hold at once.
  @Test func manyNumbers() {
    var sum = ExactSum()
    Self.add(Self.number(0.1), 1 << 38, to: &sum)
    #expect(sum.value == Self.number(0.1 * 0x1p38))
    Self.add(.integer(.max), -(1 << 38), to: &sum)
    Self.add(Self.number(0.1), -(1 << 38), to: &sum)
    #expect(sum.value == Self.number(-0x1p101))
    Self.add(.integer(.max), 1 << 38, to: &sum)
    #expect(sum.value == .integer(0))
  }

  /// Of limbs that no numbers make, there is a sum as well.
  @Test func damagedLimbs() {
    for amounts: [Int64] in [[.min], [.max], [-1], [.min, .max], [.max, .min], [-1, .min, 1]] {
      var sum = ExactSum()
      for limb in 0..<UInt8(ExactSum.limbs) { sum.add(amounts[Int(limb) % amounts.count], to: limb) }
      #expect(sum.value != .integer(0), "\(amounts)")
    }
  }

  @Test func randomNumbersInAnyOrder() {
    var random = SeededGenerator(for: "exact sums")
    for _ in 0..<300 {
      var numbers: [MetadataScalar] = []
      var exact = ExactNumber()
      var sum = ExactSum()
      for _ in 0..<random.below(40) {
        if random.percent(40), !numbers.isEmpty {
          let gone = numbers.remove(at: random.below(numbers.count))
          exact = exact + -Self.exact(gone)
          Self.add(gone, -1, to: &sum)
        } else {
          let scalar: MetadataScalar =
            random.percent(30)
            ? .integer(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
            : Self.number(random.finiteDouble())
          numbers.append(scalar)
          exact = exact + Self.exact(scalar)
          Self.add(scalar, to: &sum)
        }
        #expect(sum.value == Self.rounded(exact), "\(numbers)")
      }
      var again = ExactSum()
      for scalar in numbers.shuffled(using: &random) { Self.add(scalar, to: &again) }
      #expect(again.value == sum.value, "\(numbers)")
      for scalar in numbers.shuffled(using: &random) { Self.add(scalar, -1, to: &again) }
      #expect(again.value == .integer(0))
    }
  }

  // MARK: Entries

  /// Texts of entries are in the order of their groups, then of their values; and no group's begin like another's.
  @Test func textsOfEntries() {
    var random = SeededGenerator(for: "texts of entries")
    func group() -> AggregateGroup {
      switch random.below(5) {
      case 0: .missing
      case 1: .integer(Int64(random.below(5)) - 2)
      case 2: .scalar(ValueKey(random.finiteDouble()) ?? .list)
      default: AggregateGroup((0..<random.below(4)).map { _ in random.pick([0, 1, 0x61, 0x7F] as [UInt8]) })
      }
    }
    for _ in 0..<20_000 {
      let (first, second) = ((group(), group()), (group(), group()))
      let texts = [first, second].map { entry in
        AggregateEntryText(entry.0, .value(entry.1 == .missing ? .integer(7) : entry.1))
      }
      for text in texts {
        #expect(AggregateEntryText(bytes: text.bytes, .minimum) == text)
        #expect(AggregateEntryText(bytes: text.bytes, .maximum) == text)
        let prefix = AggregateEntryText.prefix(of: text.group, .minimum)
        #expect(AggregateEntryText.endOfPrefix(text.bytes) == prefix.count)
        #expect(AggregateEntryText.group(ofPrefix: prefix[...]) == text.group)
      }
      let expected =
        texts[0].group == texts[1].group
        ? Self.value(texts[0]).lexicographicallyPrecedes(Self.value(texts[1]))
        : texts[0].group.bytes.lexicographicallyPrecedes(texts[1].group.bytes)
      #expect(texts[0].bytes.lexicographicallyPrecedes(texts[1].bytes) == expected, "\(texts)")
      let prefix = AggregateEntryText.prefix(of: texts[0].group, .minimum)
      #expect(texts[1].bytes.starts(with: prefix) == (texts[0].group == texts[1].group), "\(texts)")
    }
  }

  private static func value(_ entry: AggregateEntryText) -> [UInt8] {
    if case .value(let value) = entry.part { value.bytes } else { [] }
  }

  @Test(
    arguments: [
      ([], .exactSum), ([0, 0], .exactSum), ([0, 0, 88], .exactSum), ([0, 0, 1, 1], .exactSum),
      ([2, 0x61, 0, 1, 5], .exactSum), ([2, 0x61, 0, 0], .minimum), ([2, 0x61, 0, 0, 1, 5], .maximum),
      ([2, 0x61, 0], .minimum), ([3, 0, 0, 2, 0x61], .minimum), ([2, 0xFF, 0, 0, 2, 0x61], .maximum),
      ([3], .count),
      ([1, 5], .sum),
    ] as [([UInt8], AggregateEntry.Measure)])
  func bytesThatAreNoEntry(_ bytes: [UInt8], _ measure: AggregateEntry.Measure) {
    #expect(AggregateEntryText(bytes: bytes, measure) == nil)
  }
}
