internal import SatchelBytes
internal import SatchelModel

/// A record of an application, read in place; see `MessageView` for what that means.
@safe package struct RecordView {
  package let key: TypedRecordKey
  private let body: UnsafeRawBufferPointer
  private let identifierRange: Range<Int>

  /// The size of what is at fixed offsets, in bytes; the identifier and the fields follow.
  private static let fixedBytes = 32

  /// Checks the record.
  /// - Complexity: O(size of the record).
  package init(_ bytes: UnsafeRawBufferPointer, key: TypedRecordKey) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .record, key: key.bytes, minimum: Self.fixedBytes + 2)
    let span = unsafe body.bytes
    identifierRange = try RecordFrame.decode(.record) { () throws(ByteError) in
      guard span.u16(2) == 0 else { throw ByteError(offset: 2) }
      var reader = ByteReader(offset: Self.fixedBytes)
      let identifier = try reader.counted(span)
      guard !identifier.isEmpty else { throw ByteError(offset: Self.fixedBytes) }
      for offset in identifier where span.u8(offset) == 0 { throw ByteError(offset: offset) }
      try MetadataView.check(span, reader.offset..<span.byteCount, mayRefer: true)
      return identifier
    }
    self.key = key
    unsafe self.body = body
  }

  /// The whole record, checksum included.
  package var record: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: body.baseAddress, count: body.count + RecordFrame.checksumBytes)
  }

  /// The record's checksum, which is what it adds to the digest of its table.
  package var checksum: UInt64 { unsafe RecordFrame.storedChecksum(record) }

  /// The interned ids of users.
  package var owner: UInt32 { unsafe body.bytes.u32(4) }
  package var createdBy: UInt32 { unsafe body.bytes.u32(8) }
  package var updatedBy: UInt32 { unsafe body.bytes.u32(12) }
  /// Microseconds since 1970.
  package var createdAt: Int64 { Int64(bitPattern: unsafe body.bytes.u64(16)) }
  package var updatedAt: Int64 { Int64(bitPattern: unsafe body.bytes.u64(24)) }

  /// The UTF-8 bytes of its name among the records of its type.
  package var identifierBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: body[identifierRange])
  }

  /// Returns its name among the records of its type.
  package func identifier() throws(CodingError) -> String {
    unsafe try RecordFrame.text(identifierBytes, in: .record)
  }

  /// The fields, read in place.
  package var fields: MetadataView {
    unsafe MetadataView(UnsafeRawBufferPointer(rebasing: body[identifierRange.upperBound...]))
  }

  /// Returns the whole record as values.
  package func values() throws(CodingError) -> StoredRecord {
    StoredRecord(
      identifier: unsafe Array(identifierBytes), owner: owner, createdBy: createdBy, updatedBy: updatedBy,
      createdAt: createdAt, updatedAt: updatedAt, fields: try fields.decode(in: .record))
  }
}
