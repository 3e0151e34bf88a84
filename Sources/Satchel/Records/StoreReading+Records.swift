import SatchelReading
public import SatchelRecords

extension StoreSnapshot {
  /// Returns the record with an identifier; nil if there is none, also if its type is not declared. One of the library's, whose name has that
  /// of a message or a conversation, is found by each of their names.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: ``SatchelError`` `corrupted` if damage is found; `closed` if the snapshot is no longer valid.
  public func record(_ id: Record.ID) throws -> Record? {
    try perform { try base.locateRecord(byAnyName: id).map { try base.makeRecord($0) } }
  }

  /// Returns the records with these identifiers, in the order of the identifiers, of whichever types; leaves out those that are not there.
  /// - Complexity: O(k log n) for k identifiers among n records of the store.
  /// - Throws: As ``record(_:)``, and `snapshotExpired` if the read outlives its lease.
  public func records(_ ids: [Record.ID]) throws -> [Record] {
    try perform {
      var records: [Record] = []
      records.reserveCapacity(ids.count)
      for (place, id) in ids.enumerated() {
        if place % Self.leaseInterval == Self.leaseInterval - 1 { try base.checkBounds() }
        if let key = try base.locateRecord(byAnyName: id) { records.append(try base.makeRecord(key)) }
      }
      return records
    }
  }

  /// Returns the record types that are declared, in the order of their first declarations, each with its fields, how many records of it
  /// there are, and the indexes and aggregates of these that are declared.
  /// - Complexity: O(log n) in the records of the store, for each type and each index.
  /// - Throws: As ``record(_:)``; ``SatchelError`` `syntaxError` if a newer version declared an index or an aggregate that this version cannot
  ///   read.
  public func types() throws -> [DeclaredTypeStatus] {
    let types = try perform { try base.recordTypes() }
    guard !types.isEmpty else { return [] }
    let (indexes, aggregates) = (try indexes(), try aggregates())
    return try perform {
      try types.map { declared in
        DeclaredTypeStatus(
          type: declared.type, records: try base.recordCount(ofType: declared.id),
          indexes: indexes.filter { $0.index.recordType == declared.type.name },
          aggregates: aggregates.filter { $0.recordType == declared.type.name })
      }
    }
  }

  /// Returns the declaration of a record type.
  /// - Throws: ``SatchelError`` `unknownRecordType`, with those that are declared; and as ``record(_:)``.
  package func declaredType(named name: String) throws -> RecordType {
    try perform { try base.existingRecordType(name).type }
  }

  /// Returns how many records of a type there are; 0 if the type is not declared.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: As ``record(_:)``.
  public func recordCount(of type: RecordType) throws -> Int {
    try perform { try base.recordType(named: type.name).map { try base.recordCount(ofType: $0.id) } ?? 0 }
  }
}

extension StoreReading {
  /// Returns the record with an identifier; nil if there is none, also if its type is not declared.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: As `StoreSnapshot.record(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func record(_ id: Record.ID) throws -> Record? { try read { try $0.record(id) } }

  /// Returns the records with these identifiers, of one state of the store: see `StoreSnapshot.records(_:)`.
  /// - Throws: As `StoreSnapshot.records(_:)` and `read(_:)`.
  public func records(_ ids: [Record.ID]) throws -> [Record] { try read { try $0.records(ids) } }

  /// Returns the record types that are declared, in the order of their first declarations, each with its fields, how many records of it
  /// there are, and the indexes and aggregates of these that are declared.
  /// - Complexity: O(log n) in the records of the store, for each type and each index.
  /// - Throws: As `StoreSnapshot.types()` and `read(_:)`.
  public func types() throws -> [DeclaredTypeStatus] { try read { try $0.types() } }

  /// Returns how many records of a type there are; 0 if the type is not declared.
  /// - Complexity: O(log n) in the records of the store.
  /// - Throws: As `StoreSnapshot.record(_:)` and `read(_:)`.
  public func recordCount(of type: RecordType) throws -> Int { try read { try $0.recordCount(of: type) } }
}
