public import SatchelModel
public import SatchelRecords

// The queries for the records of a type. A query names the type, and a store knows what is declared of it.
extension RecordType {
  /// A query for every record of the type, in the order of creation.
  public var query: Query<Record> { Query(recordType: name) }

  /// Returns a query for the records that meet a predicate: `todo.filter { $0.done == false && $0.order > 7 }`.
  public func filter<Filter: PredicateConvertible>(_ predicate: (RecordFields) -> Filter) -> Query<Record> {
    query.filter(predicate)
  }

  /// Returns a query for the records that meet a predicate.
  public func filter(_ predicate: QueryPredicate) -> Query<Record> { query.filter(predicate) }

  /// Returns a query for every record of the type, sorted by a key: `todo.order { $0.due.descending }`.
  public func order<Key: SortKeyConvertible>(_ key: (RecordFields) -> Key) -> Query<Record> {
    query.order(key)
  }

  /// Returns a query for every record of the type, sorted by several keys: `todo.order { ($0.list, $0.due.descending) }`.
  public func order<
    First: SortKeyConvertible, Second: SortKeyConvertible, each Key: SortKeyConvertible
  >(
    _ keys: (RecordFields) -> (First, Second, repeat each Key)
  ) -> Query<Record> { query.order(keys) }

  /// Returns a query for every record of the type, sorted by `keys`.
  public func order(_ keys: [SortKey]) -> Query<Record> { query.order(keys) }
}

extension Record: Queryable {
  /// The kind that queries of this type ask for. Which records they are is said by their type: see ``RecordType/query``.
  public static var kind: ObjectKind { .records }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: RecordFields { RecordFields() }
}
