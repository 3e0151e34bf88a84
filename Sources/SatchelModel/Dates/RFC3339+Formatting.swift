extension RFC3339 {
  /// Appends a point in time in UTC. A fraction of a second is written only if it is not zero, without trailing
  /// zeros: `2024-09-14T02:11:00Z`, `2024-09-14T02:11:00.25Z`.
  package static func append(microseconds: Int64, to output: inout [UInt8]) throws(OutOfRange) {
    guard range.contains(microseconds) else { throw OutOfRange(microseconds: microseconds) }
    appendAny(microseconds: microseconds, to: &output)
  }

  /// Returns the same text as a string.
  package static func format(microseconds: Int64) throws(OutOfRange) -> String {
    var bytes: [UInt8] = []
    try append(microseconds: microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of any point in time; a year outside 0000 to 9999 is a sign and six digits.
  package static func text(of timestamp: Timestamp) -> String {
    var bytes: [UInt8] = []
    appendAny(microseconds: timestamp.microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func appendAny(microseconds: Int64, to output: inout [UInt8]) {
    let (seconds, fraction) = floorDivided(microseconds, by: microsecondsInSecond)
    let (days, secondOfDay) = floorDivided(seconds, by: secondsInDay)
    let date = date(days: days)
    let hasFourDigits = (0...9999).contains(date.year)
    if !hasFourDigits { output.append(date.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")) }
    append(date.year.magnitude, digits: hasFourDigits ? 4 : 6, to: &output)
    output.append(UInt8(ascii: "-"))
    append(date.month.magnitude, digits: 2, to: &output)
    output.append(UInt8(ascii: "-"))
    append(date.day.magnitude, digits: 2, to: &output)
    output.append(UInt8(ascii: "T"))
    append(secondOfDay.magnitude / 3_600, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(secondOfDay.magnitude / 60 % 60, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(secondOfDay.magnitude % 60, digits: 2, to: &output)
    if fraction != 0 {
      output.append(UInt8(ascii: "."))
      append(fraction.magnitude, digits: 6, to: &output)
      while output.last == UInt8(ascii: "0") { output.removeLast() }
    }
    output.append(UInt8(ascii: "Z"))
  }

  /// Returns the quotient rounded down, and the remainder, which is not negative.
  private static func floorDivided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Appends a number in decimal, with leading zeros. It must not need more digits than these.
  private static func append(_ value: UInt64, digits: Int, to output: inout [UInt8]) {
    var rest = value
    output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
    for digit in 1...digits {
      output[output.count - digit] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}
