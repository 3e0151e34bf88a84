internal import SatchelIndexing
internal import SatchelModel
internal import SatchelRecords
internal import SatchelText

/// A declared field of references of which records may have values.
struct ReferringField {
  /// The type of the records.
  let type: DeclaredRecordType
  let field: RecordType.Field
  /// The group of its values in `recordFields`.
  let group: UInt64
  /// Whether fields may refer to records of the type.
  let isReferred: Bool
}

extension Snapshot {
  /// Returns the declared fields of references, but for those that no record has ever had.
  func referenceFields() throws -> [ReferringField] {
    var fields: [ReferringField] = []
    for declared in try recordTypes() {
      let isReferred = try mayBeReferred(to: declared.type.name)
      for field in declared.type.fields where field.type.isReference {
        // Of such a name, the text of the key path is the name.
        guard let path = try metadataPaths.number(of: field.name) else { continue }
        let group = IndexedRecord.group(ofType: declared.id, path: path, texts: false)
        fields.append(ReferringField(type: declared, field: field, group: group, isReferred: isReferred))
      }
    }
    return fields
  }

  /// Whether a declared field may refer to objects of a type. Read once for each type, as the declarations are.
  package func mayBeReferred(to type: String) throws -> Bool {
    let key = ByteString(type)
    if let known = knownReferred[key] { return known }
    let isReferred = try recordTypes().contains { $0.type.fields.contains { $0.mayRefer(to: type) } }
    knownReferred[key] = isReferred
    return isReferred
  }
}
