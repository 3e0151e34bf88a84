internal import SatchelBytes
internal import SatchelModel

/// The record of a message or an announcement, read in place.
///
/// `init` checks the checksum, the version and every length once; after that each property reads its own bytes and
/// cannot fail. A view is valid as long as the bytes are: in a read transaction, until the transaction ends. To make
/// one of bytes is therefore `unsafe`; to read it is not, because no property reads beyond the bytes that were checked.
package struct MessageView {
  typealias Flag = MessageHead.Flag

  /// The fields at fixed offsets.
  package private(set) var head: MessageHead
  private let identifierStart: UInt32
  /// Where the identifier ends, and the remote one begins, if there is one.
  private let identifierEnd: UInt32
  let recipientsStart: UInt32
  let metadataStart: UInt32
  let partsStart: UInt32
  let parts: UInt32

  /// Checks the record.
  /// - Complexity: O(size of the record): the checksum, then one step per recipient, metadata entry and part.
  package init(_ bytes: UnsafeRawBufferPointer, key: MessageKey) throws(CodingError) {
    try self.init(unsafe MessageHead(bytes, key: key))
  }

  /// Checks the record as `init(_:key:)` does and its texts as well, in one pass, and notes what a reader has to look up
  /// beside it.
  package init(
    _ bytes: UnsafeRawBufferPointer, key: MessageKey, noting met: inout MessageNeeds
  ) throws(CodingError) {
    let head = unsafe try MessageHead(bytes, key: key)
    let body = unsafe head.body
    let starts = try RecordFrame.decode(.message) { () throws(ByteError) in
      unsafe try Self.starts(body.bytes) { part, index in unsafe met.note(part, index, body) }
    }
    self.init(head, starts)
    met.note(self)
  }

  /// Checks what follows the fields at fixed offsets.
  /// - Complexity: O(size of the record): one step per recipient, metadata entry and part.
  package init(_ head: MessageHead) throws(CodingError) {
    let span = unsafe head.body.bytes
    let starts = try RecordFrame.decode(.message) { () throws(ByteError) in
      try Self.starts(span) { _, _ in }
    }
    self.init(head, starts)
  }

  private init(_ head: MessageHead, _ starts: Starts) {
    self.head = head
    identifierStart = UInt32(truncatingIfNeeded: starts.identifier)
    identifierEnd = UInt32(truncatingIfNeeded: starts.identifierEnd)
    recipientsStart = UInt32(truncatingIfNeeded: starts.recipients)
    metadataStart = UInt32(truncatingIfNeeded: starts.metadata)
    partsStart = UInt32(truncatingIfNeeded: starts.parts)
    parts = UInt32(truncatingIfNeeded: starts.count)
  }

  /// Makes the view of a record that `init(_:key:)` has checked, and that nothing can have changed since. Its key is that
  /// of no message.
  package init(checked bytes: UnsafeRawBufferPointer) {
    let head = unsafe MessageHead(checked: bytes)
    var reader = ByteReader(offset: head.lengthsStart)
    // What has been checked has no error; without the check, the view would be empty.
    self.init(head, (try? Self.starts(&reader, unsafe head.body.bytes)) ?? Starts())
  }

  private struct Starts {
    var identifier = 0
    var identifierEnd = 0
    var recipients = 0
    var metadata = 0
    var parts = 0
    var count = 0
  }

  /// Checks everything behind the checksum, and calls `visit` with each part.
  @inline(__always)
  private static func starts(
    _ span: RawSpan, _ visit: (PartView.Layout, Int) -> Void
  ) throws(ByteError) -> Starts {
    let flags = span.u8(2)
    // A missing value is zero, so that equal messages have equal bytes.
    if flags & Flag.hasPosition == 0 && span.u64(8) != 0 { throw ByteError(offset: 8) }
    if flags & Flag.hasSentAt == 0 && span.u64(16) != 0 { throw ByteError(offset: 16) }
    if flags & Flag.hasReceivedAt == 0 && span.u64(24) != 0 { throw ByteError(offset: 24) }

    let lifeFlags = span.u8(3)
    var reader = ByteReader(offset: MessageHead.fixedBytes + MessageLife.Flag.bytes(of: lifeFlags))
    let starts = try starts(&reader, span)
    if lifeFlags & MessageLife.Flag.deletedAt != 0 {
      guard starts.recipients == starts.parts, starts.count == 0 else {
        throw ByteError(offset: starts.recipients)
      }
    }
    try RecipientCursor.check(span, starts.recipients..<starts.metadata)
    try MetadataView.check(span, starts.metadata..<starts.parts)
    let hasStatuses = span.u8(1) > 1
    for index in 0..<starts.count {
      let start = reader.offset
      let part = try PartView.Layout(&reader, span)
      guard hasStatuses || part.transferStatus == .complete else { throw ByteError(offset: start) }
      visit(part, index)
    }
    try reader.end(span)
    return starts
  }

  /// Reads where the parts of the record start, and moves to the first part.
  @inline(__always)
  private static func starts(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) -> Starts {
    let identifier = try reader.length(span)
    let recipients = try reader.length(span)
    let metadata = try reader.length(span)
    var starts = Starts()
    starts.count = try reader.length(span)
    var remoteID = 0
    if span.u8(3) & MessageLife.Flag.remoteID != 0 {
      let start = reader.offset
      remoteID = try reader.length(span)
      guard remoteID > 0 else { throw ByteError(offset: start) }
    }
    starts.identifier = try reader.take(identifier, span)
    starts.identifierEnd = reader.offset
    _ = try reader.take(remoteID, span)
    starts.recipients = try reader.take(recipients, span)
    starts.metadata = try reader.take(metadata, span)
    starts.parts = reader.offset
    return starts
  }
}

extension MessageView {
  /// The key of the record.
  package var key: MessageKey { head.key }
  /// The record without its checksum.
  var body: UnsafeRawBufferPointer { unsafe head.body }
  /// The record's checksum, which is what it adds to the digest of its table.
  package var checksum: UInt64 { head.checksum }
  /// The whole record, checksum included.
  package var record: UnsafeRawBufferPointer { unsafe head.record }
  package var isSent: Bool { head.isSent }
  package var isUnread: Bool { head.isUnread }
  /// The interned user id of the sender.
  package var sender: UInt32 { head.sender }
  package var position: Int64? { head.position }
  /// Microseconds since 1970.
  package var sentAt: Int64? { head.sentAt }
  /// Microseconds since 1970.
  package var receivedAt: Int64? { head.receivedAt }
  /// When the parts were edited last, in microseconds since 1970.
  package var editedAt: Int64? { head.editedAt }
  /// When the message was deleted for everyone, in microseconds since 1970.
  package var deletedAt: Int64? { head.deletedAt }
  /// When anything changed last that users see, in microseconds since 1970; nil if nothing has.
  package var updatedAt: Int64? { head.updatedAt }
  /// The interned set of the parts' MIME types.
  package var typeSet: UInt32 { head.typeSet }

  /// The UTF-8 bytes of the identifier.
  package var identifierBytes: UnsafeRawBufferPointer { unsafe slice(identifierStart, identifierEnd) }

  /// The UTF-8 bytes of the identifier that a server has given the message; nil if it has given none.
  package var remoteIDBytes: UnsafeRawBufferPointer? {
    unsafe head.hasRemoteID ? slice(identifierEnd, recipientsStart) : nil
  }

  /// Whether the message has a name: as its identifier, or as the one that a server has given it.
  ///
  /// Not generic: a generic function is not specialised across targets, and each look-up calls this.
  package func isNamed(_ name: [UInt8]) -> Bool {
    unsafe name.withUnsafeBytes { name in
      if unsafe identifierBytes.elementsEqual(name) { return true }
      return unsafe remoteIDBytes?.elementsEqual(name) ?? false
    }
  }

  /// Calls `body` with the bytes of the identifier.
  @inlinable
  package func withIdentifier<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(identifierBytes.bytes)
  }

  /// Returns the identifier.
  package func identifier() throws(CodingError) -> String {
    unsafe try RecordFrame.text(identifierBytes, in: .message)
  }

  /// The metadata, read in place.
  package var metadata: MetadataView { unsafe MetadataView(slice(metadataStart, partsStart)) }

  private func slice(_ start: UInt32, _ end: UInt32) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: body[Int(start)..<Int(end)])
  }
}

extension MessageView {
  /// Returns the whole record as values.
  package func fields() throws(CodingError) -> StoredMessage {
    var parts: [StoredPart] = []
    parts.reserveCapacity(partCount)
    forEachPart { parts.append($0.fields) }
    var recipients: [RecipientFields] = []
    forEachRecipient { recipients.append(RecipientFields(user: $0, status: $1)) }
    return StoredMessage(
      identifier: unsafe [UInt8](identifierBytes), remoteID: unsafe remoteIDBytes.map { unsafe [UInt8]($0) },
      sender: sender, position: position, sentAt: sentAt,
      receivedAt: receivedAt, life: head.life, isSent: isSent, isUnread: isUnread, typeSet: typeSet,
      recipients: recipients, metadata: try metadata.decode(in: .message), parts: parts)
  }
}
