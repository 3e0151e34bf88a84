extension RFC3339 {
  /// Appends a point in time in UTC. A fraction of a second is written only if it is not zero, without trailing
  /// zeros: `2024-09-14T02:11:00Z`, `2024-09-14T02:11:00.25Z`.
  package static func append(microseconds: Int64, to output: inout [UInt8]) throws(OutOfRange) {
    guard range.contains(microseconds) else { throw OutOfRange(microseconds: microseconds) }
    // Counted from the start of the year 0000, so that no remainder is negative.
    let sinceYearZero = UInt64(microseconds - range.lowerBound)
    let (seconds, fraction) = sinceYearZero.quotientAndRemainder(dividingBy: UInt64(microsecondsInSecond))
    let (daysSinceYearZero, secondOfDay) = seconds.quotientAndRemainder(dividingBy: UInt64(secondsInDay))
    let firstDay = range.lowerBound / (microsecondsInSecond * secondsInDay)
    let date = date(days: firstDay + Int64(daysSinceYearZero))

    output.appendDecimal(UInt64(date.year), digits: 4)
    output.append(UInt8(ascii: "-"))
    output.appendDecimal(UInt64(date.month), digits: 2)
    output.append(UInt8(ascii: "-"))
    output.appendDecimal(UInt64(date.day), digits: 2)
    output.append(UInt8(ascii: "T"))
    output.appendDecimal(secondOfDay / 3_600, digits: 2)
    output.append(UInt8(ascii: ":"))
    output.appendDecimal(secondOfDay / 60 % 60, digits: 2)
    output.append(UInt8(ascii: ":"))
    output.appendDecimal(secondOfDay % 60, digits: 2)
    if fraction != 0 {
      output.append(UInt8(ascii: "."))
      output.appendDecimal(fraction, digits: 6)
      while output.last == UInt8(ascii: "0") { output.removeLast() }
    }
    output.append(UInt8(ascii: "Z"))
  }

  /// Returns the same text as a string.
  package static func format(microseconds: Int64) throws(OutOfRange) -> String {
    var bytes: [UInt8] = []
    try append(microseconds: microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
