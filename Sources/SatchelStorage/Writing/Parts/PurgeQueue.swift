internal import SatchelCoding

/// What is deleted in bulk leaves the indexes at once and the tables later: each transaction removes a few thousand
/// records. So neither the deletion nor any later commit takes long, and no page is rewritten needlessly.
final class PurgeQueue {
  private let tables: RecordTables
  private let snapshot: Snapshot
  /// The sequence of the last commit before the transaction.
  private let lastCommit: UInt64

  init(_ tables: RecordTables, _ snapshot: Snapshot, lastCommit: UInt64) {
    self.tables = tables
    self.snapshot = snapshot
    self.lastCommit = lastCommit
  }

  /// The most records that one transaction removes.
  static let budget = 5000

  /// Queues the contents of a deleted message, or the messages of a deleted conversation.
  func add(_ key: MessageKey, remaining: UInt64 = 0, commit: UInt64) throws {
    let entry = PurgeEntry(commit: commit, remaining: remaining)
    try tables.put(.purge, ObjectKey.purge(key).bytes, entry.encode(key: key), replacing: nil)
  }

  /// Removes the contents of a message that is being deleted. If they have very many pieces, later commits do it.
  func removeContents(of fields: StoredMessage, _ message: MessageKey, commit: UInt64) throws {
    var pieces: UInt64 = 0
    for part in fields.parts {
      if case .stored(let length, _) = part.content { pieces += BodyLayout.pieceCount(length: length) }
    }
    guard pieces > 0 else { return }
    guard pieces <= Self.immediatePieces else { return try add(message, commit: commit) }
    for (index, part) in fields.parts.enumerated() {
      guard case .stored(let length, _) = part.content else { continue }
      try tables.removePieces(of: UInt16(truncatingIfNeeded: index), length: length, of: message)
    }
  }

  /// The most pieces that a deletion removes in its own commit.
  private static let immediatePieces: UInt64 = 256

  /// Removes up to `budget` records that earlier commits have queued.
  func purge() throws {
    var budget = Self.budget
    while budget > 0, tables.seal[.purge].count > 0, let (key, entry, checksum) = try oldestPurge() {
      // The transaction of a deletion does not remove the records of that deletion.
      guard entry.commit <= lastCommit else { return }
      var entry = entry
      let isDone =
        key.sequence == MessageKey.wholeConversation
        ? try purgeConversation(key.conversation, &entry, &budget)
        : try purgeBodies(of: key, &budget)
      let objectKey = ObjectKey.purge(key).bytes
      if isDone {
        try tables.remove(.purge, objectKey, checksum: checksum)
      } else {
        let record = entry.encode(key: key)
        try tables.put(.purge, objectKey, record, replacing: checksum)
      }
    }
  }

  private func oldestPurge() throws -> (MessageKey, PurgeEntry, checksum: UInt64)? {
    var found: (MessageKey, PurgeEntry, UInt64)?
    try snapshot.scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value in
      guard case .purge(let message) = key else { return false }
      let entry = try snapshot.decoding("purge", "\(message)") { () throws(CodingError) in
        unsafe try PurgeEntry(value, key: message)
      }
      if found.map({ entry.commit < $0.1.commit }) ?? true {
        found = (message, entry, unsafe RecordFrame.storedChecksum(value))
      }
      return true
    }
    return found.map { ($0, $1, checksum: $2) }
  }

  private func purgeConversation(_ row: UInt32, _ entry: inout PurgeEntry, _ budget: inout Int) throws -> Bool
  {
    while true {
      var batch: [(MessageKey, checksum: UInt64)] = []
      let start = MessageKey(conversation: row, sequence: entry.nextSequence)
      try snapshot.scanMessages(from: start) { key, value in
        guard key.conversation == row, batch.count < 256 else { return false }
        batch.append((key, checksum: unsafe RecordFrame.storedChecksum(value)))
        return true
      }
      guard !batch.isEmpty else { return true }
      for (key, checksum) in batch {
        entry.nextSequence = key.sequence
        guard budget > 0, try purgeBodies(of: key, &budget) else { return false }
        try tables.remove(.messages, key.bytes, checksum: checksum)
        entry.nextSequence = key.sequence + 1
        entry.remaining -= min(1, entry.remaining)
        budget -= 1
      }
    }
  }

  /// Removes the contents of a message. Returns false if the budget is used up first.
  private func purgeBodies(of message: MessageKey, _ budget: inout Int) throws -> Bool {
    while true {
      var batch: [(BodyKey, checksum: UInt64)] = []
      try snapshot.scanBodies(from: BodyKey(message: message, part: 0, piece: 0)) { key, value in
        guard key.message == message, batch.count < 256 else { return false }
        batch.append((key, checksum: unsafe RecordFrame.storedChecksum(value)))
        return true
      }
      guard !batch.isEmpty else { return true }
      for (key, checksum) in batch {
        guard budget > 0 else { return false }
        try tables.remove(.bodies, key.bytes, checksum: checksum)
        budget -= 1
      }
    }
  }
}
