internal import SatchelBytes
internal import SatchelModel

/// The record of a message or an announcement, read in place.
///
/// `init` checks the checksum, the version and every length once; after that each property reads its own bytes and
/// cannot fail. A view is good as long as the bytes are: in a read transaction, until it ends.
package struct MessageView {
  /// The bits of the record's third byte.
  enum Flag {
    static let isSent: UInt8 = 1
    static let isUnread: UInt8 = 2
    static let hasPosition: UInt8 = 4
    static let hasSentAt: UInt8 = 8
    static let hasReceivedAt: UInt8 = 16
    static let all: UInt8 = 31
  }

  /// The size of the fields at fixed places; lengths and contents follow.
  static let fixedBytes = 36

  /// Where the record is kept.
  package let key: MessageKey
  /// The record without its checksum.
  private(set) var body: UnsafeRawBufferPointer
  private let identifierStart: UInt32
  let recipientsStart: UInt32
  let metadataStart: UInt32
  let partsStart: UInt32
  let parts: UInt32

  /// Checks the record.
  /// - Complexity: O(size of the record): the checksum, then one step a recipient, metadata entry and part.
  package init(_ bytes: UnsafeRawBufferPointer, key: MessageKey) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .message, key: key.bytes, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    let starts = try RecordFrame.decode(.message) { () throws(ByteError) in try Self.starts(span) }
    self.key = key
    unsafe self.body = body
    identifierStart = UInt32(truncatingIfNeeded: starts.identifier)
    recipientsStart = UInt32(truncatingIfNeeded: starts.recipients)
    metadataStart = UInt32(truncatingIfNeeded: starts.metadata)
    partsStart = UInt32(truncatingIfNeeded: starts.parts)
    parts = UInt32(truncatingIfNeeded: starts.count)
  }

  /// The same record in another place, whose bytes are a copy of `record`.
  package init(_ view: MessageView, copiedTo bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == view.body.count + RecordFrame.checksumBytes)
    self = view
    unsafe body = UnsafeRawBufferPointer(rebasing: bytes[..<view.body.count])
  }

  private struct Starts {
    var identifier = 0
    var recipients = 0
    var metadata = 0
    var parts = 0
    var count = 0
  }

  private static func starts(_ span: RawSpan) throws(ByteError) -> Starts {
    let flags = span.u8(2)
    guard flags & ~Flag.all == 0, span.u8(3) == 0 else { throw ByteError(offset: 2) }
    // A missing value is zero, so that equal messages are equal bytes.
    if flags & Flag.hasPosition == 0 && span.u64(8) != 0 { throw ByteError(offset: 8) }
    if flags & Flag.hasSentAt == 0 && span.u64(16) != 0 { throw ByteError(offset: 16) }
    if flags & Flag.hasReceivedAt == 0 && span.u64(24) != 0 { throw ByteError(offset: 24) }

    var reader = ByteReader(offset: fixedBytes)
    let identifier = try reader.length(span)
    let recipients = try reader.length(span)
    let metadata = try reader.length(span)
    let parts = try reader.length(span)
    var starts = Starts()
    starts.identifier = try reader.take(identifier, span)
    starts.recipients = try reader.take(recipients, span)
    starts.metadata = try reader.take(metadata, span)
    starts.parts = reader.offset
    starts.count = parts
    try RecipientCursor.check(span, starts.recipients..<starts.metadata)
    try MetadataView.check(span, starts.metadata..<starts.parts)
    for _ in 0..<parts { _ = try PartView.Place(&reader, span) }
    try reader.end(span)
    return starts
  }
}

extension MessageView {
  /// The record's checksum: what it adds to the digest of its table.
  package var checksum: UInt64 {
    unsafe RecordFrame.storedChecksum(
      UnsafeRawBufferPointer(start: body.baseAddress, count: body.count + RecordFrame.checksumBytes))
  }

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

  /// The UTF-8 bytes of the identifier.
  package var identifierBytes: UnsafeRawBufferPointer { unsafe slice(identifierStart, recipientsStart) }

  /// Calls `body` with the bytes of the identifier.
  @inlinable
  package func withIdentifier<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(identifierBytes.bytes)
  }

  /// The identifier.
  package func identifier() throws(CodingError) -> String {
    unsafe try RecordFrame.text(identifierBytes, in: .message)
  }

  /// The metadata, read in place.
  package var metadata: MetadataView { unsafe MetadataView(slice(metadataStart, partsStart)) }

  private var flags: UInt8 { unsafe body.bytes.u8(2) }

  private func optional(_ flag: UInt8, at offset: Int) -> Int64? {
    guard flags & flag != 0 else { return nil }
    return Int64(bitPattern: unsafe body.bytes.u64(offset))
  }

  private func slice(_ start: UInt32, _ end: UInt32) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: body[Int(start)..<Int(end)])
  }
}

extension MessageView {
  /// The record with other flags: what marking a message as read or sent writes, without decoding the rest.
  package func record(isSent: Bool, isUnread: Bool) -> [UInt8] {
    var copy = unsafe [UInt8](record)
    copy[2] =
      copy[2] & ~(Flag.isSent | Flag.isUnread) | (isSent ? Flag.isSent : 0) | (isUnread ? Flag.isUnread : 0)
    RecordFrame.refresh(&copy, key: key.bytes)
    return copy
  }

  /// The whole record as values.
  package func fields() throws(CodingError) -> MessageFields {
    var parts: [PartFields] = []
    parts.reserveCapacity(partCount)
    forEachPart { parts.append($0.fields) }
    var recipients: [RecipientFields] = []
    forEachRecipient { recipients.append(RecipientFields(user: $0, status: $1)) }
    return MessageFields(
      identifier: unsafe [UInt8](identifierBytes), sender: sender, position: position, sentAt: sentAt,
      receivedAt: receivedAt, isSent: isSent, isUnread: isUnread, typeSet: typeSet, recipients: recipients,
      metadata: try metadata.decode(in: .message), parts: parts)
  }
}
