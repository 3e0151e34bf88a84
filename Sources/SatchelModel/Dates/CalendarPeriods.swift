/// The hours, days, weeks, months or years of a place: what clocks there show decides which one a point in time is in.
///
/// A period is no fixed length: a day has 23 or 25 hours where clocks change, begins at one o'clock where they skip midnight, and
/// does not exist where they skip all of it. Where clocks go back over midnight, a day is two stretches of time, and the hours
/// between belong to the day that the clock showed. An hour that is shown twice is two hours.
package struct CalendarPeriods: Sendable {
  package let unit: CalendarUnit
  package let firstWeekday: Weekday
  /// Returns by how many seconds clocks are ahead of UTC, at a number of seconds since 1970 in UTC.
  private let offset: @Sendable (Int64) -> Int64

  /// - Parameter offset: As `offset`, at most 18 hours. It must not change twice within six hours.
  package init(
    _ unit: CalendarUnit, firstWeekday: Weekday = .monday, offset: @escaping @Sendable (Int64) -> Int64
  ) {
    self.unit = unit
    self.firstWeekday = firstWeekday
    self.offset = offset
  }

  /// A stretch of time in one period.
  package struct Stretch: Sendable, Hashable {
    /// When the period begins, in microseconds since 1970: it names the period.
    package let period: Int64
    /// The microseconds of the stretch, which is all of the period but where clocks go back over its beginning.
    package let bounds: ClosedRange<Int64>
  }

  /// No clock is further from UTC.
  private static let furthest: Int64 = 18 * 3600
  /// How often the offset is asked for.
  private static let step: Int64 = 6 * 3600

  func clampedOffset(_ second: Int64) -> Int64 {
    min(max(offset(second), -Self.furthest), Self.furthest)
  }

  /// Returns what clocks show at the beginning and at the end of the unit in which they show something, in seconds since they showed the
  /// beginning of 1970.
  func clock(showing shown: Int64) -> Range<Int64> {
    let number = unit.number(at: shown, firstWeekday)
    return unit.start(number, firstWeekday)..<unit.start(number + 1, firstWeekday)
  }

  /// Returns the seconds at which clocks may show what some of them have shown: a time as far as clocks can be from UTC.
  func window(around shown: Int64) -> Range<Int64> { shown - Self.furthest..<shown + Self.furthest }

  /// Returns the stretch of a period that begins and ends once.
  func stretch(from lower: Int64, to upper: Int64) -> Stretch {
    let (lower, upper) = (Self.microseconds(lower), Self.microseconds(upper))
    // Beyond what a timestamp can be, there is nothing after the last microsecond.
    return Stretch(period: lower, bounds: lower...(upper == .max ? .max : max(lower, upper - 1)))
  }

  /// Returns all stretches of a period, ascending, however often clocks show its beginning.
  func stretches(of clock: Range<Int64>) -> [Stretch] {
    // Only around the beginning and the end does it depend on the offset whether a second is in the period.
    let start = clock.lowerBound - Self.furthest
    let end = clock.upperBound + Self.furthest
    let (certain, uncertain) = (clock.lowerBound + Self.furthest, clock.upperBound - Self.furthest)
    var found: [Range<Int64>] = []
    if certain < uncertain {
      visit(start..<certain, clock, &found)
      found.append(certain..<uncertain)
      visit(uncertain..<end, clock, &found)
    } else {
      visit(start..<end, clock, &found)
    }
    // What the clock shows twice is two hours, but one of anything longer.
    let isHour = unit == .hour
    if !isHour { found = Self.joined(found) }
    let all = found.map { stretch(from: $0.lowerBound, to: $0.upperBound) }
    guard !isHour, let first = all.first else { return all }
    return all.map { Stretch(period: first.period, bounds: $0.bounds) }
  }

  /// Appends the stretches, within some seconds, at which clocks show something of a period: one for each offset.
  private func visit(_ seconds: Range<Int64>, _ clock: Range<Int64>, _ found: inout [Range<Int64>]) {
    var start = seconds.lowerBound
    while start < seconds.upperBound {
      let offset = clampedOffset(start)
      let end = change(of: offset, in: start..<seconds.upperBound) ?? seconds.upperBound
      let lower = max(start, clock.lowerBound - offset)
      let upper = min(end, clock.upperBound - offset)
      if lower < upper { found.append(lower..<upper) }
      start = end
    }
  }

  /// Returns the first second after the beginning of some at which clocks have another offset; nil if they have the same all the time.
  func change(of offset: Int64, in seconds: Range<Int64>) -> Int64? {
    var known = seconds.lowerBound
    while known < seconds.upperBound {
      let next = min((known.floored(by: Self.step) + 1) * Self.step, seconds.upperBound)
      if clampedOffset(next) != offset { return change(of: offset, after: known, before: next) }
      known = next
    }
    return nil
  }

  /// Returns the first second at which the offset is another one.
  private func change(of offset: Int64, after first: Int64, before last: Int64) -> Int64 {
    var (low, high) = (first, last)
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if clampedOffset(middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  private static func joined(_ stretches: [Range<Int64>]) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for stretch in stretches {
      if let before = joined.last, before.upperBound == stretch.lowerBound {
        joined[joined.count - 1] = before.lowerBound..<stretch.upperBound
      } else {
        joined.append(stretch)
      }
    }
    return joined
  }

  private static func microseconds(_ second: Int64) -> Int64 {
    let (product, overflow) = second.multipliedReportingOverflow(by: RFC3339.microsecondsInSecond)
    return overflow ? (second < 0 ? .min : .max) : product
  }
}

extension CalendarPeriods {
  /// Returns the name of a period: what clocks show at its beginning, as far as its unit goes, of a week its first day, of an hour with
  /// the offset: `2024-03-31`, `2024-03`, `2024-10-27T02:00+01:00`.
  package func label(of period: Int64) -> String {
    let second = period.floored(by: RFC3339.microsecondsInSecond)
    let offset = clampedOffset(second)
    let text = RFC3339.text(of: Timestamp(microseconds: Self.microseconds(second + offset)))
    let date = text.prefix { $0 != "T" }
    switch unit {
    case .hour:
      let minutes = offset.magnitude / 60
      func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + String(number) }
      return text.prefix(date.count + 6) + (offset < 0 ? "-" : "+") + two(minutes / 60) + ":"
        + two(minutes % 60)
    case .day, .week: return String(date)
    case .month: return String(date.dropLast(3))
    case .year: return String(date.dropLast(6))
    }
  }
}
