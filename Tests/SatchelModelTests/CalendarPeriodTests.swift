import SatchelModel
import TestSupport
import Testing

/// Periods of clocks that are made up, compared with what is counted second by second.
@Suite struct CalendarPeriodTests {
  /// Clocks that change at some seconds.
  private struct Clock: Sendable {
    /// From each second on, by how many seconds it is ahead of UTC; ascending.
    var changes: [(second: Int64, offset: Int64)]

    func offset(_ second: Int64) -> Int64 {
      changes.last { $0.second <= second }?.offset ?? changes[0].offset
    }

    /// Changes are some days apart, hours, a day or minutes large, and often at midnight.
    static func random(_ random: inout SeededGenerator, unit: Int64) -> Clock {
      var offset = (Int64(random.below(25)) - 12) * 3600 / unit * unit
      var changes: [(Int64, Int64)] = [(-200 * 86_400, offset)]
      var second: Int64 = -150 * 86_400
      for _ in 0..<8 {
        second += 86_400 + Int64(random.below(40 * 86_400)) / unit * unit
        // The clock shows midnight, or nearly.
        if random.percent(60) {
          second = (second + offset) / 86_400 * 86_400 - offset + unit * Int64(random.below(3))
        }
        let step: Int64 = random.pick([
          3600, -3600, 3600, -3600, 1800, -1800, 86_400, -86_400, 7200, -900 * 3,
        ])
        guard abs(offset + step) <= 15 * 3600, second - changes[changes.count - 1].0 > 40_000 else {
          continue
        }
        offset += step
        changes.append((second, offset))
      }
      return Clock(changes: changes.map { (second: $0.0, offset: $0.1) })
    }
  }

  /// What the clock shows of a unit, told without the code that is tested.
  private static func shown(_ unit: CalendarUnit, _ weekday: Weekday, _ second: Int64, _ clock: Clock)
    -> String
  {
    let local = second + clock.offset(second)
    let text = Timestamp(microseconds: local * 1_000_000).description
    switch unit {
    case .hour: return String(text.prefix(13))
    case .day: return String(text.prefix(10))
    case .month: return String(text.prefix(7))
    case .year: return String(text.prefix(4))
    case .week:
      // 2000-01-03 was a Monday.
      var days: Int64 = 10_959 + Int64(weekday.rawValue)
      while days * 86_400 > local { days -= 7 }
      return Timestamp(microseconds: (days + (local - days * 86_400) / 86_400 / 7 * 7) * 86_400_000_000)
        .description
    }
  }

  @Test func periodsAreWhatClocksShow() {
    var random = SeededGenerator(for: "periods")
    var (twice, short) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(60) {
      let unit: Int64 = 900
      let clock = Clock.random(&random, unit: unit)
      let calendarUnit = random.pick(CalendarUnit.allCases)
      let weekday = random.pick(Weekday.allCases)
      let periods = CalendarPeriods(calendarUnit, firstWeekday: weekday) { clock.offset($0) }
      let finder = PeriodFinder(periods)
      // Every quarter of an hour of the clock's changes: what it shows, and since when without a break.
      let span = stride(from: Int64(-170 * 86_400), to: 180 * 86_400, by: Int(unit))
      let shown = span.map { Self.shown(calendarUnit, weekday, $0, clock) }
      var first: [String: Int64] = [:]
      for (second, text) in zip(span, shown) where first[text] == nil { first[text] = second }
      let seconds = Array(span)
      func isSame(_ one: Int, _ other: Int) -> Bool {
        shown[one] == shown[other]
          && (calendarUnit != .hour || clock.offset(seconds[one]) == clock.offset(seconds[other]))
      }
      var (lows, highs) = (Array(seconds.indices), Array(seconds.indices))
      for index in seconds.indices.dropFirst() where isSame(index - 1, index) {
        lows[index] = lows[index - 1]
      }
      for index in seconds.indices.dropLast().reversed() where isSame(index, index + 1) {
        highs[index] = highs[index + 1]
      }
      var order = Array(seconds.indices)
      for place in order.indices where random.percent(30) { order.swapAt(place, random.below(order.count)) }
      for index in order {
        let second = seconds[index]
        let stretch = finder.stretch(of: second * 1_000_000 + Int64(random.below(900_000_000)))
        let (low, high) = (lows[index], highs[index])
        // What is cut off at the ends is not known.
        guard low > 192, high + 192 < seconds.count, first[shown[index]] != seconds[0] else { continue }
        let bounds = seconds[low] * 1_000_000...(seconds[high] + unit) * 1_000_000 - 1
        let period = calendarUnit == .hour ? seconds[low] : first[shown[index]] ?? 0
        if stretch.bounds != bounds || stretch.period != period * 1_000_000 {
          Issue.record("\(calendarUnit) \(second), \(clock.changes): \(stretch)")
          break
        }
        if period < seconds[low] { twice += 1 }
        if bounds.count < 86_400_000_000, calendarUnit == .day { short += 1 }
      }
    }
    print("points in the second stretch of a period: \(twice), of short days: \(short)")
  }

  /// Everything that a timestamp can be is in some period.
  @Test(arguments: CalendarUnit.allCases) func extremes(_ unit: CalendarUnit) {
    for offset in [Int64(0), 3600, -3600, .max, .min] {
      let finder = PeriodFinder(CalendarPeriods(unit) { _ in offset })
      for date in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
        let stretch = finder.stretch(of: date)
        #expect(stretch.bounds.contains(date) && stretch.period <= date, "\(unit) \(date): \(stretch)")
      }
    }
  }

  /// Clocks that change oftener than they may: wrong, but no trap, and no endless loop.
  @Test(arguments: CalendarUnit.allCases) func clocksThatAreNone(_ unit: CalendarUnit) {
    let finder = PeriodFinder(CalendarPeriods(unit) { $0 &* 7919 % 50_000 })
    for number in 0..<200 {
      let date = Int64(number) * 3_333_333_333
      #expect(finder.stretch(of: date).bounds.contains(date))
    }
  }
}
