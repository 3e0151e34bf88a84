// Numbers as ASCII digits, without a String between.
extension [UInt8] {
  /// Appends `value` in decimal.
  mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude, digits: 1)
  }

  /// Appends `value` in decimal, with zeros in front until there are `digits` digits.
  mutating func appendDecimal(_ value: UInt64, digits: Int) {
    let start = count
    var rest = value
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
    while count - start < digits { append(UInt8(ascii: "0")) }
    self[start...].reverse()
  }

  /// Appends the lowest `digits` hexadecimal digits of `value`, in lower case.
  mutating func appendHexadecimal(_ value: UInt64, digits: Int) {
    for digit in stride(from: digits - 1, through: 0, by: -1) {
      let nibble = UInt8(truncatingIfNeeded: value >> UInt64(4 * digit)) & 0x0F
      append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }
}
