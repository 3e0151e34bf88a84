public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question for objects of one kind: which ones, in which order, which stretch of them.
///
/// A value: each function gives a changed copy. Nothing is checked before a store answers it.
public struct Query<Object: Queryable>: Hashable, Sendable {
  /// The query without its type; its kind is that of `Object`.
  public private(set) var untyped: QueryDescription

  /// Every object of the kind, in the order of creation.
  public init() { untyped = QueryDescription(kind: Object.kind) }

  /// The query of a description; nil when that is one of another kind.
  public init?(_ description: QueryDescription) {
    guard description.kind == Object.kind else { return nil }
    untyped = description
  }

  /// The objects for which a text of the predicate language is true; `%@` takes the next argument, `%K` the next key
  /// path.
  /// - Throws: ``SatchelError`` `syntaxError` with the column, `invalidValue` for an argument that is no value.
  public init(format: String, _ arguments: (any Sendable)?...) throws {
    untyped = QueryDescription(
      kind: Object.kind, predicate: try Predicate(format: format, arguments: arguments))
  }

  private func with(_ change: (inout QueryDescription) -> Void) -> Query {
    var copy = self
    change(&copy.untyped)
    return copy
  }
}

extension Query {
  /// Those of the objects for which a predicate is true as well.
  public func filter(_ predicate: Predicate) -> Query {
    with { $0.predicate = $0.predicate == .true ? predicate : $0.predicate && predicate }
  }

  /// Those of the objects for which a predicate is true as well.
  public func filter<Filter: PredicateConvertible>(_ predicate: (Object.Fields) -> Filter) -> Query {
    filter(predicate(Object.fields).predicate)
  }

  /// The objects in another order.
  public func order(_ keys: [SortKey]) -> Query {
    with {
      $0.sort = keys
      $0.isUnordered = false
    }
  }

  /// The objects in whatever order costs least: for sums, searches and copies, to which their order does not matter.
  ///
  /// Reads of the query then sort nothing, and one that comes to most messages of
  /// the store reads them as they lie in the file. Each object comes once, as ever; a limit or an offset leaves some of
  /// them, no matter which. Live queries and anchors need an order, and take that of creation.
  public func unordered() -> Query {
    with {
      $0.sort = []
      $0.isUnordered = true
    }
  }

  /// The objects in another order.
  public func order<Key: SortKeyConvertible>(_ key: (Object.Fields) -> Key) -> Query {
    order([key(Object.fields).sortKey])
  }

  /// The objects in another order, by several keys: `.order { ($0.sentAt.descending, $0.position) }`.
  ///
  /// The first two are no part of the pack: a pack may be empty, and then a closure of anything at all would compile.
  public func order<First: SortKeyConvertible, Second: SortKeyConvertible, each Key: SortKeyConvertible>(
    _ keys: (Object.Fields) -> (First, Second, repeat each Key)
  ) -> Query {
    order(Self.sortKeys(keys))
  }

  private static func sortKeys<each Key: SortKeyConvertible>(
    _ keys: (Object.Fields) -> (repeat each Key)
  ) -> [SortKey] {
    let chosen = keys(Object.fields)
    var result: [SortKey] = []
    for key in repeat each chosen { result.append(key.sortKey) }
    return result
  }

  /// At most so many objects; nil for all of them.
  public func limit(_ limit: Int?) -> Query { with { $0.limit = limit } }

  /// The objects without the first ones.
  public func offset(_ offset: Int) -> Query { with { $0.offset = offset } }

  /// The objects that come after one of them.
  public func after(_ id: ObjectID<Object>) -> Query { with { $0.anchor = .after(id.rawValue) } }

  /// The objects that come before one of them: with a limit, the last ones before it.
  public func before(_ id: ObjectID<Object>) -> Query { with { $0.anchor = .before(id.rawValue) } }

  /// One of the objects with so many before it and so many after it.
  public func around(_ id: ObjectID<Object>, before: Int, after: Int) -> Query {
    with { $0.anchor = .around(id.rawValue, before: before, after: after) }
  }

  /// So many objects before a date and so many from it on, in an order by a date.
  public func around(_ date: Timestamp, before: Int, after: Int) -> Query {
    with { $0.anchor = .aroundDate(date, before: before, after: after) }
  }

  /// So many objects before a date and so many from it on, in an order by a date.
  public func around(_ date: Date, before: Int, after: Int) -> Query {
    around(Timestamp(date), before: before, after: after)
  }
}

extension Query: CustomStringConvertible {
  public var description: String { untyped.description }
}

extension Query: Codable {
  /// Reads a ``QueryDescription``.
  /// - Throws: `DecodingError` for one of another kind.
  public init(from decoder: any Decoder) throws {
    untyped = try QueryDescription(from: decoder)
    guard untyped.kind == Object.kind else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A query for \(untyped.kind.rawValue), not for \(Object.kind.rawValue)"))
    }
  }

  public func encode(to encoder: any Encoder) throws { try untyped.encode(to: encoder) }
}
