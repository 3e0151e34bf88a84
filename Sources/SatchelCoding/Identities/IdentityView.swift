internal import SatchelBytes
package import SatchelModel

/// The record of an identity, read in place; see `MessageView` for what that means.
@safe package struct IdentityView {
  /// The bit of the record's third byte that says "followed"; the bits below say which texts exist.
  static let followedFlag: UInt8 = 128
  /// The bit of the record's fourth byte that says that the date follows on which the user was last seen.
  static let lastSeenFlag: UInt8 = 128
  /// The bits of the fourth byte that have the number of the presence status plus 1; 0 if it is not known.
  static let presenceBits: UInt8 = 7
  /// The size of the fields at fixed offsets, in bytes; the date, the texts and the metadata follow.
  static let fixedBytes = 8

  /// The identity's row.
  package let row: UInt32
  private let body: UnsafeRawBufferPointer
  private let metadataStart: UInt32

  /// Checks the record.
  /// - Complexity: O(size of the record).
  package init(_ bytes: UnsafeRawBufferPointer, row: UInt32) throws(CodingError) {
    let key = ObjectKey.identity(row: row).bytes
    let body = unsafe try RecordFrame.open(bytes, .identity, key: key, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    let end = try RecordFrame.decode(.identity) { () throws(ByteError) in
      // The first version has neither a public key nor the flags of the fourth byte.
      guard span.u8(1) > 1 || span.u8(2) & 0x40 == 0 && span.u8(3) == 0,
        span.u8(3) & ~(Self.lastSeenFlag | Self.presenceBits) == 0,
        span.u8(3) & Self.presenceBits <= UInt8(PresenceStatus.allCases.count)
      else { throw ByteError(offset: 2) }
      var reader = ByteReader(offset: Self.startOfTexts(span))
      guard reader.offset <= span.byteCount else { throw ByteError(offset: reader.offset) }
      for bit in StoredIdentity.texts.indices where span.u8(2) >> UInt8(bit) & 1 == 1 {
        _ = try reader.counted(span)
      }
      try MetadataView.check(span, reader.offset..<span.byteCount)
      return reader.offset
    }
    self.row = row
    unsafe self.body = body
    metadataStart = UInt32(truncatingIfNeeded: end)
  }
}

extension IdentityView {
  /// The whole record, checksum included.
  package var record: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: body.baseAddress, count: body.count + RecordFrame.checksumBytes)
  }

  /// The record's checksum, which is what it adds to the digest of its table.
  package var checksum: UInt64 { unsafe RecordFrame.storedChecksum(record) }

  /// The interned user id.
  package var user: UInt32 { unsafe body.bytes.u32(4) }
  package var followed: Bool { unsafe body.bytes.u8(2) & Self.followedFlag != 0 }
  package var presenceStatus: PresenceStatus? {
    let number = unsafe body.bytes.u8(3) & Self.presenceBits
    return number == 0 ? nil : PresenceStatus(rawValue: number - 1)
  }
  /// Microseconds since 1970.
  package var lastSeenAt: Int64? {
    let span = unsafe body.bytes
    return span.u8(3) & Self.lastSeenFlag == 0 ? nil : Int64(bitPattern: span.u64(Self.fixedBytes))
  }

  private static func startOfTexts(_ span: RawSpan) -> Int {
    fixedBytes + (span.u8(3) & lastSeenFlag == 0 ? 0 : 8)
  }

  /// Returns the UTF-8 bytes of one of the optional texts; nil if it is missing.
  package func bytes(of field: ObjectField) -> UnsafeRawBufferPointer? {
    guard let bit = StoredIdentity.texts.firstIndex(of: field) else { return nil }
    let span = unsafe body.bytes
    let flags = span.u8(2)
    guard flags >> UInt8(bit) & 1 == 1 else { return nil }
    var reader = ByteReader(offset: Self.startOfTexts(span))
    for other in 0..<bit where flags >> UInt8(other) & 1 == 1 {
      guard (try? reader.counted(span)) != nil else { return nil }
    }
    guard let range = try? reader.counted(span) else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: body[range])
  }

  /// Returns one of the optional texts; nil if it is missing.
  package func text(_ field: ObjectField) throws(CodingError) -> String? {
    guard let bytes = unsafe bytes(of: field) else { return nil }
    return unsafe try RecordFrame.text(bytes, in: .identity)
  }

  /// The metadata, read in place.
  package var metadata: MetadataView {
    unsafe MetadataView(UnsafeRawBufferPointer(rebasing: body[Int(metadataStart)...]))
  }

  /// Returns the whole record as values.
  package func fields() throws(CodingError) -> StoredIdentity {
    var identity = Identity(
      userID: Identity.ID(""), followed: followed, metadata: try metadata.decode(in: .identity))
    identity.presenceStatus = presenceStatus
    identity.lastSeenTimestamp = lastSeenAt.map { Timestamp(microseconds: $0) }
    for field in StoredIdentity.texts { identity[field] = .text(try text(field)) }
    return StoredIdentity(identity, user: user)
  }
}
