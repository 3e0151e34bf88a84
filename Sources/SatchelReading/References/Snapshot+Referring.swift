internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

extension Snapshot {
  private static let referringAtOnce = 4096

  /// Returns the records that refer to an object by declared fields, with the names of these.
  /// - Complexity: O(log n) for each field that may refer to an object of its type, and O(1) a record.
  package func records(
    referringTo target: Reference
  ) throws -> [(record: TypedRecordKey, field: String)] {
    guard try mayBeReferred(to: target.type) else { return [] }
    return try referenceFields().filter { $0.field.mayRefer(to: target.type) }.flatMap { field in
      try records(ofType: field.type.id, referringTo: target, by: field.field.name)
        .map { ($0, field.field.name) }
    }
  }

  /// Returns the records of a type that refer to an object by a field, in the order of their creation.
  /// - Complexity: O(log n), and O(1) a record.
  package func records(
    ofType type: UInt32, referringTo target: Reference, by field: String
  ) throws -> [TypedRecordKey] {
    guard let path = try metadataPaths.number(of: MetadataPath([field]).stored) else { return [] }
    let group = IndexedRecord.group(ofType: type, path: path, texts: false)
    let text = [ValueKey.Tag.reference] + target.keyBytes
    let range = TextRange.text(text, group: group)
    var rows: [UInt64] = []
    var cursor = try forest.cursor(IndexCatalog.recordFields.tree)
    try cursor.seek(to: range.lower)
    while try cursor.read(into: &rows, upTo: range.upper, limit: Self.referringAtOnce) {}
    return rows.map { TypedRecordKey(type: type, sequence: $0) }
  }
}
