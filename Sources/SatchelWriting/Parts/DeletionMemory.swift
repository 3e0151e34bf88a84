internal import RecordStore
internal import SatchelCoding
internal import SatchelReading

/// What the store's user has deleted, so that it does not come back when it is delivered once more: the names of messages, by
/// conversation, and conversations with how far their messages reach.
///
/// A store in which nothing was deleted has no such records, and asks for none.
final class DeletionMemory {
  private let tables: RecordTables
  private let snapshot: Snapshot

  init(_ tables: RecordTables, _ snapshot: Snapshot) {
    self.tables = tables
    self.snapshot = snapshot
  }

  /// Whether nothing is noted.
  var isEmpty: Bool { tables.seal[.deletions].count == 0 }

  // MARK: Messages

  /// Takes note of a message or an announcement that is being deleted.
  func note(_ fields: StoredMessage, _ key: MessageKey) throws {
    // Nobody else knows what was never sent.
    guard fields.isSent || fields.remoteID != nil else { return }
    let conversation = key.conversation
    var hashes = [KeyWords.identifierHash(fields.identifier)]
    if let remoteID = fields.remoteID, remoteID != fields.identifier {
      hashes.append(KeyWords.identifierHash(remoteID))
    }
    var last = try newestBlock(of: conversation)
    for hash in hashes {
      var floor = last?.entry.floor ?? DeletionFloor()
      floor.rise(toPosition: fields.position, sentAt: fields.sentAt)
      if let (number, former, checksum) = last, former.hashes.count < DeletedMessages.most {
        let entry = DeletedMessages(hashes: former.hashes + [hash], floor: floor)
        last = (number, entry, try put(entry, conversation, number, replacing: checksum))
      } else {
        let number = last.map { $0.number + 1 } ?? 0
        let entry = DeletedMessages(hashes: [hash], floor: floor)
        last = (number, entry, try put(entry, conversation, number, replacing: nil))
        if number >= DeletedMessages.mostBlocks {
          let oldest = ObjectKey.deletedMessages(
            conversation: conversation, block: number - DeletedMessages.mostBlocks)
          try tables.removeIfPresent(.deletions, oldest.bytes)
        }
      }
    }
  }

  /// Whether a message or an announcement with one of some names was deleted in a conversation.
  func hasDeleted(_ names: [String], in conversation: UInt32) throws -> Bool {
    guard !isEmpty else { return false }
    let hashes = names.map { KeyWords.identifierHash(Array($0.utf8)) }
    var isFound = false
    try forEachBlock(of: conversation) { _, entry, _ in
      isFound = hashes.contains { entry.hashes.contains($0) }
      return !isFound
    }
    return isFound
  }

  private typealias Block = (number: UInt32, entry: DeletedMessages, checksum: UInt64)

  private func newestBlock(of conversation: UInt32) throws -> Block? {
    guard !isEmpty else { return nil }
    var newest: Block?
    try forEachBlock(of: conversation) { number, entry, checksum in
      newest = (number, entry, checksum)
      return false
    }
    return newest
  }

  /// Calls `visit` with the blocks of a conversation, the newest first, until it returns false.
  private func forEachBlock(
    of conversation: UInt32, _ visit: (UInt32, DeletedMessages, UInt64) throws -> Bool
  ) throws {
    try snapshot.scanObjects(from: .deletedMessages(conversation: conversation, block: .max)) { key, value in
      guard case .deletedMessages(conversation, let number) = key else { return false }
      let entry = try decoding("deletions", "\(conversation)/\(number)") { () throws(CodingError) in
        unsafe try DeletedMessages(value, conversation: conversation, block: number)
      }
      return try visit(number, entry, unsafe RecordFrame.storedChecksum(value))
    }
  }

  /// Returns the checksum of the record.
  private func put(
    _ entry: DeletedMessages, _ conversation: UInt32, _ number: UInt32, replacing old: UInt64?
  ) throws -> UInt64 {
    let record = entry.encode(conversation: conversation, block: number)
    let key = ObjectKey.deletedMessages(conversation: conversation, block: number).bytes
    try tables.put(.deletions, key, record, replacing: old)
    return RecordFrame.storedChecksum(record)
  }

  // MARK: Conversations

  /// Takes note of a conversation that is being deleted with its messages. What was known of those that were deleted before goes into
  /// the floor.
  /// - Parameter floor: How far the messages reach that it has.
  func note(_ fields: StoredConversation, _ row: UInt32, floor: DeletionFloor) throws {
    var floor = floor
    if let earlier = try newestBlock(of: row)?.entry.floor {
      floor.rise(toPosition: earlier.position, sentAt: earlier.sentAt)
    }
    if let earlier = try conversation(named: fields.identifier)?.floor {
      floor.rise(toPosition: earlier.position, sentAt: earlier.sentAt)
    }
    var blocks: [(UInt32, UInt64)] = []
    try forEachBlock(of: row) { number, _, checksum in
      blocks.append((number, checksum))
      return true
    }
    for (number, checksum) in blocks {
      let key = ObjectKey.deletedMessages(conversation: row, block: number)
      try tables.remove(.deletions, key.bytes, checksum: checksum)
    }
    let deleted = DeletedConversation(
      identifier: fields.identifier, remoteID: fields.remoteID, participantSet: fields.participantSet,
      createdAt: fields.createdAt, isDistinct: fields.isDistinct, metadata: fields.metadata, floor: floor)
    for hash in deleted.hashes {
      let key = ObjectKey.deletedConversation(hash: hash).bytes
      // Another conversation whose name has the same hash is forgotten.
      try tables.removeIfPresent(.deletions, key)
      try tables.put(.deletions, key, deleted.encode(hash: hash), replacing: nil)
    }
  }

  /// Returns the conversation that was deleted under a name; nil if there is none. It stays noted while a conversation of that name is
  /// there again.
  func conversation(named name: [UInt8]) throws -> DeletedConversation? {
    guard !isEmpty else { return nil }
    let hash = KeyWords.identifierHash(name)
    let key = ObjectKey.deletedConversation(hash: hash)
    guard let bytes = unsafe try tables.reader.get(.objects, key.bytes) else { return nil }
    let deleted = try decoding("deletions", "\(hash)") { () throws(CodingError) in
      unsafe try DeletedConversation(bytes, hash: hash)
    }
    return deleted.isNamed(name) ? deleted : nil
  }

  /// Forgets the conversation that was deleted under a name: the program makes one of that name.
  func forget(conversation name: [UInt8]) throws {
    guard let deleted = try conversation(named: name) else { return }
    for hash in deleted.hashes {
      try tables.removeIfPresent(.deletions, ObjectKey.deletedConversation(hash: hash).bytes)
    }
  }
}
