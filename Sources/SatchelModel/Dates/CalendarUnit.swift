/// The parts of a calendar by which points in time are grouped. The calendar is the Gregorian one, also before 1582.
package enum CalendarUnit: String, Sendable, Hashable, CaseIterable {
  case hour, day, week, month, year
}

/// The day that a week begins with.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

extension CalendarUnit {
  /// Returns the number of the unit that a clock shows: consecutive, for all seconds that it can show.
  /// - Parameters:
  ///   - clock: What the clock shows, in seconds since it showed the beginning of 1970.
  ///   - firstWeekday: The day that a week begins with.
  func number(at clock: Int64, _ firstWeekday: Weekday) -> Int64 {
    let day = clock.floored(by: RFC3339.secondsInDay)
    switch self {
    case .hour: return clock.floored(by: 3600)
    case .day: return day
    case .week: return (day + Self.daysToMonday - Int64(firstWeekday.rawValue)).floored(by: 7)
    case .month:
      let date = RFC3339.date(days: day)
      return date.year * 12 + date.month - 1
    case .year: return RFC3339.date(days: day).year
    }
  }

  /// Returns what the clock shows at the beginning of the unit with a number.
  func start(_ number: Int64, _ firstWeekday: Weekday) -> Int64 {
    switch self {
    case .hour: number * 3600
    case .day: number * RFC3339.secondsInDay
    case .week:
      (number * 7 - Self.daysToMonday + Int64(firstWeekday.rawValue)) * RFC3339.secondsInDay
    case .month:
      RFC3339.days(year: number.floored(by: 12), month: number - number.floored(by: 12) * 12 + 1, day: 1)
        * RFC3339.secondsInDay
    case .year: RFC3339.days(year: number, month: 1, day: 1) * RFC3339.secondsInDay
    }
  }

  /// The days from the Monday of its week to 1970-01-01, a Thursday.
  private static let daysToMonday: Int64 = 3
}

extension Int64 {
  /// Returns the quotient rounded down.
  func floored(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
