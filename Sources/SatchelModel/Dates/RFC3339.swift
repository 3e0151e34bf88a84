/// Points in time as text (RFC 3339) and as microseconds since the start of 1970 in UTC, without leap seconds.
///
/// Years are years of the proleptic Gregorian calendar, 0000 to 9999, both as written and in UTC. The predicate language
/// also has to print and read points in time beyond them: there a year may be a sign and six digits.
package enum RFC3339 {
  /// Why a text is not a date.
  package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the fault, in bytes.
    package let offset: Int
    /// What would be valid at that offset.
    package let expected: String

    package var description: String { "not an RFC 3339 date: expected \(expected) at byte \(offset + 1)" }
  }

  /// A point in time outside the years 0000 to 9999.
  package struct OutOfRange: Error, Hashable, Sendable, CustomStringConvertible {
    package let microseconds: Int64

    package var description: String {
      "a date outside the years 0000 to 9999 (\(microseconds) microseconds from 1970)"
    }
  }

  /// The microseconds that can be written: 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z.
  package static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  package static let microsecondsInSecond: Int64 = 1_000_000
  package static let secondsInDay: Int64 = 86_400

  /// Returns the number of days from 1970-01-01 to a date. Years are counted from March, so that the leap day is the
  /// last day of its year and the months before a date always have the same number of days.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysInEra + dayOfEra - daysFromYearZeroTo1970
  }

  /// Returns the date that is `days` days after 1970-01-01: the inverse of `days(year:month:day:)`.
  static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = days + daysFromYearZeroTo1970
    let era = (days >= 0 ? days : days - (daysInEra - 1)) / daysInEra
    let dayOfEra = days - era * daysInEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days in 400 years, after which the calendar repeats.
  private static let daysInEra: Int64 = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let daysFromYearZeroTo1970: Int64 = 719_468
}
