/// A number that the store keeps for each group of objects, in the same transaction as the objects themselves: how many
/// there are, or what one of their properties adds up to.
///
/// ```swift
/// let mentions = Aggregate(
///   named: "mentions", counting: Message.filter { $0.isUnread && $0.parts.any { $0.text.contains("@alice") } },
///   groupedBy: \.conversation)
/// try store.declare(mentions)
/// try store.value(of: mentions, for: lunch)
/// ```
///
/// What counts is what a query of the same predicate would return: objects that the store's user can see. Objects
/// without a value for the group form a group of their own, `nil`. Texts are grouped in NFC; of a text of more than
/// 4,096 bytes the beginning decides.
///
/// A commit evaluates the objects that it changes before and after, once for each aggregate. A change of a conversation
/// or a sender that the aggregate looks at evaluates the messages of that conversation or sender; an import, or a commit
/// of more than 20,000 objects, counts all objects anew.
public struct Aggregate<Object: Queryable, Group: GroupingValue>: Hashable, Sendable {
  /// The aggregate without its types.
  public let untyped: AggregateDescription
  /// What of the query an aggregate cannot have.
  private let query: QueryDescription

  /// The name that it is declared under.
  public var name: String { untyped.name }

  private init(_ name: String, _ query: Query<Object>, group: [String]?, sum: [String]?) {
    self.query = query.untyped
    untyped = AggregateDescription(
      name: name, kind: Object.kind, predicate: query.untyped.predicate, group: group, sum: sum)
  }

  /// How many objects of a query there are in each group.
  /// - Parameters:
  ///   - name: 1 to 256 bytes.
  ///   - query: Which objects count; without limit, offset and anchor. Its order does not matter.
  ///   - group: What they are grouped by: `\.conversation`, `{ $0.conversation.metadata.team }`.
  public init<Field: GroupableField>(
    named name: String, counting query: Query<Object>, groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group {
    self.init(name, query, group: group(Object.fields).propertyPath, sum: nil)
  }

  /// What a number of the objects of a query adds up to in each group; objects without one add nothing. Sums beyond
  /// Int64 wrap around.
  public init<Field: GroupableField, Summand: NumericField>(
    named name: String, summing sum: (Object.Fields) -> Summand, of query: Query<Object>,
    groupedBy group: (Object.Fields) -> Field
  ) where Field.GroupValue == Group {
    self.init(
      name, query, group: group(Object.fields).propertyPath, sum: sum(Object.fields).propertyPath)
  }

  /// How many objects of a query there are.
  public init(named name: String, counting query: Query<Object>) where Group == Never {
    self.init(name, query, group: nil, sum: nil)
  }

  /// What a number of the objects of a query adds up to.
  public init<Summand: NumericField>(
    named name: String, summing sum: (Object.Fields) -> Summand, of query: Query<Object>
  ) where Group == Never {
    self.init(name, query, group: nil, sum: sum(Object.fields).propertyPath)
  }

  /// - Throws: ``SatchelError`` `invalidValue` for a query that is a stretch of another one.
  func check() throws {
    guard query.limit == nil, query.offset == 0, query.anchor == nil else {
      throw SatchelError(
        .invalidValue, "An aggregate counts all objects of a query: it has no limit, offset or anchor",
        ["aggregate": name, "query": query.description])
    }
  }
}

extension Aggregate: CustomStringConvertible {
  public var description: String { untyped.description }
}

/// What a group of an aggregate comes to.
public struct AggregateValue<Group: GroupingValue>: Hashable, Sendable {
  /// What the objects of the group have in common; nil where they have no value.
  public let group: Group?
  /// The number of objects, or the sum.
  public let value: Int

  /// What a group comes to.
  public init(group: Group?, value: Int) {
    self.group = group
    self.value = value
  }
}
