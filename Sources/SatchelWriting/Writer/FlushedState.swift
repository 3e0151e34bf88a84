package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading

/// The state that a write has flushed so far, as the write's own operations read it: by value.
///
/// A view of a record is memory of the write or of the file. The next change may free it or move it: a change of a record
/// may pass all that waits to LMDB, and so may a new entry of a dictionary. So no function here returns a view, and none
/// changes anything while it has one. Operations have no other way to a record.
package struct FlushedState {
  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Calls `body` with the state as queries and the evaluation of aggregates read it. `body` changes nothing of the write, and
  /// keeps nothing that the snapshot has lent to it.
  package func read<R>(_ body: (Snapshot) throws -> R) rethrows -> R { try body(snapshot) }

  // MARK: Messages

  /// Returns what the record of an existing message or announcement holds, and the record's checksum.
  func message(_ key: MessageKey) throws -> (fields: StoredMessage, checksum: UInt64) {
    let view = try snapshot.existingMessage(key)
    return (try decode(key) { () throws(CodingError) in try view.fields() }, view.checksum)
  }

  package func hasMessage(_ key: MessageKey) throws -> Bool { try snapshot.message(key) != nil }

  /// Returns what the indexes hold of an existing message or announcement: without its metadata, which is beside it if it is asked
  /// for.
  func indexed(
    _ key: MessageKey, isVisible: Bool, withMetadata: Bool
  ) throws -> (message: IndexedMessage, metadata: Metadata) {
    let view = try snapshot.existingMessage(key)
    return (
      IndexedMessage(view, isVisible: isVisible),
      withMetadata && !view.metadata.isEmpty
        ? try decode(key) { () throws(CodingError) in try view.metadata.decode(in: .message) } : Metadata()
    )
  }

  /// Returns what the indexes and the log are to forget of an existing message.
  func deleted(
    _ key: MessageKey, isVisible: Bool
  ) throws -> (indexed: IndexedMessage, logged: StoredMessage) {
    let view = try snapshot.existingMessage(key)
    return (
      IndexedMessage(view, isVisible: isVisible),
      try decode(key) { () throws(CodingError) in try view.fields() }
    )
  }

  /// Returns the record of an existing message as it is once the message is read, with the fields and the checksum that it
  /// has now.
  func markedRead(
    _ key: MessageKey
  ) throws -> (record: [UInt8], fields: MessageFixedFields, replaced: UInt64) {
    let head = try snapshot.messageHead(conversation: key.conversation, sequence: key.sequence)
    return (head.recordMarkedRead(), head.fields, head.checksum)
  }

  /// Returns the position and the date of an existing message; nil of one that was never sent.
  func reach(_ key: MessageKey) throws -> (position: Int64?, sentAt: Int64?)? {
    let view = try snapshot.existingMessage(key)
    return view.isSent || view.head.hasRemoteID ? (view.position, view.sentAt) : nil
  }

  /// Returns what a conversation's record says of an existing message that is its last one.
  func last(_ key: MessageKey) throws -> StoredConversation.Last {
    let view = try snapshot.existingMessage(key)
    return StoredConversation.Last(
      sequence: key.sequence, position: view.position, sentAt: view.sentAt, receivedAt: view.receivedAt,
      isUnread: view.isUnread, sender: view.sender)
  }

  /// Whether an existing message or announcement has a name, as its identifier or its remote identifier.
  func isMessage(_ key: MessageKey, named identifier: [UInt8]) throws -> Bool {
    try snapshot.existingMessage(key).isNamed(identifier)
  }

  /// Returns how many pieces of content each part of a message has in `bodies`; nil if there is no such message.
  package func pieces(of key: MessageKey) throws -> [UInt64]? {
    try snapshot.message(key).map { view in
      var counts: [UInt64] = []
      view.forEachPart { counts.append($0.isStored ? BodyLayout.pieceCount(length: $0.length) : 0) }
      return counts
    }
  }

  /// Returns the content of a part that is in `bodies`.
  func content(of key: MessageKey, part: Int, length: UInt64) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try snapshot.forEachPiece(of: key, part: part, length: length, range: 0..<length) { piece in
      unsafe bytes.append(contentsOf: piece)
    }
    return bytes
  }

  private func decode<R>(_ key: MessageKey, _ body: () throws(CodingError) -> R) throws -> R {
    try decoding("messages", "\(key.conversation)/\(key.sequence)", body)
  }

  // MARK: Conversations, identities and records

  /// Returns what the record of an existing conversation holds, and the record's checksum.
  package func conversation(_ row: UInt32) throws -> (fields: StoredConversation, checksum: UInt64) {
    let view = try snapshot.conversation(row)
    let fields = try decoding("conversations", "\(row)") { () throws(CodingError) in
      try view.fields()
    }
    return (fields, view.checksum)
  }

  /// Whether queries may return an existing conversation.
  func isVisible(_ row: UInt32) throws -> Bool { try snapshot.conversation(row).isVisible }

  package func hasConversation(_ row: UInt32) throws -> Bool { try snapshot.findConversation(row) != nil }

  /// Returns the identifier of a conversation; nil if there is none.
  func identifier(ofConversation row: UInt32) throws -> [UInt8]? {
    try snapshot.findConversation(row).map { unsafe [UInt8]($0.identifierBytes) }
  }

  /// Whether there is a conversation in a row that has a name, as its identifier or its remote identifier.
  func isConversation(_ row: UInt32, named identifier: [UInt8]) throws -> Bool {
    try snapshot.findConversation(row)?.isNamed(identifier) ?? false
  }

  /// Whether there is a conversation in a row that is the distinct one of a set of participants.
  func isDistinct(_ row: UInt32, of participantSet: UInt32) throws -> Bool {
    try snapshot.findConversation(row).map { $0.isDistinct && $0.participantSet == participantSet } ?? false
  }

  /// Returns the distinct conversations of exactly these participants.
  func distinctConversations(of participantSet: UInt32) throws -> [UInt32] {
    try snapshot.distinctConversations(participantSet: participantSet)
  }

  /// Returns what the record of an existing identity holds, and the record's checksum.
  package func identity(_ row: UInt32) throws -> (fields: StoredIdentity, checksum: UInt64) {
    let view = try snapshot.identity(row)
    let fields = try decoding("identities", "\(row)") { () throws(CodingError) in try view.fields() }
    return (fields, view.checksum)
  }

  /// Returns what an existing record of an application holds, and the checksum of its own record.
  package func record(_ key: TypedRecordKey) throws -> (values: StoredRecord, checksum: UInt64) {
    let view = try snapshot.record(key)
    return (try snapshot.values(of: view), view.checksum)
  }
}
