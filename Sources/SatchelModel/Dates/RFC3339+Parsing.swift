extension RFC3339 {
  /// Returns the microseconds since 1970 that `text` stands for: `2024-09-14T02:11:00.25Z`, or with an offset such as
  /// `+02:00` instead of `Z`.
  ///
  /// Any number of fractional digits is read and rounded to the nearest microsecond, a half up. `T` and `Z` may be in
  /// lower case, as the standard allows. Every field is checked. Second 60 is refused, because a leap second has no
  /// microsecond of its own.
  /// - Parameter anyYear: Whether the year may also be a sign and six digits, and the point in time any that has
  ///   microseconds in 64 bits.
  package static func parse(_ text: String, anyYear: Bool = false) throws(Invalid) -> Int64 {
    var text = text
    let result: Result<Int64, Invalid> = text.withUTF8 { buffer in
      do throws(Invalid) {
        return unsafe .success(try parse(buffer.span, anyYear: anyYear))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns the same from the bytes of a text.
  package static func parse(_ text: Span<UInt8>, anyYear: Bool = false) throws(Invalid) -> Int64 {
    var fields = Fields()
    let year = try fields.year(text, anyYear: anyYear)
    try fields.skip("-", text)
    let month = try fields.number(text, digits: 2, in: 1...12, "a month, 01 to 12")
    try fields.skip("-", text)
    let lastDay = daysInMonth(month, year: year)
    let day = try fields.number(text, digits: 2, in: 1...lastDay, "a day of the month, 01 to \(lastDay)")
    try fields.skip("T", orLowerCase: true, text)
    let hour = try fields.number(text, digits: 2, in: 0...23, "an hour, 00 to 23")
    try fields.skip(":", text)
    let minute = try fields.number(text, digits: 2, in: 0...59, "a minute, 00 to 59")
    try fields.skip(":", text)
    let second = try fields.number(text, digits: 2, in: 0...59, "a second, 00 to 59")
    let fraction = try fields.fraction(text)
    let offset = try fields.offset(text)
    guard fields.position == text.count else {
      throw Invalid(offset: fields.position, expected: "the end")
    }

    let days = days(year: year, month: month, day: day)
    let seconds = days * secondsInDay + hour * 3_600 + minute * 60 + second - offset
    // In 128 bits: whole seconds may be outside the range of Int64 where the sum with the fraction is inside.
    let microseconds = Int64(exactly: Int128(seconds) * Int128(microsecondsInSecond) + Int128(fraction))
    guard let microseconds, anyYear || range.contains(microseconds) else {
      throw Invalid(
        offset: 0,
        expected: anyYear
          ? "a point in time within 292,000 years of 1970"
          : "a point in time in the years 0000 to 9999 of UTC")
    }
    return microseconds
  }

  /// Reads the fields of a date, one after another.
  private struct Fields {
    var position = 0

    mutating func year(_ text: Span<UInt8>, anyYear: Bool) throws(Invalid) -> Int64 {
      if anyYear {
        if take("-", text) { return -(try number(text, digits: 6, in: 0...999_999, "a year of six digits")) }
        if take("+", text) { return try number(text, digits: 6, in: 0...999_999, "a year of six digits") }
      }
      return try number(text, digits: 4, in: 0...9999, "a year of four digits")
    }

    /// Reads a number of exactly `digits` digits.
    mutating func number(
      _ text: Span<UInt8>, digits: Int, in range: ClosedRange<Int64>, _ expected: @autoclosure () -> String
    ) throws(Invalid) -> Int64 {
      guard position + digits <= text.count else { throw Invalid(offset: position, expected: expected()) }
      var value: Int64 = 0
      for offset in position..<position + digits {
        let digit = text[offset] &- UInt8(ascii: "0")
        guard digit < 10 else { throw Invalid(offset: position, expected: expected()) }
        value = value * 10 + Int64(digit)
      }
      guard range.contains(value) else { throw Invalid(offset: position, expected: expected()) }
      position += digits
      return value
    }

    mutating func skip(
      _ letter: Unicode.Scalar, orLowerCase: Bool = false, _ text: Span<UInt8>
    ) throws(Invalid) {
      guard take(letter, orLowerCase: orLowerCase, text) else {
        throw Invalid(offset: position, expected: "'\(letter)'")
      }
    }

    /// Skips `letter` if it is next, and returns whether it was.
    mutating func take(_ letter: Unicode.Scalar, orLowerCase: Bool = false, _ text: Span<UInt8>) -> Bool {
      guard position < text.count else { return false }
      let byte = text[position]
      guard byte == UInt8(ascii: letter) || orLowerCase && byte == UInt8(ascii: letter) | 0x20 else {
        return false
      }
      position += 1
      return true
    }

    /// Reads a fraction of a second, in microseconds: 0 if there is none, 1,000,000 if it is rounded up to a whole
    /// second.
    mutating func fraction(_ text: Span<UInt8>) throws(Invalid) -> Int64 {
      guard take(".", text) else { return 0 }
      let start = position
      var microseconds: Int64 = 0
      var unit: Int64 = 100_000
      while position < text.count {
        let digit = Int64(text[position] &- UInt8(ascii: "0"))
        guard digit < 10 else { break }
        microseconds += digit * unit
        // The seventh digit decides the rounding; later digits cannot change it.
        if position - start == 6, digit >= 5 { microseconds += 1 }
        unit /= 10
        position += 1
      }
      guard position > start else { throw Invalid(offset: position, expected: "a digit") }
      return microseconds
    }

    /// Reads the offset from UTC, in seconds.
    mutating func offset(_ text: Span<UInt8>) throws(Invalid) -> Int64 {
      if take("Z", orLowerCase: true, text) { return 0 }
      let isNegative = take("-", text)
      guard isNegative || take("+", text) else {
        throw Invalid(offset: position, expected: "'Z' or an offset like +02:00")
      }
      let hours = try number(text, digits: 2, in: 0...23, "the offset's hours, 00 to 23")
      try skip(":", text)
      let minutes = try number(text, digits: 2, in: 0...59, "the offset's minutes, 00 to 59")
      let seconds = hours * 3_600 + minutes * 60
      return isNegative ? -seconds : seconds
    }
  }
}
