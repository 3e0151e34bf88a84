/// A value that the store keeps for each group of objects, in the same transaction as the objects themselves: the
/// number of objects in the group, or the sum, the minimum or the maximum of one of their properties.
///
/// ```swift
/// let mentions = Aggregate(
///   named: "mentions", counting: Message.filter { $0.isUnread && $0.parts.any { $0.text.contains("@alice") } },
///   groupedBy: \.conversation)
/// try store.declare(mentions)
/// try store.value(of: mentions, for: lunch)
/// ```
///
/// An aggregate counts the objects that a query with the same predicate would return: the ones that the store's user
/// can see. Objects without a value for the group form a group of their own, `nil`. Texts are grouped in NFC; a text of
/// more than 4,096 bytes is grouped by its beginning.
///
/// - A sum of whole numbers is an `Int`, and wraps around. A sum of numbers of metadata, such as `\.metadata.amount.number`, is a
///   `Double`: integers and numbers are added up exactly, in whatever order they come and go, and the sum is rounded once,
///   when it is read. Beyond the range of `Double` it is infinite.
/// - A minimum or a maximum is the first or the last value in the order in which queries sort, or nil if there is none. Of metadata only
///   values of the property's type count: `\.metadata.due.date` has the least date, whatever else some objects have there.
///   Lists never count. Of a text of more than 4,096 bytes it is the beginning.
///
/// For each aggregate, a commit evaluates the objects that it changes once before and once after the change. A change
/// of a conversation or a sender that the aggregate depends on evaluates all messages of that conversation or sender.
/// An import of more than 1,000 objects, or another commit of more than 20,000 objects, counts all objects again.
public struct Aggregate<Object: Queryable, Group: GroupingValue, Value: AggregatedValue>: Hashable, Sendable {
  /// The aggregate without its types.
  public let untyped: AggregateDescription
  /// The query, with what an aggregate must not have.
  private let query: QueryDescription

  /// The name under which it is declared.
  public var name: String { untyped.name }

  private init(
    _ name: String, _ query: Query<Object>, group: [String]? = nil, measure: AggregateDescription.Measure
  ) {
    self.query = query.untyped
    untyped = AggregateDescription(
      name: name, kind: Object.kind, recordType: query.untyped.recordType, predicate: query.untyped.predicate,
      group: group, measure: measure)
  }

  /// Makes an aggregate of the number of a query's objects in each group.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - query: The objects that count. It must have no limit, offset or anchor; its order does not matter.
  ///   - group: The property that the objects are grouped by: `\.conversation`, `{ $0.conversation.metadata.team }`.
  public init<Field: GroupableField>(
    named name: String, counting query: Query<Object>, groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group, Value == Int {
    self.init(name, query, group: group(Object.fields).propertyPath, measure: .count)
  }

  /// Makes an aggregate of the number of a query's objects, without groups.
  public init(named name: String, counting query: Query<Object>) where Group == Never, Value == Int {
    self.init(name, query, measure: .count)
  }

  /// Makes an aggregate of the sum of a number over a query's objects in each group. Objects without a value
  /// add nothing.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - sum: The property that is added up: `\.size`, `\.metadata.amount.number`.
  ///   - query: The objects that count. It must have no limit, offset or anchor; its order does not matter.
  ///   - group: The property that the objects are grouped by.
  public init<Field: GroupableField, Property: NumericField>(
    named name: String, summing sum: (Object.Fields) -> Property, of query: Query<Object>,
    groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group, Property.Sum == Value {
    self.init(
      name, query, group: group(Object.fields).propertyPath,
      measure: .sum(of: sum(Object.fields).propertyPath))
  }

  /// Makes an aggregate of the sum of a number over a query's objects, without groups.
  public init<Property: NumericField>(
    named name: String, summing sum: (Object.Fields) -> Property, of query: Query<Object>
  ) where Group == Never, Property.Sum == Value {
    self.init(name, query, measure: .sum(of: sum(Object.fields).propertyPath))
  }

  /// Makes an aggregate of the least value of a property over a query's objects in each group. Objects
  /// without a value do not count.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - minimum: The property: `\.sentAt`, `\.metadata.due.date`.
  ///   - query: The objects that count. It must have no limit, offset or anchor; its order does not matter.
  ///   - group: The property that the objects are grouped by.
  public init<Field: GroupableField, Property: GroupableField>(
    named name: String, minimum: (Object.Fields) -> Property, of query: Query<Object>,
    groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group, Property.GroupValue? == Value {
    self.init(
      name, query, group: group(Object.fields).propertyPath,
      measure: .minimum(of: minimum(Object.fields).propertyPath))
  }

  /// Makes an aggregate of the least value of a property over a query's objects, without groups.
  public init<Property: GroupableField>(
    named name: String, minimum: (Object.Fields) -> Property, of query: Query<Object>
  ) where Group == Never, Property.GroupValue? == Value {
    self.init(name, query, measure: .minimum(of: minimum(Object.fields).propertyPath))
  }

  /// Makes an aggregate of the greatest value of a property over a query's objects in each group. Objects
  /// without a value do not count.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - maximum: The property: `\.sentAt`, `\.metadata.due.date`.
  ///   - query: The objects that count. It must have no limit, offset or anchor; its order does not matter.
  ///   - group: The property that the objects are grouped by.
  public init<Field: GroupableField, Property: GroupableField>(
    named name: String, maximum: (Object.Fields) -> Property, of query: Query<Object>,
    groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group, Property.GroupValue? == Value {
    self.init(
      name, query, group: group(Object.fields).propertyPath,
      measure: .maximum(of: maximum(Object.fields).propertyPath))
  }

  /// Makes an aggregate of the greatest value of a property over a query's objects, without groups.
  public init<Property: GroupableField>(
    named name: String, maximum: (Object.Fields) -> Property, of query: Query<Object>
  ) where Group == Never, Property.GroupValue? == Value {
    self.init(name, query, measure: .maximum(of: maximum(Object.fields).propertyPath))
  }

  /// - Throws: ``SatchelError`` `invalidValue` for a query with a limit, an offset or an anchor, and for one of members.
  func check() throws {
    guard query.limit == nil, query.offset == 0, query.anchor == nil, query.membersOf == nil else {
      throw SatchelError(
        .invalidValue,
        "An aggregate counts all objects that meet a condition: it has no limit, offset or anchor, and is not of members",
        ["aggregate": name, "query": query.description])
    }
  }
}

extension Aggregate: CustomStringConvertible {
  /// The aggregate on one line; see ``AggregateDescription/description``.
  public var description: String { untyped.description }
}

/// A group of an aggregate and its value.
public struct AggregateValue<Group: GroupingValue, Value: AggregatedValue>: Hashable, Sendable {
  /// The value that the objects of the group have in common; nil for the group of the objects without one.
  public let group: Group?
  /// What the group comes to: a number of objects, or a sum, a minimum or a maximum over them.
  public let value: Value

  /// Makes a pair of a group and its value.
  public init(group: Group?, value: Value) {
    self.group = group
    self.value = value
  }
}

extension AggregateValue: CustomStringConvertible {
  /// The group and the value: `bob: 3`; `none: 3` for the group of the objects without a value.
  public var description: String { Self.text(group) + ": " + Self.text(value) }

  private static func text(_ value: some Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "none"
  }
}
