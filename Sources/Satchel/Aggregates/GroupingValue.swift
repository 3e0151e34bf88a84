/// A value that objects can be grouped by: a string, an identifier, a number, a Boolean or a point in time.
public protocol GroupingValue: Hashable, Sendable {
  /// The value as predicates hold it.
  var groupConstant: Predicate.Constant { get }
  /// The value of a constant; nil for one of another type.
  init?(groupConstant: Predicate.Constant)
}

extension String: GroupingValue {
  public var groupConstant: Predicate.Constant { .text(self) }
  public init?(groupConstant: Predicate.Constant) {
    guard case .text(let text) = groupConstant else { return nil }
    self = text
  }
}

extension ObjectID: GroupingValue {
  public var groupConstant: Predicate.Constant { .text(rawValue) }
  public init?(groupConstant: Predicate.Constant) {
    guard case .text(let text) = groupConstant else { return nil }
    self.init(text)
  }
}

extension Int64: GroupingValue {
  public var groupConstant: Predicate.Constant { .integer(self) }
  public init?(groupConstant: Predicate.Constant) {
    guard case .integer(let number) = groupConstant else { return nil }
    self = number
  }
}

extension Bool: GroupingValue {
  public var groupConstant: Predicate.Constant { .boolean(self) }
  public init?(groupConstant: Predicate.Constant) {
    guard case .boolean(let flag) = groupConstant else { return nil }
    self = flag
  }
}

extension Timestamp: GroupingValue {
  public var groupConstant: Predicate.Constant { .date(self) }
  public init?(groupConstant: Predicate.Constant) {
    guard case .date(let date) = groupConstant else { return nil }
    self = date
  }
}

/// No value at all: what an aggregate without groups is grouped by.
extension Never: GroupingValue {
  public var groupConstant: Predicate.Constant {
    switch self {}
  }
  public init?(groupConstant: Predicate.Constant) { return nil }
}

/// A property that an aggregate can group by.
public protocol GroupableField<GroupValue>: SortableField {
  /// The type of its values.
  associatedtype GroupValue: GroupingValue
}

extension FieldTypes.Text: GroupableField { public typealias GroupValue = String }
extension FieldTypes.OptionalText: GroupableField { public typealias GroupValue = String }
extension FieldTypes.MetadataValue: GroupableField { public typealias GroupValue = String }
extension FieldTypes.Identifier: GroupableField { public typealias GroupValue = ObjectID<Object> }
extension FieldTypes.OptionalIdentifier: GroupableField { public typealias GroupValue = ObjectID<Object> }
extension FieldTypes.Number: GroupableField { public typealias GroupValue = Int64 }
extension FieldTypes.OptionalNumber: GroupableField { public typealias GroupValue = Int64 }
extension FieldTypes.OptionalDate: GroupableField { public typealias GroupValue = Timestamp }
extension FieldTypes.Boolean: GroupableField { public typealias GroupValue = Bool }
extension FieldTypes.OptionalBoolean: GroupableField { public typealias GroupValue = Bool }
extension ConversationReferenceFields: GroupableField { public typealias GroupValue = Conversation.ID }
extension MessageReferenceFields: GroupableField { public typealias GroupValue = Message.ID }
extension LastMessageFields: GroupableField { public typealias GroupValue = Message.ID }
