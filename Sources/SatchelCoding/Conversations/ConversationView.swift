internal import SatchelBytes
internal import SatchelModel

/// The record of a conversation, read in place; see `MessageView` for what that means.
@safe package struct ConversationView {
  /// The bits of the record's third byte.
  enum Flag {
    static let isDistinct: UInt8 = 1
    static let isVisible: UInt8 = 2
    static let hasCreatedAt: UInt8 = 4
    static let hasLast: UInt8 = 8
    static let lastHasPosition: UInt8 = 16
    static let lastHasSentAt: UInt8 = 32
    static let lastHasReceivedAt: UInt8 = 64
    static let lastIsUnread: UInt8 = 128
    static let ofLast: UInt8 = 240
  }

  /// The bits of the record's fourth byte: what version 2 has, which is written only where there is any of it.
  enum Extra {
    static let updatedAt: UInt8 = 1
    static let remoteID: UInt8 = 2
    static let all: UInt8 = 3
  }

  /// The size of the fields at fixed offsets, in bytes; the time of the last change, the identifiers and the metadata follow.
  static let fixedBytes = 68

  /// The conversation's row.
  package let row: UInt32
  private let body: UnsafeRawBufferPointer
  private let identifierStart: UInt32
  private let identifierEnd: UInt32
  /// The remote identifier, which ends where the metadata begins, is empty if there is none.
  private let remoteIDStart: UInt32
  private let metadataStart: UInt32

  /// Checks the record.
  /// - Complexity: O(size of the record).
  package init(_ bytes: UnsafeRawBufferPointer, row: UInt32) throws(CodingError) {
    let key = ObjectKey.conversation(row: row).bytes
    let body = unsafe try RecordFrame.open(bytes, .conversation, key: key, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    let names = try RecordFrame.decode(.conversation) { () throws(ByteError) in
      try Self.check(span)
    }
    self.row = row
    unsafe self.body = body
    identifierStart = UInt32(truncatingIfNeeded: names.identifier.lowerBound)
    identifierEnd = UInt32(truncatingIfNeeded: names.identifier.upperBound)
    remoteIDStart = UInt32(truncatingIfNeeded: names.remoteID.lowerBound)
    metadataStart = UInt32(truncatingIfNeeded: names.remoteID.upperBound)
  }

  /// Checks everything and returns the byte ranges of the identifiers, of which the remote one may be empty; the metadata
  /// follows, to the end.
  private static func check(
    _ span: RawSpan
  ) throws(ByteError) -> (identifier: Range<Int>, remoteID: Range<Int>) {
    let flags = span.u8(2)
    let extra = span.u8(3)
    let hasLast = flags & Flag.hasLast != 0
    guard extra & ~Extra.all == 0, (span.u8(1) > 1) == (extra != 0), hasLast || flags & Flag.ofLast == 0
    else { throw ByteError(offset: 2) }
    // A missing value is zero, so that equal conversations have equal bytes.
    if flags & Flag.hasCreatedAt == 0 && span.u64(8) != 0 { throw ByteError(offset: 8) }
    if !hasLast && (span.u64(32) != 0 || span.u32(64) != 0) { throw ByteError(offset: 32) }
    if flags & Flag.lastHasPosition == 0 && span.u64(40) != 0 { throw ByteError(offset: 40) }
    if flags & Flag.lastHasSentAt == 0 && span.u64(48) != 0 { throw ByteError(offset: 48) }
    if flags & Flag.lastHasReceivedAt == 0 && span.u64(56) != 0 { throw ByteError(offset: 56) }
    var reader = ByteReader(offset: fixedBytes)
    if extra & Extra.updatedAt != 0 { _ = try reader.u64(span) }
    let identifier = try reader.counted(span)
    var remoteID = identifier.upperBound..<identifier.upperBound
    if extra & Extra.remoteID != 0 {
      remoteID = try reader.counted(span)
      guard !remoteID.isEmpty else { throw ByteError(offset: identifier.upperBound) }
    }
    try MetadataView.check(span, remoteID.upperBound..<span.byteCount)
    return (identifier, remoteID)
  }
}

extension ConversationView {
  /// The whole record, checksum included.
  package var record: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: body.baseAddress, count: body.count + RecordFrame.checksumBytes)
  }

  /// The record's checksum, which is what it adds to the digest of its table.
  package var checksum: UInt64 { unsafe RecordFrame.storedChecksum(record) }

  package var isDistinct: Bool { has(Flag.isDistinct) }
  package var isVisible: Bool { has(Flag.isVisible) }
  /// The interned set of the current participants.
  package var participantSet: UInt32 { unsafe body.bytes.u32(4) }
  /// Microseconds since 1970.
  package var createdAt: Int64? { optional(Flag.hasCreatedAt, at: 8) }
  package var messageCount: UInt64 { unsafe body.bytes.u64(16) }
  package var unreadCount: UInt64 { unsafe body.bytes.u64(24) }
  /// Nil in a conversation without messages.
  package var last: StoredConversation.Last? {
    guard has(Flag.hasLast) else { return nil }
    return StoredConversation.Last(
      sequence: unsafe body.bytes.u64(32), position: optional(Flag.lastHasPosition, at: 40),
      sentAt: optional(Flag.lastHasSentAt, at: 48), receivedAt: optional(Flag.lastHasReceivedAt, at: 56),
      isUnread: has(Flag.lastIsUnread), sender: unsafe body.bytes.u32(64))
  }

  /// When anything of the conversation itself changed last, in microseconds since 1970; nil if nothing has.
  package var updatedAt: Int64? {
    extra & Extra.updatedAt == 0 ? nil : Int64(bitPattern: unsafe body.bytes.u64(Self.fixedBytes))
  }
  /// The same, and before the first change when the conversation was created.
  package var lastChange: Int64? { updatedAt ?? createdAt }

  /// The UTF-8 bytes of the identifier.
  package var identifierBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: body[Int(identifierStart)..<Int(identifierEnd)])
  }

  /// The UTF-8 bytes of the identifier that a server has given the conversation; nil if it has given none.
  package var remoteIDBytes: UnsafeRawBufferPointer? {
    guard extra & Extra.remoteID != 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: body[Int(remoteIDStart)..<Int(metadataStart)])
  }

  /// Whether the conversation has a name: as its identifier, or as the one that a server has given it.
  ///
  /// Not generic: a generic function is not specialised across targets, and each look-up calls this.
  package func isNamed(_ name: [UInt8]) -> Bool {
    unsafe name.withUnsafeBytes { name in
      if unsafe identifierBytes.elementsEqual(name) { return true }
      return unsafe remoteIDBytes?.elementsEqual(name) ?? false
    }
  }

  /// Returns the identifier.
  package func identifier() throws(CodingError) -> String {
    unsafe try RecordFrame.text(identifierBytes, in: .conversation)
  }

  /// The metadata, read in place.
  package var metadata: MetadataView {
    unsafe MetadataView(UnsafeRawBufferPointer(rebasing: body[Int(metadataStart)...]))
  }

  /// Returns the whole record as values.
  package func fields() throws(CodingError) -> StoredConversation {
    StoredConversation(
      identifier: unsafe [UInt8](identifierBytes), remoteID: unsafe remoteIDBytes.map { unsafe [UInt8]($0) },
      participantSet: participantSet, createdAt: createdAt, updatedAt: updatedAt,
      isDistinct: isDistinct, metadata: try metadata.decode(in: .conversation), isVisible: isVisible,
      messageCount: messageCount, unreadCount: unreadCount, last: last)
  }

  private var extra: UInt8 { unsafe body.bytes.u8(3) }

  private func has(_ flag: UInt8) -> Bool { unsafe body.bytes.u8(2) & flag != 0 }

  private func optional(_ flag: UInt8, at offset: Int) -> Int64? {
    has(flag) ? Int64(bitPattern: unsafe body.bytes.u64(offset)) : nil
  }
}
