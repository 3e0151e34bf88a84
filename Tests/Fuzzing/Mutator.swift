import TestSupport

/// Makes inputs of inputs: the changes that libFuzzer makes, in an order that follows from a seed.
package struct Mutator {
  private var random: SeededGenerator
  private let limit: Int

  package init(seed: UInt64, maximumBytes: Int) {
    random = SeededGenerator(seed: seed)
    limit = maximumBytes
  }

  /// One of the inputs, changed once or some times.
  package mutating func input(from corpus: [[UInt8]]) -> [UInt8] {
    guard !corpus.isEmpty else {
      return (0..<random.below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    var bytes = corpus[random.below(corpus.count)]
    for _ in 0...random.below(4) { change(&bytes, corpus) }
    return Array(bytes.prefix(limit))
  }

  /// Numbers at which arithmetic goes wrong.
  private static let numbers: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
  ]

  private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    let place = random.below(bytes.count)
    switch random.below(9) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes[place] = bytes[place] &+ UInt8(truncatingIfNeeded: random.below(9)) &- 4
    case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
    case 5: bytes.removeLast(bytes.count - place)
    case 6:
      let number = Self.numbers[random.below(Self.numbers.count)]
      let isBig = random.below(2) == 0
      let width = 1 << random.below(4)
      for index in 0..<min(width, bytes.count - place) {
        bytes[place + index] = UInt8(
          truncatingIfNeeded: number >> UInt64(8 * (isBig ? width - 1 - index : index)))
      }
    case 7:
      // A stretch of its own once more.
      let stretch = Array(bytes[place..<min(bytes.count, place + 1 + random.below(32))])
      bytes.insert(contentsOf: stretch, at: random.below(bytes.count))
    default:
      // The rest of another one.
      let other = corpus[random.below(corpus.count)]
      bytes.removeLast(bytes.count - place)
      bytes += other.dropFirst(random.below(other.count + 1))
    }
  }
}
