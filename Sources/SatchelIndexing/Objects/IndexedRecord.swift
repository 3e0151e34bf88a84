package import RankedKeys
package import SatchelCoding

/// The properties of a record of an application that the indexes use.
package struct IndexedRecord: Sendable, Hashable {
  package var key: TypedRecordKey
  /// The UTF-8 bytes of its name among the records of its type, which never changes.
  package var identifier: [UInt8]
  /// The values of its fields.
  package var fields: [IndexedValue]

  package init(key: TypedRecordKey, identifier: [UInt8], fields: [IndexedValue]) {
    self.key = key
    self.identifier = identifier
    self.fields = fields
  }

  /// The greatest number of a type. The group of a field's values has the type's number above the bits of `IndexedValue.group`.
  package static let maximumType: UInt32 = 1 << 30

  /// Returns the group of a field's values in `recordFields`.
  package static func group(ofType type: UInt32, path: UInt32, texts: Bool) -> UInt64 {
    UInt64(type) << 33 | IndexedValue.group(ofPath: path, texts: texts)
  }

  /// Returns the range of the values of all fields of a type in `recordFields`.
  package static func fields(ofType type: UInt32) -> TextRange {
    TextRange(lower: .before(group: UInt64(type) << 33), upper: .before(group: (UInt64(type) + 1) << 33))
  }

  /// Returns the type of a group in `recordFields`.
  package static func type(ofGroup group: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: group >> 33) }

  /// Returns the group of the identifiers of a type in `recordIdentifier`.
  package static func group(ofType type: UInt32) -> UInt64 { UInt64(type) }
}

extension IndexChanges {
  /// Adds what changes in the indexes if a record goes from state `old` to state `new`. A state is nil if the record does not exist.
  /// Both states must have the same key.
  package mutating func change(from old: IndexedRecord?, to new: IndexedRecord?) {
    guard old != new else { return }
    change(IndexCatalog.recordCreated.tree, old?.createdRow, new?.createdRow)
    change(IndexCatalog.recordIdentifier.tree, old?.identifierKeys ?? [], new?.identifierKeys ?? [])
    change(IndexCatalog.recordFields.tree, old?.fieldKeys ?? [], new?.fieldKeys ?? [])
  }
}

extension IndexedRecord {
  fileprivate var createdRow: Words { Words(UInt64(key.type), key.sequence) }

  fileprivate var identifierKeys: [TextKey] {
    [TextKey(group: Self.group(ofType: key.type), text: identifier, row: key.sequence)]
  }

  fileprivate var fieldKeys: [TextKey] {
    fields.keys(row: key.sequence) { Self.group(ofType: key.type, path: $0, texts: $1) }
  }
}
