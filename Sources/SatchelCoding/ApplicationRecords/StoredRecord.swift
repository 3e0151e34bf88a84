internal import SatchelBytes
package import SatchelModel

/// The values that the store keeps of a record of an application. FORMAT.md, 5.18.
package struct StoredRecord: Sendable, Hashable {
  /// The UTF-8 bytes of its name among the records of its type.
  package var identifier: [UInt8]
  /// The interned ids of users.
  package var owner: UInt32
  package var createdBy: UInt32
  package var updatedBy: UInt32
  /// Microseconds since 1970.
  package var createdAt: Int64
  package var updatedAt: Int64
  package var fields: Metadata

  package init(
    identifier: [UInt8], owner: UInt32, createdBy: UInt32, updatedBy: UInt32, createdAt: Int64,
    updatedAt: Int64, fields: Metadata
  ) {
    self.identifier = identifier
    self.owner = owner
    self.createdBy = createdBy
    self.updatedBy = updatedBy
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.fields = fields
  }

  /// Returns the bytes of the record under a key.
  package func encode(key: TypedRecordKey) -> [UInt8] {
    var writer = RecordFrame.writer(.record, capacity: 256)
    writer.u16(0)
    writer.u32(owner)
    writer.u32(createdBy)
    writer.u32(updatedBy)
    writer.u64(UInt64(bitPattern: createdAt))
    writer.u64(UInt64(bitPattern: updatedAt))
    writer.counted(identifier)
    MetadataView.write(fields, to: &writer)
    return RecordFrame.finish(&writer, key: key.bytes)
  }
}
