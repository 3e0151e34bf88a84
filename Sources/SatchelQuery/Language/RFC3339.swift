package import SatchelModel

/// Dates in the format of RFC 3339: `2026-01-31T09:30:00.25+01:00`.
package enum RFC3339 {
  /// Returns the point in time that a text describes, rounded to the nearest microsecond; nil for any other text.
  ///
  /// `T` and `Z` may be lowercase, and a space may replace `T`. Second 60 is the first second of the next minute.
  /// With `anyYear` the year may also be a sign and six digits, as ``text(of:)`` prints years outside 0...9999.
  package static func timestamp(_ text: some Sequence<UInt8>, anyYear: Bool = false) -> Timestamp? {
    var reader = Reader(bytes: Array(text))
    guard let year = reader.year(anyYear: anyYear),
      reader.take("-"), let month = reader.number(2), (1...12).contains(month),
      reader.take("-"), let day = reader.number(2), (1...daysOf(month: month, year: year)).contains(day),
      reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), hour < 24,
      reader.take(":"), let minute = reader.number(2), minute < 60,
      reader.take(":"), let second = reader.number(2), second <= 60,
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let days = days(year: year, month: month, day: day)
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset * 60)
    // 128 bits: the whole seconds in microseconds can be outside the range of Int64 even if the sum with the
    // fraction is inside.
    let microseconds = Int128(seconds) * 1_000_000 + Int128(fraction)
    return Int64(exactly: microseconds).map { Timestamp(microseconds: $0) }
  }

  /// Returns the text of a point in time in UTC, with as many decimals as it needs, at most six.
  package static func text(of timestamp: Timestamp) -> String {
    let seconds = Int(timestamp.microseconds.floorDivided(by: 1_000_000))
    let remainder = Int(timestamp.microseconds % 1_000_000)
    let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
    let day = Int(Int64(seconds).floorDivided(by: 86_400))
    let (year, month, dayOfMonth) = date(days: day)
    let second = seconds - day * 86_400
    var text = (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
    text += "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T" + padded(second / 3600, 2)
    text += ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
    if fraction > 0 {
      var digits = padded(fraction, 6)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func daysOf(month: Int, year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Days are counted in eras of 400 years that begin on 1 March, which puts the leap day at a year's end.
  private static let daysOfEra = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let epoch = 719_468

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let era = Int(Int64(year).floorDivided(by: 400))
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + epoch
    let era = Int(Int64(shifted).floorDivided(by: Int64(daysOfEra)))
    let dayOfEra = shifted - era * daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Reads the fields of a date, one after the other.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int? {
      guard index < bytes.count, Names.isDigit(bytes[index]) else { return nil }
      defer { index += 1 }
      return Int(bytes[index] - UInt8(ascii: "0"))
    }

    mutating func number(_ width: Int) -> Int? {
      var value = 0
      for _ in 0..<width {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    mutating func year(anyYear: Bool) -> Int? {
      guard anyYear else { return number(4) }
      if take("-") { return number(6).map { -$0 } }
      return take("+") ? number(6) : number(4)
    }

    /// Reads a fraction of a second in microseconds. Returns 0 if there is no fraction, and nil if it has no digits.
    mutating func fraction() -> Int64? {
      guard take(".") else { return 0 }
      guard var value = digit() else { return nil }
      var digits = 1
      var roundsUp = false
      while let digit = digit() {
        if digits < 6 {
          value = value * 10 + digit
        } else if digits == 6 {
          roundsUp = digit >= 5
        }
        digits += 1
      }
      while digits < 6 {
        value *= 10
        digits += 1
      }
      return Int64(value) + (roundsUp ? 1 : 0)
    }

    /// Reads the offset from UTC in minutes; east is positive.
    mutating func offset() -> Int? {
      if take("Z") || take("z") { return 0 }
      let isWest = take("-")
      guard isWest || take("+"), let hours = number(2), hours < 24, take(":"), let minutes = number(2),
        minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }
}

extension Int64 {
  /// The quotient rounded down.
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
