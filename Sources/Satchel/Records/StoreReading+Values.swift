import SatchelModel
public import SatchelQuery
public import SatchelRecords

// Values of the program's own types, made of records.

extension StoreSnapshot {
  /// Returns the results of a query for records as values, in the order of the query.
  /// - Complexity: As ``fetch(_:)``.
  /// - Throws: As ``fetch(_:)``; ``SatchelError`` `invalidValue` if the query is for records of another type, or if a record is no value of
  ///   the type, which names the record, the field and both types.
  public func fetch<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws -> [Value] {
    try query.check(for: type)
    var values: [Value] = []
    try forEach(query) { values.append(try $0.value(as: type)) }
    return values
  }

  /// Returns the first result of a query for records as a value, or nil if there is none.
  /// - Complexity: As ``first(_:)``.
  /// - Throws: As ``fetch(_:as:)``.
  public func first<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws -> Value? {
    try query.check(for: type)
    return try first(query)?.value(as: type)
  }

  /// Returns the results of a query for records as values, and where they lie among all its results.
  /// - Complexity: As ``page(_:)``.
  /// - Throws: As ``fetch(_:as:)``.
  public func page<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws
    -> ResultPage<Value>
  {
    try query.check(for: type)
    let page = try page(query)
    return ResultPage(
      objects: try page.objects.map { try $0.value(as: type) }, totalCount: page.totalCount,
      rowsBefore: page.rowsBefore)
  }

  /// Returns the value with an identifier; nil if there is no record of it, also if its type is not declared.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: As ``record(_:)``; ``SatchelError`` `invalidIdentifier`; `invalidValue` if the record is no value of the type.
  public func record<Value: StorableRecord>(_ id: Value.ID, as type: Value.Type) throws -> Value? {
    try record(Reference(type, id))?.value(as: type)
  }

  /// Returns the values with these identifiers, in the order of the identifiers; leaves out those that are not there.
  /// - Complexity: As ``records(_:)``.
  /// - Throws: As ``records(_:)`` and ``record(_:as:)``.
  public func records<Value: StorableRecord>(_ ids: [Value.ID], as type: Value.Type) throws -> [Value] {
    try records(ids.map { try Reference(type, $0) }).map { try $0.value(as: type) }
  }
}

extension Query<Record> {
  /// Checks that a query that names a record type names that of values.
  fileprivate func check<Value: StorableRecord>(for type: Value.Type) throws {
    let expected = Value.recordType.name
    guard let found = untyped.recordType, !found.utf8.elementsEqual(expected.utf8) else { return }
    throw SatchelError(
      .invalidValue, "The query is for records of another type than the values",
      ["type": "\(type)", "expected": expected, "recordType": found])
  }
}

extension StoreReading {
  /// Returns the results of a query for records as values, in the order of the query.
  /// - Complexity: As `StoreSnapshot.fetch(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:as:)` and `read(_:)`.
  public func fetch<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws -> [Value] {
    try read { try $0.fetch(query, as: type) }
  }

  /// Returns the first result of a query for records as a value, or nil if there is none.
  /// - Complexity: As `StoreSnapshot.first(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:as:)` and `read(_:)`.
  public func first<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws -> Value? {
    try read { try $0.first(query, as: type) }
  }

  /// Returns the results of a query for records as values, and where they lie among all its results.
  /// - Complexity: As `StoreSnapshot.page(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:as:)` and `read(_:)`.
  public func page<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) throws
    -> ResultPage<Value>
  {
    try read { try $0.page(query, as: type) }
  }

  /// Returns the value with an identifier; nil if there is no record of it, also if its type is not declared.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: As `StoreSnapshot.record(_:as:)` and `read(_:)`.
  public func record<Value: StorableRecord>(_ id: Value.ID, as type: Value.Type) throws -> Value? {
    try read { try $0.record(id, as: type) }
  }

  /// Returns the values with these identifiers, of one state of the store: see `StoreSnapshot.records(_:as:)`.
  /// - Throws: As `StoreSnapshot.records(_:as:)` and `read(_:)`.
  public func records<Value: StorableRecord>(_ ids: [Value.ID], as type: Value.Type) throws -> [Value] {
    try read { try $0.records(ids, as: type) }
  }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns the results of a query for records as values, in the order of the query.
  /// - Throws: As the synchronous form.
  public func fetch<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) async throws
    -> [Value]
  {
    try await read { try $0.fetch(query, as: type) }
  }

  /// Returns the first result of a query for records as a value, or nil if there is none.
  /// - Throws: As the synchronous form.
  public func first<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) async throws
    -> Value?
  {
    try await read { try $0.first(query, as: type) }
  }

  /// Returns the results of a query for records as values, and where they lie among all its results.
  /// - Throws: As the synchronous form.
  public func page<Value: StorableRecord>(_ query: Query<Record>, as type: Value.Type) async throws
    -> ResultPage<Value>
  {
    try await read { try $0.page(query, as: type) }
  }

  /// Returns the value with an identifier; nil if there is no record of it, also if its type is not declared.
  /// - Throws: As the synchronous form.
  public func record<Value: StorableRecord>(_ id: Value.ID, as type: Value.Type) async throws -> Value? {
    let reference = try Reference(type, id)
    return try await read { try $0.record(reference)?.value(as: type) }
  }

  /// Returns the values with these identifiers, of one state of the store: see `StoreSnapshot.records(_:as:)`.
  /// - Throws: As the synchronous form.
  public func records<Value: StorableRecord>(_ ids: [Value.ID], as type: Value.Type) async throws -> [Value] {
    let references = try ids.map { try Reference(type, $0) }
    return try await read { try $0.records(references).map { try $0.value(as: type) } }
  }
}
