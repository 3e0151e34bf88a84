package import SatchelModel

/// A sum of integers and Doubles, without an error: what is rounded is the result, once.
///
/// Every finite Double and every Int64 is a whole multiple of 2⁻¹⁰⁷⁴, the least Double above 0. A sum is a row of limbs of
/// 24 bits, of which each is added up by itself: limb *n* counts units of 2^(24 *n* − 1074). A number adds to at most four of
/// them, to each less than 2²⁴ of its own sign, so that an Int64 holds the limb of 2³⁹ numbers. Nothing is carried before the
/// sum is read: the limbs depend on the numbers alone, in whatever order they have come, and taking one away is adding
/// its negative.
package struct ExactSum: Sendable {
  /// The number of limbs that numbers add to: 2¹⁰²³ is in the last one.
  package static let limbs = 88

  private static let limbBits = 24
  private static let mask: UInt64 = 1 << 24 - 1
  /// The place of the 1 among the bits of all limbs.
  private static let one = 1074

  private var limbs = [Int64](repeating: 0, count: Self.limbs)

  package init() {}

  /// Adds to a limb, which must be one of `limbs`. Wraps around.
  package mutating func add(_ amount: Int64, to limb: UInt8) { limbs[Int(limb)] &+= amount }

  /// Calls `body` with each limb that a number adds to, and how much; never for 0, or for a value that is no finite number.
  package static func forEachLimb(of scalar: MetadataScalar, _ body: (_ limb: UInt8, _ amount: Int64) -> Void)
  {
    var rest: UInt64
    let place: Int
    let isNegative: Bool
    switch scalar {
    case .integer(let integer):
      (rest, place, isNegative) = (integer.magnitude, one, integer < 0)
    case .number(let bits):
      let double = Double(bitPattern: bits)
      guard double.isFinite else { return }
      let exponent = Int(double.exponentBitPattern)
      rest = double.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
      (place, isNegative) = (max(exponent, 1) - 1, double.sign == .minus)
    case .boolean, .date: return
    }
    var limb = UInt8(place / limbBits)
    var shift = UInt64(place % limbBits)
    while rest != 0 {
      let amount = Int64(rest << shift & mask)
      if amount != 0 { body(limb, isNegative ? -amount : amount) }
      rest >>= UInt64(limbBits) - shift
      shift = 0
      limb += 1
    }
  }

  /// The sum: an integer if it is one that Int64 has, otherwise the nearest Double, of two that are as near the one whose
  /// last bit is 0; infinity if it is beyond the range of Double.
  package var value: MetadataScalar {
    let (digits, isNegative) = magnitude
    guard let last = digits.lastIndex(where: { $0 != 0 }) else { return .integer(0) }
    let top = last * Self.limbBits + 63 - digits[last].leadingZeroBitCount
    if top < Self.one + 64, Self.isZero(digits, below: Self.one) {
      let integer = Self.bits(digits, from: Self.one)
      if isNegative, integer <= 1 << 63 { return .integer(Int64(truncatingIfNeeded: 0 &- integer)) }
      if let integer = Int64(exactly: integer), !isNegative { return .integer(integer) }
    }
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    // The 53 bits of a Double from `lowest` on. What has fewer than 53 is one as it is: its bits are those of the Double.
    let lowest = max(top - 52, 0)
    var bits = Self.bits(digits, from: lowest)
    if lowest > 0 {
      let isOdd = bits & 1 == 1
      let isHalfOrMore = Self.bits(digits, from: lowest - 1) & 1 == 1
      // The exponent is one more than `lowest`: the first of the 53 bits, which Doubles leave out, adds the one. A carry of
      // the rounding goes where it belongs.
      bits += UInt64(lowest) << 52
      if isHalfOrMore, isOdd || !Self.isZero(digits, below: lowest - 1) { bits += 1 }
    }
    return .number(bits: sign | min(bits, Double.infinity.bitPattern))
  }

  /// The limbs with what they carry: each from 0 to 2²⁴ − 1, of the sum without its sign.
  private var magnitude: (digits: [UInt64], isNegative: Bool) {
    var digits: [UInt64] = []
    var carry: Int64 = 0
    func carryOn(_ limb: Int64) {
      let low = limb & Int64(Self.mask) + carry & Int64(Self.mask)
      digits.append(UInt64(low) & Self.mask)
      carry = limb >> Int64(Self.limbBits) + carry >> Int64(Self.limbBits) + low >> Int64(Self.limbBits)
    }
    for limb in limbs { carryOn(limb) }
    while carry != 0, carry != -1 { carryOn(0) }
    guard carry < 0 else { return (digits, false) }
    // The digits are those of 2^(24 n) + the sum.
    var borrowed: UInt64 = 1
    for index in digits.indices {
      let digit = digits[index] ^ Self.mask + borrowed
      digits[index] = digit & Self.mask
      borrowed = digit >> UInt64(Self.limbBits)
    }
    return (digits + [borrowed], true)
  }

  /// Returns the 64 bits from a place on.
  private static func bits(_ digits: [UInt64], from place: Int) -> UInt64 {
    var result: UInt64 = 0
    var index = place / limbBits
    var shift = -(place % limbBits)
    while index < digits.count, shift < 64 {
      result |= digits[index] << shift
      index += 1
      shift += limbBits
    }
    return result
  }

  /// Returns whether all bits before a place are 0.
  private static func isZero(_ digits: [UInt64], below place: Int) -> Bool {
    let index = place / limbBits
    return digits[..<min(index, digits.count)].allSatisfy { $0 == 0 }
      && (index >= digits.count || digits[index] & (1 << UInt64(place % limbBits) - 1) == 0)
  }
}
