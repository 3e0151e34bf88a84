internal import SatchelBytes

/// Messages of one conversation, or announcements, that the store's user has deleted: a block of the hashes of their names, in the
/// order in which they were deleted.
package struct DeletedMessages: Sendable, Hashable {
  /// The most hashes of a block.
  package static let most = 128
  /// The most blocks of a conversation. When another one begins, the oldest is forgotten.
  package static let mostBlocks: UInt32 = 782

  /// The hashes of identifiers and of remote identifiers: at least one, and at most `most`.
  package var hashes: [UInt64]
  /// How far the deleted messages of the conversation reach, those of earlier blocks too.
  package var floor: DeletionFloor

  package init(hashes: [UInt64], floor: DeletionFloor) {
    self.hashes = hashes
    self.floor = floor
  }

  private static let hasPosition: UInt8 = 1
  private static let hasSentAt: UInt8 = 2

  /// Returns the bytes of the record.
  package func encode(conversation: UInt32, block: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.deletedMessages, capacity: 24 + 8 * hashes.count)
    writer.u8((floor.position == nil ? 0 : Self.hasPosition) | (floor.sentAt == nil ? 0 : Self.hasSentAt))
    writer.u8(0)
    writer.u64(UInt64(bitPattern: floor.position ?? 0))
    writer.u64(UInt64(bitPattern: floor.sentAt ?? 0))
    for hash in hashes { writer.u64(hash) }
    let key = ObjectKey.deletedMessages(conversation: conversation, block: block).bytes
    return RecordFrame.finish(&writer, key: key)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, conversation: UInt32, block: UInt32) throws(CodingError) {
    let key = ObjectKey.deletedMessages(conversation: conversation, block: block).bytes
    let body = unsafe try RecordFrame.open(bytes, .deletedMessages, key: key, minimum: Self.hashesStart)
    let span = unsafe body.bytes
    let flags = span.u8(2)
    let count = (span.byteCount - Self.hashesStart) / 8
    guard flags & ~(Self.hasPosition | Self.hasSentAt) == 0, span.u8(3) == 0,
      flags & Self.hasPosition != 0 || span.u64(4) == 0, flags & Self.hasSentAt != 0 || span.u64(12) == 0,
      (1...Self.most).contains(count), span.byteCount == Self.hashesStart + 8 * count
    else { throw CodingError(.deletedMessages, .malformed, offset: 2) }
    floor = DeletionFloor(
      position: flags & Self.hasPosition == 0 ? nil : Int64(bitPattern: span.u64(4)),
      sentAt: flags & Self.hasSentAt == 0 ? nil : Int64(bitPattern: span.u64(12)))
    hashes = (0..<count).map { span.u64(Self.hashesStart + 8 * $0) }
  }

  private static let hashesStart = 20
}
