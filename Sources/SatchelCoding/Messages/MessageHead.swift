internal import SatchelBytes

/// The fields at fixed offsets of a message's or announcement's record, read in place.
///
/// `init` checks the checksum and the version; after that each property reads its own bytes and cannot fail. The rest
/// of the record is checked only when a `MessageView` is made of it, which a scan that does not need it saves. See
/// `MessageView` for how long it is valid.
@safe package struct MessageHead {
  /// The bits of the record's third byte.
  enum Flag {
    static let isSent: UInt8 = 1
    static let isUnread: UInt8 = 2
    static let hasPosition: UInt8 = 4
    static let hasSentAt: UInt8 = 8
    static let hasReceivedAt: UInt8 = 16
    static let all: UInt8 = 31
  }

  /// The size of the fields, in bytes; the dates of the message's life follow, then lengths and contents.
  static let fixedBytes = 36

  /// The key of the record.
  package let key: MessageKey
  /// The record without its checksum.
  let body: UnsafeRawBufferPointer

  /// Checks the checksum and the fields.
  /// - Complexity: O(size of the record), at a fraction of a nanosecond per byte.
  package init(_ bytes: UnsafeRawBufferPointer, key: MessageKey) throws(CodingError) {
    try unsafe self.init(bytes, key: key, seed: key.bytes.checksumSeed)
  }

  /// Does the same as `init(_:key:)` for an entry of the database `messages`, with the key's bytes as they are there.
  package init(
    _ bytes: UnsafeRawBufferPointer, key: MessageKey, keyBytes: UnsafeRawBufferPointer
  ) throws(CodingError) {
    try unsafe self.init(bytes, key: key, seed: Checksum.hash(keyBytes.bytes))
  }

  private init(_ bytes: UnsafeRawBufferPointer, key: MessageKey, seed: UInt64) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .message, seed: seed, minimum: Self.fixedBytes)
    let lifeFlags = unsafe body.bytes.u8(3)
    // A version that has more is written only where there is more.
    let version = unsafe body.bytes.u8(1)
    guard unsafe body.bytes.u8(2) & ~Flag.all == 0, lifeFlags & ~MessageLife.Flag.all == 0,
      max(2, version) == MessageLife.Flag.version(of: lifeFlags)
    else { throw CodingError(.message, .malformed, offset: 2) }
    guard body.count >= Self.fixedBytes + MessageLife.Flag.bytes(of: lifeFlags) else {
      throw CodingError(.message, .malformed, offset: body.count)
    }
    self.key = key
    unsafe self.body = body
  }

  /// Makes the head of a record whose bytes have been checked by `init(_:key:)`, without its key: `key` is that of no
  /// message.
  package init(checked bytes: UnsafeRawBufferPointer) {
    key = MessageKey(conversation: 0, sequence: 0)
    unsafe body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - RecordFrame.checksumBytes)])
  }

  /// Makes the head of a copy of the record: `bytes` must be a copy of `record`.
  package init(_ head: MessageHead, copiedTo bytes: UnsafeRawBufferPointer) {
    unsafe precondition(bytes.count == head.body.count + RecordFrame.checksumBytes)
    key = head.key
    unsafe body = UnsafeRawBufferPointer(rebasing: bytes[..<head.body.count])
  }

  /// Calls `visit` with the same record in memory of its own, which nothing changes.
  package func withCopy<R>(_ visit: (MessageHead) throws -> R) rethrows -> R {
    let memory = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: record.count, alignment: 8)
    defer { unsafe memory.deallocate() }
    unsafe memory.copyMemory(from: record)
    return unsafe try visit(MessageHead(self, copiedTo: UnsafeRawBufferPointer(memory)))
  }

  /// Returns the record as it is once the message is read: one byte and the checksum differ.
  package func recordMarkedRead() -> [UInt8] {
    var record = unsafe [UInt8](record)
    record[2] &= ~Flag.isUnread
    RecordFrame.reseal(&record, key: key.bytes)
    return record
  }

  /// The record's checksum, which is what it adds to the digest of its table.
  package var checksum: UInt64 { unsafe RecordFrame.storedChecksum(record) }

  /// The whole record, checksum included.
  package var record: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: body.baseAddress, count: body.count + RecordFrame.checksumBytes)
  }

  package var isSent: Bool { flags & Flag.isSent != 0 }
  package var isUnread: Bool { flags & Flag.isUnread != 0 }
  /// The interned user id of the sender.
  package var sender: UInt32 { unsafe body.bytes.u32(4) }
  package var position: Int64? { optional(Flag.hasPosition, at: 8) }
  /// Microseconds since 1970.
  package var sentAt: Int64? { optional(Flag.hasSentAt, at: 16) }
  /// Microseconds since 1970.
  package var receivedAt: Int64? { optional(Flag.hasReceivedAt, at: 24) }
  /// The interned set of the parts' MIME types.
  package var typeSet: UInt32 { unsafe body.bytes.u32(32) }

  /// Whether a server has given the message an identifier.
  package var hasRemoteID: Bool { lifeFlags & MessageLife.Flag.remoteID != 0 }
  /// When the parts were edited last, in microseconds since 1970.
  package var editedAt: Int64? { lifeDate(MessageLife.Flag.editedAt) }
  /// When the message was deleted for everyone, in microseconds since 1970.
  package var deletedAt: Int64? { lifeDate(MessageLife.Flag.deletedAt) }
  /// What has happened to the message since it was sent.
  package var life: MessageLife {
    lifeFlags == 0
      ? MessageLife() : MessageLife(editedAt: editedAt, deletedAt: deletedAt, updatedAt: updatedAt)
  }
  /// When anything changed last that users see, in microseconds since 1970.
  package var updatedAt: Int64? { lifeDate(MessageLife.Flag.updatedAt) }
  /// The same, and before the first change when the message was received or, without that, sent.
  package var lastChange: Int64? { updatedAt ?? receivedAt ?? sentAt }

  /// The fields at fixed offsets, as values.
  package var fields: MessageFixedFields {
    MessageFixedFields(
      sender: sender, position: position, sentAt: sentAt, receivedAt: receivedAt, isSent: isSent,
      isUnread: isUnread, typeSet: typeSet)
  }

  /// Returns the identifier without checking what follows it.
  package func identifier() throws(CodingError) -> String {
    let span = unsafe body.bytes
    let range = try RecordFrame.decode(.message) { () throws(ByteError) in
      var reader = ByteReader(offset: lengthsStart)
      let count = try reader.length(span)
      for _ in 0..<(hasRemoteID ? 4 : 3) { _ = try reader.length(span) }
      let start = try reader.take(count, span)
      return start..<start + count
    }
    return unsafe try RecordFrame.text(UnsafeRawBufferPointer(rebasing: body[range]), in: .message)
  }

  private var flags: UInt8 { unsafe body.bytes.u8(2) }
  private var lifeFlags: UInt8 { unsafe body.bytes.u8(3) }

  /// Where the lengths begin.
  var lengthsStart: Int { Self.fixedBytes + MessageLife.Flag.bytes(of: lifeFlags) }

  /// Reads the date of a flag, which comes behind those of lower bits.
  private func lifeDate(_ flag: UInt8) -> Int64? {
    guard lifeFlags & flag != 0 else { return nil }
    let offset = Self.fixedBytes + MessageLife.Flag.bytes(of: lifeFlags & (flag - 1))
    return Int64(bitPattern: unsafe body.bytes.u64(offset))
  }

  private func optional(_ flag: UInt8, at offset: Int) -> Int64? {
    guard flags & flag != 0 else { return nil }
    return Int64(bitPattern: unsafe body.bytes.u64(offset))
  }
}
