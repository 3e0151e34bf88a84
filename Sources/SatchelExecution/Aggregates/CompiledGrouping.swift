package import SatchelModel
package import SatchelQuery

/// What objects are counted by, checked.
package struct CompiledGrouping: Sendable {
  let property: ObjectProperty
  /// The periods that dates are counted by; nil to count by values.
  let periods: CalendarPeriods?

  /// The type of the values that groups have in common: of periods, their beginnings.
  package var type: ValueType { periods == nil ? property.type : .date }

  init(_ property: ObjectProperty, periods: CalendarPeriods? = nil) {
    self.property = property
    self.periods = periods
  }

  /// - Throws: ``SatchelError`` `unqueryableProperty` for a key path that objects of the kind do not have, `unsupportedSort` for a
  ///   property that they cannot be counted by.
  package init(_ description: GroupingDescription, of queried: QueriedType) throws {
    let property = try queried.property(description.property)
    guard property.isSortable else {
      throw SatchelError(
        .unsupportedSort,
        "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of",
        ["property": property.path.spelledPath])
    }
    if let periods = description.periods, property.type != .date, property.type != .custom {
      throw SatchelError(
        .unsupportedSort, "Only dates are counted by hour, day, week, month or year",
        ["property": property.path.spelledPath, "period": periods.unit.rawValue])
    }
    self.init(property, periods: description.periods)
  }
}
