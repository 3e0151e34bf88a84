extension JSONReader {
  /// Reads a number. Its first byte, a digit or a minus sign, is the next byte.
  mutating func readNumber(_ bytes: RawSpan) throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    let integerStart = position
    if skip(UInt8(ascii: "0"), bytes) {
      if let byte = peek(bytes), Self.isDigit(byte) { throw error("no digit behind a leading zero", bytes) }
    } else {
      try skipDigits(bytes)
    }
    let integerEnd = position

    var fractionEnd = integerEnd
    if skip(UInt8(ascii: "."), bytes) {
      try skipDigits(bytes)
      fractionEnd = position
    }
    var exponent = 0
    if skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) {
      exponent = try readExponent(bytes)
    }

    let digits = Digits(integerStart..<integerEnd, fraction: min(integerEnd + 1, fractionEnd)..<fractionEnd)
    let integer = Self.integer(digits, exponent: exponent, isNegative: isNegative, bytes)
    if let integer, position == integerEnd { return .integer(integer) }
    let literal = unsafe bytes.extracting(start..<position).withUnsafeBytes {
      unsafe String(decoding: $0, as: UTF8.self)
    }
    let number = JSONNumber(literal: literal)
    return integer.map { .whole($0, number) } ?? .number(number)
  }

  /// Skips one or more digits.
  private mutating func skipDigits(_ bytes: RawSpan) throws(JSONError) {
    guard let first = peek(bytes), Self.isDigit(first) else { throw error("a digit", bytes) }
    repeat { position += 1 } while position < bytes.byteCount && Self.isDigit(bytes[position])
  }

  /// Reads what follows the `e`. Beyond 10^9 the exact value no longer matters.
  private mutating func readExponent(_ bytes: RawSpan) throws(JSONError) -> Int {
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    if !isNegative { _ = skip(UInt8(ascii: "+"), bytes) }
    let start = position
    try skipDigits(bytes)
    var exponent = 0
    for offset in start..<position where exponent < 1_000_000_000 {
      exponent = exponent * 10 + Int(bytes[offset] & 0x0F)
    }
    return isNegative ? -exponent : exponent
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  /// The offsets of a number's digits before and after the decimal point.
  private struct Digits {
    let integer: Range<Int>
    let fraction: Range<Int>

    init(_ integer: Range<Int>, fraction: Range<Int>) {
      self.integer = integer
      self.fraction = fraction
    }
  }

  /// Returns the number as an `Int64` if that is exactly its value, or else nil.
  private static func integer(
    _ digits: Digits, exponent: Int, isNegative: Bool, _ bytes: RawSpan
  ) -> Int64? {
    var value: Int64 = 0
    // Zeros that were read and not yet multiplied in: the exponent may cancel zeros at the end.
    var zeros = 0
    func append(_ byte: UInt8) -> Bool {
      guard byte != UInt8(ascii: "0") else {
        zeros += value == 0 ? 0 : 1
        return true
      }
      guard let shifted = scale(value, zeros: zeros + 1) else { return false }
      let digit = Int64(byte & 0x0F)
      let (sum, overflow) =
        isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      (value, zeros) = (sum, 0)
      return !overflow
    }
    for offset in digits.integer {
      guard append(bytes[offset]) else { return nil }
    }
    for offset in digits.fraction {
      guard append(bytes[offset]) else { return nil }
    }
    let power = exponent - digits.fraction.count + zeros
    if value == 0 { return 0 }
    return power < 0 ? nil : scale(value, zeros: power)
  }

  /// Returns `value` with `zeros` zeros appended, or nil if that is too large.
  private static func scale(_ value: Int64, zeros: Int) -> Int64? {
    if value == 0 { return 0 }
    guard zeros <= 18 else { return nil }
    var value = value
    for _ in 0..<zeros {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
    }
    return value
  }
}
