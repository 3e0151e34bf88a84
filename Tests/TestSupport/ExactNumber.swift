/// A whole multiple of 2⁻¹⁰⁷⁴ of any size: every sum of finite Doubles and integers, without an error. It is what sums are
/// compared with, and has nothing in common with how they are made: bits in an array, added like on paper.
package struct ExactNumber: Sendable, Equatable {
  /// The bits of the magnitude, the least first; the last one is 1.
  private var bits: [Bool] = []
  private var isNegative = false

  package init() {}

  /// Makes the number of a finite Double.
  package init(_ double: Double) {
    // The significand is a whole number from 2⁵² on, or that of the least exponent.
    let place = double.isZero || double.isSubnormal ? 0 : Int(double.exponent) + 1022
    let significand = double.isSubnormal ? 0 : UInt64(1) << 52
    self.init(double.significandBitPattern | (double.isZero ? 0 : significand), from: place, double < 0)
  }

  package init(_ integer: Int64) { self.init(integer.magnitude, from: 1074, integer < 0) }

  private init(_ magnitude: UInt64, from place: Int, _ isNegative: Bool) {
    bits = [Bool](repeating: false, count: place)
    for bit in 0..<64 as Range<UInt64> { bits.append(magnitude >> bit & 1 == 1) }
    self.isNegative = isNegative
    trim()
  }

  private mutating func trim() {
    while bits.last == false { bits.removeLast() }
    if bits.isEmpty { isNegative = false }
  }

  package static prefix func - (number: Self) -> Self {
    var negated = number
    negated.isNegative = !number.isNegative
    negated.trim()
    return negated
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = ExactNumber()
    if left.isNegative == right.isNegative {
      var carry = 0
      for index in 0...max(left.bits.count, right.bits.count) {
        let digit = left.bit(index) + right.bit(index) + carry
        sum.bits.append(digit & 1 == 1)
        carry = digit >> 1
      }
      sum.isNegative = left.isNegative
    } else {
      let isLeftGreater = isLess(right.bits, left.bits)
      let (greater, less) = isLeftGreater ? (left, right) : (right, left)
      var borrow = 0
      for index in greater.bits.indices {
        let digit = greater.bit(index) - less.bit(index) - borrow
        sum.bits.append(digit & 1 == 1)
        borrow = digit < 0 ? 1 : 0
      }
      sum.isNegative = greater.isNegative
    }
    sum.trim()
    return sum
  }

  private func bit(_ index: Int) -> Int { index < bits.count && bits[index] ? 1 : 0 }

  private static func isLess(_ left: [Bool], _ right: [Bool]) -> Bool {
    if left.count != right.count { return left.count < right.count }
    for index in left.indices.reversed() where left[index] != right[index] { return right[index] }
    return false
  }

  /// Returns whether a number is less than another.
  package static func isLess(_ left: Self, _ right: Self) -> Bool { (left + -right).isNegative }

  /// The integer that the number is, if Int64 has it.
  package var integer: Int64? {
    guard !bits.prefix(1074).contains(true) else { return nil }
    var value: Int64 = 0
    for bit in bits.dropFirst(1074).reversed() {
      let (double, isOver) = value.multipliedReportingOverflow(by: 2)
      // Taken away rather than added, since −2⁶³ has no opposite.
      let (next, isOverAgain) = double.subtractingReportingOverflow(bit ? 1 : 0)
      if isOver || isOverAgain { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The Double that is nearest, of two the one with an even significand; infinity from half a step beyond the greatest one.
  package var nearest: Double {
    // The Doubles from 0 on are in the order of their bits. The greatest one that is not greater is looked for.
    var magnitude = self
    magnitude.isNegative = false
    var (low, high): (UInt64, UInt64) = (0, Double.infinity.bitPattern)
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if Self.isLess(magnitude.bits, ExactNumber(Double(bitPattern: middle)).bits) {
        high = middle
      } else {
        low = middle
      }
    }
    let floor = ExactNumber(Double(bitPattern: low))
    let step = ExactNumber(Double(bitPattern: low).ulp)
    let rest = magnitude + -floor
    let half = rest + rest + -step
    let isUp = !half.bits.isEmpty && !half.isNegative || half.bits.isEmpty && low & 1 == 1
    let nearest = Double(bitPattern: isUp ? low + 1 : low)
    return isNegative ? -nearest : nearest
  }
}

extension SeededGenerator {
  /// Returns a finite Double of any size: some that nearly cancel one another, some below the least normal one, some whole ones.
  package mutating func finiteDouble() -> Double {
    switch below(6) {
    case 0: return Double(Int64(truncatingIfNeeded: next()) >> Int64(below(64)))
    case 1: return Double(bitPattern: next() & (1 << 63 | 1 << 52 - 1))
    case 2:
      return pick([
        1e308, -1e308, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p-1074, -0.0, 0.1, -0.2,
      ])
    default:
      let double = Double(bitPattern: next())
      return double.isFinite ? double : Double(below(1000)) / 8
    }
  }
}
