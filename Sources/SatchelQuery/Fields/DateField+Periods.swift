public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FieldTypes {
  /// The hours, days, weeks, months or years of a place, in the Gregorian calendar, that the dates of a property are in.
  ///
  /// A period is what clocks in the time zone show: a day has 23 or 25 hours where they change, begins at one o'clock where they
  /// skip midnight, and is not there where they skip all of it. An hour that they show twice is two hours.
  public struct Period: Sendable {
    /// The property and the periods, without types.
    public let grouping: GroupingDescription

    init(
      _ property: [String], _ unit: CalendarUnit, _ zone: TimeZone, firstWeekday: Weekday = .monday
    ) {
      let periods = CalendarPeriods(unit, firstWeekday: firstWeekday) { second in
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
      }
      grouping = GroupingDescription(property: property, periods: periods)
    }
  }
}

extension DateField {
  /// The hours that the dates are in.
  public func hour(in timeZone: TimeZone) -> FieldTypes.Period { .init(propertyPath, .hour, timeZone) }
  /// The days that the dates are in.
  public func day(in timeZone: TimeZone) -> FieldTypes.Period { .init(propertyPath, .day, timeZone) }
  /// The weeks that the dates are in, which begin on Mondays, or on another day.
  public func week(in timeZone: TimeZone, beginningOn weekday: Weekday = .monday) -> FieldTypes.Period {
    .init(propertyPath, .week, timeZone, firstWeekday: weekday)
  }
  /// The months that the dates are in.
  public func month(in timeZone: TimeZone) -> FieldTypes.Period { .init(propertyPath, .month, timeZone) }
  /// The years that the dates are in.
  public func year(in timeZone: TimeZone) -> FieldTypes.Period { .init(propertyPath, .year, timeZone) }
}
