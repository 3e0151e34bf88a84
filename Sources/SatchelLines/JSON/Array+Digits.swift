// Numbers as ASCII digits, without an intermediate `String`.
extension [UInt8] {
  /// Appends `value` in decimal.
  package mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude, digits: 1)
  }

  /// Appends `value` in decimal, with leading zeros up to `digits` digits.
  package mutating func appendDecimal(_ value: UInt64, digits: Int) {
    var width = 1
    var limit: UInt64 = 10
    while width < 20, value >= limit {
      width += 1
      // The last step would overflow; `width` is 20 by then.
      limit = limit &* 10
    }
    width = Swift.max(width, digits)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
    var rest = value
    var index = count
    while rest != 0 {
      index -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
  }

  /// Appends the lowest `digits` hexadecimal digits of `value`, in lower case.
  package mutating func appendHexadecimal(_ value: UInt64, digits: Int) {
    for digit in stride(from: digits - 1, through: 0, by: -1) {
      let nibble = UInt8(truncatingIfNeeded: value >> UInt64(4 * digit)) & 0x0F
      append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }
}
