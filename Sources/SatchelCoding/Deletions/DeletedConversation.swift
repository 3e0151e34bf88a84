internal import SatchelBytes
package import SatchelModel

/// A conversation that the store's user has deleted: what it was, without its messages, and up to where these are deleted. It is kept
/// under the hash of its identifier and, if it has one, under that of its remote identifier.
package struct DeletedConversation: Sendable, Hashable {
  /// The UTF-8 bytes of the identifier.
  package var identifier: [UInt8]
  /// The UTF-8 bytes of the remote identifier; nil if it had none.
  package var remoteID: [UInt8]?
  /// The interned set of the participants.
  package var participantSet: UInt32
  /// Microseconds since 1970.
  package var createdAt: Int64?
  package var isDistinct: Bool
  package var metadata: Metadata
  package var floor: DeletionFloor

  package init(
    identifier: [UInt8], remoteID: [UInt8]? = nil, participantSet: UInt32, createdAt: Int64? = nil,
    isDistinct: Bool = false, metadata: Metadata = Metadata(), floor: DeletionFloor = DeletionFloor()
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.participantSet = participantSet
    self.createdAt = createdAt
    self.isDistinct = isDistinct
    self.metadata = metadata
    self.floor = floor
  }

  /// Whether the conversation had a name, as its identifier or its remote identifier.
  package func isNamed(_ name: [UInt8]) -> Bool { identifier == name || remoteID == name }

  /// The hashes under which it is kept, each once.
  package var hashes: [UInt64] {
    let own = KeyWords.identifierHash(identifier)
    let other = remoteID.map { KeyWords.identifierHash($0) }
    return other.map { $0 == own ? [own] : [own, $0] } ?? [own]
  }

  private enum Flag {
    static let isDistinct: UInt8 = 1
    static let hasCreatedAt: UInt8 = 2
    static let hasPosition: UInt8 = 4
    static let hasSentAt: UInt8 = 8
    static let hasRemoteID: UInt8 = 16
    static let all: UInt8 = 31
  }

  private static let fixedBytes = 32

  /// Returns the bytes of the record under one of the hashes.
  package func encode(hash: UInt64) -> [UInt8] {
    var metadataBytes = ByteWriter()
    MetadataView.write(metadata, to: &metadataBytes)
    var writer = RecordFrame.writer(
      .deletedConversation, capacity: 48 + identifier.count + metadataBytes.count)
    writer.u8(
      (isDistinct ? Flag.isDistinct : 0) | (createdAt == nil ? 0 : Flag.hasCreatedAt)
        | (floor.position == nil ? 0 : Flag.hasPosition) | (floor.sentAt == nil ? 0 : Flag.hasSentAt)
        | (remoteID == nil ? 0 : Flag.hasRemoteID))
    writer.u8(0)
    writer.u32(participantSet)
    writer.u64(UInt64(bitPattern: createdAt ?? 0))
    writer.u64(UInt64(bitPattern: floor.position ?? 0))
    writer.u64(UInt64(bitPattern: floor.sentAt ?? 0))
    writer.counted(identifier)
    if let remoteID { writer.counted(remoteID) }
    writer.append(metadataBytes.bytes)
    return RecordFrame.finish(&writer, key: ObjectKey.deletedConversation(hash: hash).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, hash: UInt64) throws(CodingError) {
    let key = ObjectKey.deletedConversation(hash: hash).bytes
    let body = unsafe try RecordFrame.open(bytes, .deletedConversation, key: key, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    let flags = span.u8(2)
    guard flags & ~Flag.all == 0, span.u8(3) == 0, flags & Flag.hasCreatedAt != 0 || span.u64(8) == 0,
      flags & Flag.hasPosition != 0 || span.u64(16) == 0, flags & Flag.hasSentAt != 0 || span.u64(24) == 0
    else { throw CodingError(.deletedConversation, .malformed, offset: 2) }
    let (identifier, remoteID, metadata) = try RecordFrame.decode(.deletedConversation) {
      () throws(ByteError) in
      var reader = ByteReader(offset: Self.fixedBytes)
      let identifier = try reader.counted(span)
      let remoteID = flags & Flag.hasRemoteID == 0 ? nil : try reader.counted(span)
      guard !identifier.isEmpty, remoteID?.isEmpty != true else {
        throw ByteError(offset: identifier.lowerBound)
      }
      try MetadataView.check(span, reader.offset..<span.byteCount)
      return (identifier, remoteID, reader.offset)
    }
    self.init(
      identifier: span.extracting(identifier).array,
      remoteID: remoteID.map { span.extracting($0).array }, participantSet: span.u32(4),
      createdAt: flags & Flag.hasCreatedAt == 0 ? nil : Int64(bitPattern: span.u64(8)),
      isDistinct: flags & Flag.isDistinct != 0,
      metadata: try unsafe MetadataView(UnsafeRawBufferPointer(rebasing: body[metadata...]))
        .decode(in: .deletedConversation),
      floor: DeletionFloor(
        position: flags & Flag.hasPosition == 0 ? nil : Int64(bitPattern: span.u64(16)),
        sentAt: flags & Flag.hasSentAt == 0 ? nil : Int64(bitPattern: span.u64(24))))
    guard hashes.contains(hash) else { throw CodingError(.deletedConversation, .malformed, offset: 32) }
  }
}
