/// Numbers of which it costs the same to ask whether one is among them, however many there are: a bit for each from the least to the
/// greatest.
package struct NumberSet: Sendable {
  private let least: UInt64
  private var bits: [UInt64]

  /// Nil if the numbers lie too far apart: the bits would take more than 4 MiB.
  package init?(_ numbers: [UInt64]) {
    guard let least = numbers.min(), let greatest = numbers.max(), greatest - least < Self.mostBits else {
      return nil
    }
    self.least = least
    bits = [UInt64](repeating: 0, count: Int((greatest - least) / 64 + 1))
    for number in numbers { bits[Int((number - least) / 64)] |= 1 << ((number - least) % 64) }
  }

  @inline(__always)
  package func contains(_ number: UInt64) -> Bool {
    let place = number &- least
    let word = place / 64
    return word < UInt64(bits.count) && bits[Int(word)] >> (place % 64) & 1 == 1
  }

  private static let mostBits: UInt64 = 32 << 20
}
