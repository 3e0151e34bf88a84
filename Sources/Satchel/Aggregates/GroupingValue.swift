/// What an aggregate comes to for a group: an `Int` where it counts objects or adds up whole numbers, a `Double` where it adds up
/// numbers of metadata, and an optional value where it is a minimum or a maximum.
public protocol AggregatedValue: Hashable, Sendable {
  /// Makes the value from a constant of a predicate; nil if the constant has another type.
  init?(aggregated constant: QueryPredicate.Constant)
}

extension Int: AggregatedValue {
  /// Makes a number from an integer constant; nil for any other constant.
  public init?(aggregated constant: QueryPredicate.Constant) {
    guard case .integer(let number) = constant else { return nil }
    self.init(number)
  }
}

extension Optional: AggregatedValue where Wrapped: AggregatedValue {
  /// Makes a value from a constant: nil for `null`, and the wrapped value for any other.
  public init?(aggregated constant: QueryPredicate.Constant) {
    if case .null = constant {
      self = .none
    } else if let value = Wrapped(aggregated: constant) {
      self = .some(value)
    } else {
      return nil
    }
  }
}

/// A value that objects can be grouped by, or that a minimum or a maximum is: a string, an identifier, a number, a Boolean or a
/// timestamp.
public protocol GroupingValue: AggregatedValue {
  /// The value as a constant of a predicate.
  var groupConstant: QueryPredicate.Constant { get }
  /// Makes the value from a constant; nil if the constant has another type.
  init?(groupConstant: QueryPredicate.Constant)
}

extension GroupingValue {
  /// Makes the value from a constant; nil if the constant has another type.
  public init?(aggregated constant: QueryPredicate.Constant) { self.init(groupConstant: constant) }
}

extension String: GroupingValue {
  /// A text constant.
  public var groupConstant: QueryPredicate.Constant { .text(self) }
  /// Makes a string from a text constant; nil for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .text(let text) = groupConstant else { return nil }
    self = text
  }
}

extension ObjectID: GroupingValue {
  /// A text constant.
  public var groupConstant: QueryPredicate.Constant { .text(rawValue) }
  /// Makes an identifier from a text constant; nil for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .text(let text) = groupConstant else { return nil }
    self.init(text)
  }
}

extension Int64: GroupingValue {
  /// An integer constant.
  public var groupConstant: QueryPredicate.Constant { .integer(self) }
  /// Makes a number from an integer constant; nil for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .integer(let number) = groupConstant else { return nil }
    self = number
  }
}

extension Double: GroupingValue {
  /// A number constant.
  public var groupConstant: QueryPredicate.Constant { .number(self) }
  /// Makes a number from a constant; nil for an integer that no `Double` is equal to, and for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    switch groupConstant {
    case .number(let number): self = number
    case .integer(let number): self.init(exactly: number)
    default: return nil
    }
  }
  /// Makes the nearest number from a constant; nil for one that is no number.
  public init?(aggregated constant: QueryPredicate.Constant) {
    if case .integer(let number) = constant {
      self.init(number)
    } else {
      self.init(groupConstant: constant)
    }
  }
}

extension Bool: GroupingValue {
  /// A Boolean constant.
  public var groupConstant: QueryPredicate.Constant { .boolean(self) }
  /// Makes a Boolean from a Boolean constant; nil for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .boolean(let flag) = groupConstant else { return nil }
    self = flag
  }
}

extension Timestamp: GroupingValue {
  /// A date constant.
  public var groupConstant: QueryPredicate.Constant { .date(self) }
  /// Makes a timestamp from a date constant; nil for any other constant.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .date(let date) = groupConstant else { return nil }
    self = date
  }
}

extension Reference: GroupingValue {
  /// A reference as a constant.
  public var groupConstant: QueryPredicate.Constant { .reference(self) }
  /// Makes a reference from a constant; nil if the constant has another type.
  public init?(groupConstant: QueryPredicate.Constant) {
    guard case .reference(let reference) = groupConstant else { return nil }
    self = reference
  }
}

/// The group type of an aggregate without groups: it has no values.
extension Never: GroupingValue {
  /// Never called: the type has no values.
  public var groupConstant: QueryPredicate.Constant {
    switch self {}
  }
  /// Always nil: the type has no values.
  public init?(groupConstant: QueryPredicate.Constant) { return nil }
}

/// A property that an aggregate can group by, or have the minimum or the maximum of.
public protocol GroupableField<GroupValue>: SortableField, Grouping {}

extension FieldTypes.Text: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = String
}
extension FieldTypes.OptionalText: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = String
}
extension FieldTypes.MetadataValue: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = String
}
extension FieldTypes.Identifier: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = ObjectID<Object>
}
extension FieldTypes.OptionalIdentifier: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = ObjectID<Object>
}
extension FieldTypes.Number: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Int64
}
extension FieldTypes.OptionalNumber: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Int64
}
extension FieldTypes.MetadataNumber: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Double
}
extension FieldTypes.RecordValue: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = String
}
extension FieldTypes.OptionalReference: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Reference
}
extension FieldTypes.OptionalDate: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Timestamp
}
extension FieldTypes.Boolean: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Bool
}
extension FieldTypes.OptionalBoolean: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Bool
}
extension ConversationReferenceFields: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Conversation.ID
}
extension MessageReferenceFields: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Message.ID
}
extension LastMessageFields: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Message.ID
}
