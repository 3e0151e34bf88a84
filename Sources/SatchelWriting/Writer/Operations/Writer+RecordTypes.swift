internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading
package import SatchelRecords

/// Declares the types of an application's records.
extension Writer {
  /// Declares record types. A type that is declared already gets the fields that it does not have yet, and keeps the others; of fields that it
  /// has, it gets the actions.
  /// - Throws: ``SatchelError`` `invalidKey`; `unknownRecordType` for a field that refers to a type that is not declared;
  ///   `recordTypeDiffers` for a field that has another type, of which a record has a value of another type, or through which a path of a
  ///   declared index or aggregate leads. In each case nothing has changed.
  /// - Complexity: O(records of the type) if fields are added to a type that has records.
  package func declare(_ types: [RecordType]) throws {
    for type in types { try type.validate() }
    var last = try flushed.recordTypes().last?.id
    var changed = DeclaredRecordTypes()
    for type in types {
      guard let old = try changed.named(type.name) ?? flushed.recordType(named: type.name) else {
        let id = try number(after: last)
        changed.put(DeclaredRecordType(id: id, type: type, checksum: nil))
        last = id
        continue
      }
      let merged = try old.type.adding(type)
      guard merged != old.type else { continue }
      let added = merged.fields.filter { old.type.field(named: $0.name) == nil }
      if old.checksum != nil { try flushed.read { try $0.check(added, ofType: old) } }
      changed.put(DeclaredRecordType(id: old.id, type: merged, checksum: old.checksum))
    }
    for declared in changed.all { try checkTargets(of: declared.type, with: changed) }
    guard !changed.all.isEmpty else { return }
    try flushed.read { try $0.checkDeclared(of: changed.all, by: evaluator) }
    try changing {
      for declared in changed.all {
        let record = RecordTypeEntry(declared.type).encode(id: declared.id)
        try tables.put(
          .recordTypes, ObjectKey.recordType(id: declared.id).bytes, record, replacing: declared.checksum)
        flushed.note(
          DeclaredRecordType(
            id: declared.id, type: declared.type, checksum: RecordFrame.storedChecksum(record)))
      }
      turn.grows = true
    }
  }

  /// Returns the number of a new type. In a damaged store, in which definitions are missing, it is not that of one of these: its records
  /// would be of the new type.
  private func number(after last: UInt32?) throws -> UInt32 {
    guard last.map({ $0 < IndexedRecord.maximumType }) ?? true else {
      throw SatchelError(.storeFull, "The store has no numbers left for record types")
    }
    let next = last.map { $0 + 1 } ?? 0
    try flushed.scanObjects(from: .record(TypedRecordKey(type: next, sequence: 0))) { key, _ in
      guard case .record(let key) = key else { return false }
      throw RecordError("recordTypes", "\(key.type)", "a record is of this type, and it is missing")
    }
    return next
  }

  /// Checks that the type is declared whose records an aggregate or an index of the application is of.
  func check(recordType name: [UInt8], _ context: [String: [UInt8]]) throws {
    do { _ = try flushed.existingRecordType(String(decoding: name, as: UTF8.self)) } catch let error
      as SatchelError
    {
      throw error.adding(context.mapValues { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// Checks that fields refer to types that are declared, or are declared with theirs.
  private func checkTargets(of type: RecordType, with changed: DeclaredRecordTypes) throws {
    for field in type.fields {
      guard let target = field.type.neededType, changed.named(target) == nil,
        try flushed.recordType(named: target) == nil
      else { continue }
      let known = try flushed.recordTypes() + changed.all.filter { $0.checksum == nil }
      throw SatchelError(
        .unknownRecordType, "A field refers to a record type that is not declared: declare both together",
        [
          "recordType": type.name, "field": field.name, "target": target,
          "declared": known.map(\.type.name).joined(separator: " "),
        ])
    }
  }
}
