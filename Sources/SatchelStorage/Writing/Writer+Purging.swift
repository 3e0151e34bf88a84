internal import LMDB
internal import SatchelCoding

/// What is deleted in bulk leaves the indexes at once and the tables later: each transaction removes a few thousand
/// records. So neither the deletion nor any later commit takes long, and no page is rewritten needlessly.
extension Writer {
  /// The most records that one transaction removes.
  static let purgeBudget = 5000

  func queueForPurge(_ key: MessageKey, remaining: UInt64 = 0) throws {
    let entry = PurgeEntry(commit: commit, remaining: remaining)
    try put(.purge, databases.objects, ObjectKey.purge(key).bytes, entry.encode(key: key), replacing: nil)
  }

  /// Removes up to `purgeBudget` records that earlier commits have queued.
  func purge() throws {
    var budget = Self.purgeBudget
    while budget > 0, seal[.purge].count > 0, let (key, entry, checksum) = try oldestPurge() {
      // The transaction of a deletion does not remove the records of that deletion.
      guard entry.commit <= lastCommit else { return }
      var entry = entry
      let isDone =
        key.sequence == MessageKey.wholeConversation
        ? try purgeConversation(key.conversation, &entry, &budget)
        : try purgeBodies(of: key, &budget)
      let objectKey = ObjectKey.purge(key).bytes
      if isDone {
        try remove(.purge, databases.objects, objectKey, checksum: checksum)
      } else {
        let record = entry.encode(key: key)
        try put(.purge, databases.objects, objectKey, record, replacing: checksum)
      }
    }
  }

  private func oldestPurge() throws -> (MessageKey, PurgeEntry, checksum: UInt64)? {
    var found: (MessageKey, PurgeEntry, UInt64)?
    try flushed.scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value in
      guard case .purge(let message) = key else { return false }
      let entry = try flushed.decoding("purge", "\(message)") { () throws(CodingError) in
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
      try flushed.scanMessages(from: start) { key, value in
        guard key.conversation == row, batch.count < 256 else { return false }
        batch.append((key, checksum: unsafe RecordFrame.storedChecksum(value)))
        return true
      }
      guard !batch.isEmpty else { return true }
      for (key, checksum) in batch {
        entry.nextSequence = key.sequence
        guard budget > 0, try purgeBodies(of: key, &budget) else { return false }
        try remove(.messages, databases.messages, key.bytes, checksum: checksum)
        entry.nextSequence = key.sequence + 1
        entry.remaining -= min(1, entry.remaining)
        budget -= 1
      }
    }
  }

  /// Removes the contents of a message. Returns false if the budget is used up first.
  func purgeBodies(of message: MessageKey, _ budget: inout Int) throws -> Bool {
    while true {
      var batch: [(BodyKey, checksum: UInt64)] = []
      try flushed.scanBodies(from: BodyKey(message: message, part: 0, piece: 0)) { key, value in
        guard key.message == message, batch.count < 256 else { return false }
        batch.append((key, checksum: unsafe RecordFrame.storedChecksum(value)))
        return true
      }
      guard !batch.isEmpty else { return true }
      for (key, checksum) in batch {
        guard budget > 0 else { return false }
        try remove(.bodies, databases.bodies, key.bytes, checksum: checksum)
        budget -= 1
      }
    }
  }
}
