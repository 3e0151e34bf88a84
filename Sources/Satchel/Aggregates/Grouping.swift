/// What objects are counted by: a property that each of them has one of, such as `\.sender.userID`, or the periods that a date is in, such
/// as `{ $0.sentAt.day(in: .current) }`.
public protocol Grouping<GroupValue>: Sendable {
  /// The type of the values that tell groups apart.
  associatedtype GroupValue: GroupingValue
  /// The property and the periods, without types.
  var grouping: GroupingDescription { get }
}

extension GroupableField {
  /// The property, without types.
  public var grouping: GroupingDescription { GroupingDescription(property: propertyPath) }
}

extension FieldTypes.Period: Grouping {
  /// Periods are told apart by their beginnings.
  public typealias GroupValue = Timestamp
}

/// A group and how many objects it has.
public struct GroupCount<Group: GroupingValue>: Hashable, Sendable {
  /// The value that the objects of the group have in common, of a period its beginning; nil for the objects without one.
  public let group: Group?
  /// The number of objects in the group.
  public let count: Int

  /// Makes a pair of a group and its number of objects.
  public init(group: Group?, count: Int) {
    self.group = group
    self.count = count
  }
}

extension GroupCount: CustomStringConvertible {
  /// The group and the number: `bob: 3`; `none: 3` for the group of the objects without a value.
  public var description: String { (group.map { "\($0)" } ?? "none") + ": \(count)" }
}

/// The first object of a period.
public struct FirstOfPeriod<Object: StoredObject>: Equatable {
  /// When the period begins; nil for the objects without a date.
  public let period: Timestamp?
  /// Of the objects with the earliest date in the period, the one that was created first.
  public let object: Object

  /// Makes a pair of a period and its first object.
  public init(period: Timestamp?, object: Object) {
    self.period = period
    self.object = object
  }
}

extension FirstOfPeriod: Sendable where Object: Sendable {}

extension FirstOfPeriod: CustomStringConvertible where Object: CustomStringConvertible {
  /// The period and the object.
  public var description: String { (period.map { "\($0)" } ?? "none") + ": \(object)" }
}
