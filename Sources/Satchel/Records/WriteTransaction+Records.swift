public import SatchelRecords

// Records of the application's own types.
extension WriteTransaction {
  /// Declares record types, so that the store keeps records of them. A type that is declared already gets the fields that it does not have yet,
  /// and keeps the others; if it lacks none, nothing changes.
  /// - Parameter types: The types. A field may refer to a type that is declared with it.
  /// - Throws: ``SatchelError`` `invalidKey` for a name that cannot be; `unknownRecordType` for a field that refers to a type that is not
  ///   declared; `recordTypeDiffers`, which names the field and both types, if a field has another type, or if a record has a value of another
  ///   type in a new field. In each case nothing has changed.
  /// - Complexity: O(records of the type) for a type that has records and gets fields.
  public func declare(_ types: RecordType...) throws { try declare(types) }

  /// Declares record types; see `declare(_:)` of single ones.
  public func declare(_ types: [RecordType]) throws { try perform { try writer.declare(types) } }

  /// Stores a record: a new one, or in place of the one that has its type and name. Of that one ``Record/createdAt``, ``Record/createdBy`` and,
  /// unless the record has one, ``Record/owner`` stay; fields that the record does not have are removed. Of what the
  /// record says of itself, only its owner and its fields are taken.
  /// - Returns: The record as it is stored. If it is equal to the one that was there, nothing has changed, not even ``Record/updatedAt``.
  /// - Throws: ``SatchelError`` `unknownRecordType`; `invalidIdentifier`; `invalidKey` or `invalidValue`, which name the field. In each case
  ///   nothing has changed.
  /// - Complexity: O(f log n) for f fields and n records.
  @discardableResult
  public func save(_ record: Record) throws -> Record { try perform { try writer.save(record) } }

  /// Stores a value as a record: a new one, or in place of the one that has the value's type and identifier; see ``save(_:)-(Record)``. Fields
  /// that the value does not have are removed, also those that another program has given the record.
  /// - Returns: The record as it is stored.
  /// - Throws: ``SatchelError`` as ``save(_:)-(Record)``; `invalidValue` for what no field can hold, which names the coding path; what the value
  ///   throws when it is encoded. In each case nothing has changed.
  /// - Complexity: As ``save(_:)-(Record)``.
  @discardableResult
  public func save<Value: StorableRecord>(_ value: Value) throws -> Record { try save(Record(value)) }

  /// Changes a record: whatever of its fields and its owner the closure changes.
  ///
  /// ```swift
  /// try transaction.update(task.id) { $0["done"] = true }
  /// ```
  /// - Returns: The record as it is stored then.
  /// - Throws: ``SatchelError`` `unknownRecord`, and as ``save(_:)-(Record)``; what the closure throws. In each case nothing has changed.
  /// - Complexity: As ``save(_:)-(Record)``.
  @discardableResult
  public func update(_ id: Record.ID, _ change: (inout Record) throws -> Void) throws -> Record {
    try perform { try writer.update(record: id, change) }
  }

  /// Deletes a record. When the write ends, the records whose declared fields refer to it are deleted as well, lose the field, or make the
  /// write fail with `referenced`, as the field's ``ReferenceAction`` says; until then they are as they were. In fields that are not
  /// declared, references stay and name nothing any more.
  /// - Throws: ``SatchelError`` `unknownRecordType` or `unknownRecord`.
  /// - Complexity: As ``save(_:)-(Record)``.
  public func delete(_ record: Record.ID) throws { try perform { try writer.delete(record: record) } }
}
