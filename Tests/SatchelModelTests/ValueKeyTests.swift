import SatchelModel
import TestSupport
import Testing

/// The order of metadata's values, against exact arithmetic that knows nothing of keys.
@Suite struct ValueKeyTests {
  /// Compares an integer with a number exactly: the number is split into its whole part and the rest.
  private func order(_ integer: Int64, _ number: Double) -> Int {
    if number >= 0x1p63 { return -1 }
    if number < -0x1p63 { return 1 }
    let whole = Int64(number.rounded(.down))
    if integer != whole { return integer < whole ? -1 : 1 }
    return number > number.rounded(.down) ? -1 : 0
  }

  private func order(_ left: MetadataValue, _ right: MetadataValue) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.number(let left), .number(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .number(let right)): order(left, right)
    case (.number(let left), .integer(let right)): -order(right, left)
    case (.boolean(let left), .boolean(let right)): left == right ? 0 : left ? 1 : -1
    case (.date(let left), .date(let right)): left < right ? -1 : left == right ? 0 : 1
    default: rank(left) - rank(right)
    }
  }

  private func rank(_ value: MetadataValue) -> Int {
    switch value {
    case .boolean: 0
    case .integer, .number: 1
    case .date: 2
    default: 3
    }
  }

  private static func value(_ random: inout SeededGenerator) -> MetadataValue {
    let bases: [Int64] = [
      0, 1, -1, 5, 1 << 52, 1 << 53, 1 << 54, 1 << 62, .max, .min, -(1 << 53), 1 << 32,
    ]
    let base = bases[random.below(bases.count)]
    switch random.below(10) {
    case 0: return .boolean(random.oneIn(2))
    case 1: return .date(Timestamp(microseconds: base &+ Int64(random.below(5)) &- 2))
    case 2...4: return .integer(base &+ Int64(random.below(2100)) &- 1050)
    case 5: return .integer(Int64(bitPattern: random.next() >> UInt64(random.below(64))))
    case 6, 7: return .number(Double(base) + [0, 0.5, -0.5, 1, -1, 1024, -1024][random.below(7)])
    case 8:
      return .number(
        [-0.0, 0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1][
          random.below(6)])
    default:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : 1)
    }
  }

  @Test func keysAreInTheOrderOfTheValues() throws {
    var random = SeededGenerator()
    let values = (0..<TestEnvironment.rounds(600)).map { _ in Self.value(&random) }
    for left in values {
      let key = try #require(MetadataScalar(left)?.key)
      #expect(ValueKey(bytes: key.bytes) == key, "\(left)")
      #expect(key.bytes.count <= ValueKey.maximumBytes)
      #expect(key.value?.key == key && key.value?.value == left, "\(left)")
      for right in values {
        let other = try #require(MetadataScalar(right)?.key)
        let expected = order(left, right)
        #expect((key < other) == (expected < 0), "\(left) and \(right)")
        #expect((key == other) == (expected == 0), "\(left) and \(right)")
        #expect((left == right) == (expected == 0), "\(left) and \(right)")
        #expect(
          key.bytes.lexicographicallyPrecedes(other.bytes) == (expected < 0), "\(left) and \(right)")
        if left == right { #expect(left.hashValue == right.hashValue) }
      }
    }
  }

  @Test func smallNumbersHaveShortKeys() {
    #expect(ValueKey(0 as Int64).bytes == [3, 0x80])
    #expect(ValueKey(5 as Int64).bytes == [3, 0xC0, 0x14])
    #expect(ValueKey(-5 as Int64).bytes == [3, 0x3F, 0xEC])
    #expect(ValueKey(5 as Int64) == ValueKey(5.0))
    #expect(ValueKey(.nan) == nil)
    #expect(ValueKey(1_000_000 as Int64).bytes.count <= 6)
  }

  @Test func bytesThatAreNoKeyAreRefused() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(20_000) {
      let bytes = (0..<random.below(13)).map { _ in
        random.oneIn(2) ? UInt8(random.below(6)) : UInt8(truncatingIfNeeded: random.next())
      }
      guard let key = ValueKey(bytes: bytes) else { continue }
      #expect(key.bytes == bytes, "\(bytes)")
    }
    for bytes: [UInt8] in [
      [], [0], [1, 0], [2, 1], [3], [3, 0x80, 0], [3, 0x7F, 0xFF, 0], [4], [4, 1, 2], [5, 65],
      [3, 0xFF, 0xF0], [3, 0, 0x10],
    ] {
      #expect(ValueKey(bytes: bytes) == nil, "\(bytes)")
    }
  }
}
