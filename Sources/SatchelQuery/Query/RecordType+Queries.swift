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

extension Query<Record> {
  /// Returns the query for records of which the program has computed a value, once for each when it has been read.
  ///
  /// ```swift
  /// let now = Date.now
  /// let tasks = todo.order { $0.due }.including(\.list).computing("isLate") { task in
  ///   .boolean((task["due"]?.timestampValue?.date ?? .distantFuture) < now)
  /// }
  /// for task in try store.fetch(tasks) { print(task.computed("isLate") == true ? "late" : "in time") }
  /// ```
  ///
  /// Reads of one record, of pages and lists that are kept up to date have it alike. In such a list it is computed anew when the record or
  /// what comes along with it has changed, and at no other time. Predicates, orders and groups know nothing of it: it is no field.
  /// - Parameters:
  ///   - name: The name by which `Record.computed(_:)` finds it. It takes the place of another one of that name.
  ///   - value: Computes it of a record, which has the objects that come along, and no other computed value; nil for no value. It is called
  ///     in the midst of the read, on the thread that reads, and has to be fast.
  /// - Returns: A query that is equal to its copies alone, because closures do not compare, and that cannot be encoded.
  public func computing(
    _ name: String, _ value: @escaping @Sendable (_ record: Record) -> MetadataValue?
  ) -> Query {
    with {
      $0.computations.removeAll { $0.name == name }
      $0.computations.append(RecordComputation(name, value))
    }
  }
}

extension Record: Queryable {
  /// The kind that queries of this type ask for. Which records they are is said by their type: see ``RecordType/query``.
  public static var kind: ObjectKind { .records }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: RecordFields { RecordFields() }
}
