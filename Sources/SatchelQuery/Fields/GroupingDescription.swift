package import SatchelModel

/// What objects are counted by, without the types: a property, or the days and other periods that its dates are in.
public struct GroupingDescription: Sendable {
  /// The key path, as its names, of the property.
  public let property: [String]
  /// The periods that the property's dates are counted by; nil to count by its values.
  package let periods: CalendarPeriods?

  /// Counts by the values of a property.
  public init(property: [String]) { self.init(property: property, periods: nil) }

  package init(property: [String], periods: CalendarPeriods?) {
    self.property = property
    self.periods = periods
  }
}

extension GroupingDescription: CustomStringConvertible {
  /// The property, and the periods: `sentAt by day`.
  public var description: String {
    SortKey(property).description + (periods.map { " by \($0.unit.rawValue)" } ?? "")
  }
}
