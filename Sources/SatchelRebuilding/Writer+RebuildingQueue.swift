internal import LMDB
internal import SatchelCoding
internal import SatchelWriting

/// Corrects the purge queue so that it matches the records that exist.
extension Writer {
  /// - Returns: What was done, one sentence for each action.
  func rebuildQueue() throws -> [String] {
    let removed = try removeWrongEntries()
    let added = try queueOrphans()
    var actions: [String] = []
    if removed > 0 { actions.append("\(removed) entries of the purge queue were corrected or removed") }
    if added > 0 { actions.append("\(added) contents that no message has were removed, or queued for it") }
    return actions
  }

  /// Removes entries for objects that still exist, and corrects the counts of the others.
  private func removeWrongEntries() throws -> Int {
    var entries: [(key: MessageKey, entry: PurgeEntry?, checksum: UInt64)] = []
    try flushed.scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value in
      guard case .purge(let message) = key else { return false }
      entries.append(
        (
          message, unsafe try? PurgeEntry(value, key: message), unsafe RecordFrame.storedChecksum(value)
        ))
      return true
    }
    var count = 0
    for (key, entry, checksum) in entries {
      let isWhole = key.sequence == MessageKey.wholeConversation
      let isLive =
        isWhole
        ? try key.isAnnouncement || flushed.hasConversation(key.conversation)
        : try flushed.hasMessage(key)
      let objectKey = ObjectKey.purge(key).bytes
      if isLive {
        try tables.remove(.purge, objectKey, checksum: checksum)
        count += 1
        continue
      }
      var right = entry ?? PurgeEntry(commit: lastCommit, remaining: 0)
      right.commit = min(right.commit, lastCommit)
      right.remaining = 0
      right.nextSequence = 0
      if isWhole {
        try flushed.scanMessages(from: MessageKey(conversation: key.conversation, sequence: 0)) { other, _ in
          guard other.conversation == key.conversation else { return false }
          right.remaining += 1
          return true
        }
        if let entry, entry.remaining == right.remaining { right.nextSequence = entry.nextSequence }
      }
      if right != entry {
        try tables.put(.purge, objectKey, right.encode(key: key), replacing: checksum)
        count += 1
      }
    }
    return count
  }

  /// Queues contents that belong to no message, so that a later commit removes them.
  private func queueOrphans() throws -> Int {
    var orphans: [MessageKey] = []
    var surplus: [(key: BodyKey, checksum: UInt64)] = []
    var last: MessageKey?
    var pieces: [UInt64]?
    try flushed.scanBodies { key, value in
      if key.message != last {
        last = key.message
        pieces = try flushed.pieces(of: key.message)
        let whole = MessageKey(
          conversation: key.message.conversation, sequence: MessageKey.wholeConversation)
        if pieces == nil, try !isQueued(key.message), try !isQueued(whole) { orphans.append(key.message) }
      }
      if let pieces, Int(key.part) >= pieces.count || UInt64(key.piece) >= pieces[Int(key.part)] {
        surplus.append((key, unsafe RecordFrame.storedChecksum(value)))
      }
      return true
    }
    // Surplus contents of an existing message cannot wait in the queue: its entry would remove the other contents of
    // the message too.
    for (key, checksum) in surplus {
      try tables.remove(.bodies, key.bytes, checksum: checksum)
    }
    for key in orphans {
      let entry = PurgeEntry(commit: lastCommit, remaining: 0)
      try tables.put(.purge, ObjectKey.purge(key).bytes, entry.encode(key: key), replacing: nil)
    }
    return orphans.count + surplus.count
  }

  private func isQueued(_ key: MessageKey) throws -> Bool {
    unsafe try tables.reader.get(.objects, ObjectKey.purge(key).bytes) != nil
  }
}
