/// Makes inputs of inputs: the changes that libFuzzer makes, in an order that follows from a seed.
package struct Mutator {
  private var state: UInt64
  private let limit: Int

  package init(seed: UInt64, maximumBytes: Int) {
    state = seed
    limit = maximumBytes
  }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  private mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// One of the inputs, changed once or some times.
  package mutating func input(from corpus: [[UInt8]]) -> [UInt8] {
    guard !corpus.isEmpty else { return (0..<below(64)).map { _ in UInt8(truncatingIfNeeded: next()) } }
    var bytes = corpus[below(corpus.count)]
    for _ in 0...below(4) { change(&bytes, corpus) }
    return Array(bytes.prefix(limit))
  }

  /// Numbers at which arithmetic goes wrong.
  private static let numbers: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
  ]

  private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: next())) }
    let place = below(bytes.count)
    switch below(9) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: next())
    case 2: bytes[place] = bytes[place] &+ UInt8(truncatingIfNeeded: below(9)) &- 4
    case 3: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
    case 5: bytes.removeLast(bytes.count - place)
    case 6:
      let number = Self.numbers[below(Self.numbers.count)]
      let isBig = below(2) == 0
      let width = 1 << below(4)
      for index in 0..<min(width, bytes.count - place) {
        bytes[place + index] = UInt8(
          truncatingIfNeeded: number >> UInt64(8 * (isBig ? width - 1 - index : index)))
      }
    case 7:
      // A stretch of its own once more.
      let stretch = Array(bytes[place..<min(bytes.count, place + 1 + below(32))])
      bytes.insert(contentsOf: stretch, at: below(bytes.count))
    default:
      // The rest of another one.
      let other = corpus[below(corpus.count)]
      bytes.removeLast(bytes.count - place)
      bytes += other.dropFirst(below(other.count + 1))
    }
  }
}
