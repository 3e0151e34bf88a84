public import Foundation
import SatchelModel
public import SatchelQuery

extension QueryPredicate {
  /// Creates the predicate of a Foundation predicate: `QueryPredicate(#Predicate<Message> { $0.isUnread })`.
  ///
  /// Dates are rounded to microseconds, identifiers compare by their bytes, and texts contain others by the scalars of their canonical form. Where the
  /// evaluation of the predicate would throw, as `!` does for a missing value, a comparison is false, but for `!=`, which is true. Of the number of elements of
  /// `parts`, of a filter of them and of a text, only whether it is 0 can be asked. Metadata can be compared as a whole; add a condition on
  /// one of its values to the query: `try Query(predicate).filter { $0.metadata.title == "Lunch" }`. Records are asked for by
  /// closures and texts alone: a field has no key path, and a `#Predicate<Record>` does not say of which type the records are.
  /// - Parameter predicate: The predicate. What in it uses no property is evaluated now.
  /// - Throws: ``SatchelError`` `notAvailable` for a node that the store has no meaning for, with its name and place;
  ///   `unqueryableProperty` for a key path that leads to no queryable property.
  /// - Complexity: O(n²) for n nodes. A condition that is compared with another one, and what stands before `??`, is in the result
  ///   several times; a result of more than ``maximumNodes`` is refused when a query runs.
  public init<Object: Queryable>(_ predicate: Predicate<Object>) throws {
    self = try PredicateTranslation(Object.kind, predicate.variable.key).condition(predicate.expression)
  }
}

extension SortKey {
  /// Creates the sort key of a sort descriptor: `SortKey(SortDescriptor(\Message.sentAt, order: .reverse))`.
  ///
  /// Texts are sorted by their bytes: a descriptor of texts needs `comparator: .lexical`.
  /// - Parameter descriptor: The descriptor.
  /// - Throws: ``SatchelError`` `unsupportedSort` for a comparator that the store does not have; `unqueryableProperty` for a key
  ///   path that leads to no queryable property.
  public init<Object: Queryable>(_ descriptor: SortDescriptor<Object>) throws {
    if let comparator = descriptor.stringComparator, ![String.StandardComparator.lexical].contains(comparator)
    {
      throw SatchelError(
        .unsupportedSort, "The store sorts texts by their bytes: the comparator has to be .lexical",
        [
          "comparator": "\(comparator)", "kind": Object.kind.rawValue,
        ])
    }
    guard let keyPath = descriptor.keyPath else {
      throw SatchelError(
        .unsupportedSort, "A sort descriptor needs a key path, and no comparator of its own",
        ["kind": Object.kind.rawValue])
    }
    guard let path = PropertyNames()[keyPath] else {
      throw SatchelError(
        .unqueryableProperty, "The key path leads to no property that the store can be asked for",
        ["property": "\(keyPath)", "kind": Object.kind.rawValue, "place": "SortDescriptor"])
    }
    self.init(path, descending: descriptor.order == .reverse)
  }
}

extension Query {
  /// Creates a query in the manner of SwiftData: `try Query(#Predicate<Message> { $0.isUnread }, sortBy: [SortDescriptor(\.sentAt)])`.
  /// - Parameters:
  ///   - predicate: Which objects; nil for all.
  ///   - sortBy: The order, the first key first. Ties, and objects without keys, are in the order of creation.
  /// - Throws: ``SatchelError`` for what the store has no meaning for: see ``QueryPredicate/init(_:)`` and ``SortKey/init(_:)``.
  public init(_ predicate: Predicate<Object>?, sortBy: [SortDescriptor<Object>] = []) throws {
    var query = Query()
    if let predicate { query = query.filter(try QueryPredicate(predicate)) }
    if !sortBy.isEmpty { query = query.order(try sortBy.map { try SortKey($0) }) }
    self = query
  }

  /// Returns the query with a further predicate that its objects have to meet.
  /// - Parameter predicate: The predicate.
  /// - Throws: ``SatchelError`` for what the store has no meaning for: see ``QueryPredicate/init(_:)``.
  public func filter(_ predicate: Predicate<Object>) throws -> Query { filter(try QueryPredicate(predicate)) }
}

extension Queryable {
  /// Returns a query for the objects that meet a Foundation predicate.
  /// - Parameter predicate: The predicate.
  /// - Throws: ``SatchelError`` for what the store has no meaning for: see ``QueryPredicate/init(_:)``.
  public static func filter(_ predicate: Predicate<Self>) throws -> Query<Self> { try Query(predicate) }
}
