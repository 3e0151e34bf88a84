internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading
package import SatchelRecords
import SatchelText

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
    var known = try flushed.recordTypes()
    var changed: [DeclaredRecordType] = []
    for type in types {
      let place = known.firstIndex { UTF8Order.areEqual($0.type.name, type.name) }
      if let place {
        let old = known[place]
        let merged = try old.type.adding(type)
        guard merged != old.type else { continue }
        let added = merged.fields.filter { old.type.field(named: $0.name) == nil }
        if old.checksum != nil { try flushed.read { try $0.check(added, ofType: old) } }
        known[place] = DeclaredRecordType(id: old.id, type: merged, checksum: old.checksum)
        changed.removeAll { $0.id == old.id }
        changed.append(known[place])
      } else {
        let new = DeclaredRecordType(id: try number(after: known), type: type, checksum: nil)
        known.append(new)
        changed.append(new)
      }
    }
    for declared in changed { try checkTargets(of: declared.type, known) }
    guard !changed.isEmpty else { return }
    try flushed.read { try $0.checkDeclared(of: changed, among: known, by: evaluator) }
    try changing {
      for declared in changed {
        try tables.put(
          .recordTypes, ObjectKey.recordType(id: declared.id).bytes,
          RecordTypeEntry(declared.type).encode(id: declared.id), replacing: declared.checksum)
      }
      flushed.forgetRecordTypes()
      turn.grows = true
    }
  }

  /// Returns the number of a new type. In a damaged store, in which definitions are missing, it is not that of one of these: its records
  /// would be of the new type.
  private func number(after known: [DeclaredRecordType]) throws -> UInt32 {
    let last = known.last?.id
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
  private func checkTargets(of type: RecordType, _ known: [DeclaredRecordType]) throws {
    for field in type.fields {
      guard let target = field.type.neededType,
        !known.contains(where: { UTF8Order.areEqual($0.type.name, target) })
      else { continue }
      throw SatchelError(
        .unknownRecordType, "A field refers to a record type that is not declared: declare both together",
        [
          "recordType": type.name, "field": field.name, "target": target,
          "declared": known.map(\.type.name).joined(separator: " "),
        ])
    }
  }
}
