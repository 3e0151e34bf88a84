import SatchelReading
public import SatchelRecords

extension MessageStore {
  /// Declares record types, in a write of its own; see `WriteTransaction.declare(_:)`. If they are declared already with all of their fields,
  /// only reads.
  /// - Throws: As `WriteTransaction.declare(_:)`; and as a write.
  public func declare(_ types: RecordType...) throws {
    if try read({ try $0.areDeclared(types) }) { return }
    try write { try $0.declare(types) }
  }

  /// Declares record types, in a write of its own. If they are declared already with all of their fields, only reads.
  /// - Throws: As `WriteTransaction.declare(_:)`; and as a write.
  public func declare(_ types: RecordType...) async throws {
    if try await read({ try $0.areDeclared(types) }) { return }
    try await write { try $0.declare(types) }
  }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns the record with an identifier; nil if there is none, also if its type is not declared.
  /// - Throws: As the synchronous form.
  public func record(_ id: Record.ID) async throws -> Record? { try await read { try $0.record(id) } }

  /// Returns the records with these identifiers, of one state of the store: see `StoreSnapshot.records(_:)`.
  /// - Throws: As the synchronous form.
  public func records(_ ids: [Record.ID]) async throws -> [Record] { try await read { try $0.records(ids) } }

  /// Returns the record types that are declared, in the order of their first declarations, each with its fields, how many records of it
  /// there are, and the indexes and aggregates of these that are declared.
  /// - Throws: As the synchronous form.
  public func types() async throws -> [DeclaredTypeStatus] { try await read { try $0.types() } }

  /// Returns how many records of a type there are; 0 if the type is not declared.
  /// - Throws: As the synchronous form.
  public func recordCount(of type: RecordType) async throws -> Int {
    try await read { try $0.recordCount(of: type) }
  }
}

extension StoreSnapshot {
  /// Whether types are declared, with all of their fields and the fields' types and actions.
  fileprivate func areDeclared(_ types: [RecordType]) throws -> Bool {
    try perform {
      try types.allSatisfy { type in
        guard let declared = try base.recordType(named: type.name)?.type else { return false }
        return type.fields.allSatisfy { declared.field(named: $0.name) == $0 }
      }
    }
  }
}
