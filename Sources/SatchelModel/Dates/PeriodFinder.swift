/// Finds the periods of points in time.
///
/// Most of the time clocks do not change. Where that is known, a period is a matter of arithmetic; those around a change are kept.
package final class PeriodFinder {
  private let periods: CalendarPeriods
  /// Times in which clocks have one offset, ascending, without a gap that could be closed.
  private var calm: [(seconds: Range<Int64>, offset: Int64)] = []
  /// The periods around changes that have been found, ascending.
  private var known: [CalendarPeriods.Stretch] = []
  /// The stretch that was found last.
  private var last: CalendarPeriods.Stretch?

  package init(_ periods: CalendarPeriods) { self.periods = periods }

  /// Returns the stretch of a period that a point in time is in.
  /// - Parameter microseconds: Since 1970.
  package func stretch(of microseconds: Int64) -> CalendarPeriods.Stretch {
    if let last, last.bounds.contains(microseconds) { return last }
    let stretch = find(microseconds)
    last = stretch
    return stretch
  }

  private func find(_ microseconds: Int64) -> CalendarPeriods.Stretch {
    if let known = knownStretch(of: microseconds) { return known }
    let second = microseconds.floored(by: RFC3339.microsecondsInSecond)
    let index = calmPlace(of: second)
    let isCalm = index < calm.count && calm[index].seconds.contains(second)
    let offset = isCalm ? calm[index].offset : periods.clampedOffset(second)
    let clock = periods.clock(showing: second + offset)
    if let first = calmOffset(periods.window(around: clock.lowerBound)),
      let second = calmOffset(periods.window(around: clock.upperBound))
    {
      let stretch = periods.stretch(from: clock.lowerBound - first, to: clock.upperBound - second)
      if stretch.bounds.contains(microseconds) { return stretch }
    }
    for stretch in periods.stretches(of: clock) {
      let place = place(of: stretch.bounds.upperBound)
      if place == known.count || known[place] != stretch { known.insert(stretch, at: place) }
    }
    // The last resort is for clocks that change oftener than they may.
    return knownStretch(of: microseconds)
      ?? CalendarPeriods.Stretch(period: microseconds, bounds: microseconds...microseconds)
  }

  private func knownStretch(of microseconds: Int64) -> CalendarPeriods.Stretch? {
    let place = place(of: microseconds)
    guard place < known.count, known[place].bounds.contains(microseconds) else { return nil }
    return known[place]
  }

  /// Returns the index of the first known stretch that does not end before a point in time.
  private func place(of microseconds: Int64) -> Int {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = low + (high - low) / 2
      if known[middle].bounds.upperBound < microseconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of the first calm time that does not end before a second.
  private func calmPlace(of second: Int64) -> Int {
    var (low, high) = (0, calm.count)
    while low < high {
      let middle = low + (high - low) / 2
      if calm[middle].seconds.upperBound < second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the one offset that clocks have during some seconds; nil if they change.
  private func calmOffset(_ seconds: Range<Int64>) -> Int64? {
    let place = calmPlace(of: seconds.lowerBound)
    if place < calm.count {
      let (range, offset) = calm[place]
      if range.lowerBound <= seconds.lowerBound, seconds.upperBound <= range.upperBound { return offset }
    }
    let offset = periods.clampedOffset(seconds.lowerBound)
    guard periods.change(of: offset, in: seconds) == nil else { return nil }
    var all = seconds
    var end = place
    while end < calm.count, calm[end].seconds.lowerBound <= all.upperBound, calm[end].offset == offset {
      let other = calm[end].seconds
      all = min(all.lowerBound, other.lowerBound)..<max(all.upperBound, other.upperBound)
      end += 1
    }
    calm.replaceSubrange(place..<end, with: [(all, offset)])
    return offset
  }
}
