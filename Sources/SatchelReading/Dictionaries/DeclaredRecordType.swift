package import SatchelRecords

/// A record type that an application has declared: its number, what it is, and the checksum of its definition's record; nil of one that
/// is only about to be declared.
package struct DeclaredRecordType: Sendable, Hashable {
  package let id: UInt32
  package let type: RecordType
  package let checksum: UInt64?

  package init(id: UInt32, type: RecordType, checksum: UInt64?) {
    self.id = id
    self.type = type
    self.checksum = checksum
  }
}
