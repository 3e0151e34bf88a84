internal import SatchelCoding
internal import SatchelReading

/// What is deleted in bulk leaves the indexes at once and the tables later, in slices. So no commit takes long because of a
/// deletion before it.
package final class PurgeQueue {
  private let tables: RecordTables
  private let snapshot: Snapshot
  /// The sequence of the last commit before the transaction.
  private let lastCommit: UInt64

  init(_ tables: RecordTables, _ snapshot: Snapshot, lastCommit: UInt64) {
    self.tables = tables
    self.snapshot = snapshot
    self.lastCommit = lastCommit
  }

  /// The most records that a slice changes, entries of the queue among them.
  package static let slice = 256
  /// The same in a commit that is made to have room before a write.
  package static let sliceIfShort = 5000

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

  /// Removes records that earlier transactions have queued, the first ones by their keys.
  /// - Parameter room: The most records to change; with fewer than two, none are: an entry of the queue changes too.
  func purge(atMost room: Int) throws {
    guard room >= 2, tables.seal[.purge].count > 0 else { return }
    // All is read before the first change: a change may move what was read.
    var slice = PurgeSlice(room: room)
    for queued in try queued(atMost: room / 2) where slice.room >= 2 {
      try slice.take(queued, snapshot)
    }
    for (table, key, checksum) in slice.removed { try tables.remove(table, key, checksum: checksum) }
    for (key, entry, checksum) in slice.shortened {
      try tables.put(.purge, ObjectKey.purge(key).bytes, entry.encode(key: key), replacing: checksum)
    }
  }

  /// Returns entries of the queue, by their keys. Without those of this transaction: it removes nothing of what it deletes.
  private func queued(atMost count: Int) throws -> [PurgeSlice.Queued] {
    var found: [PurgeSlice.Queued] = []
    try snapshot.scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value in
      guard case .purge(let message) = key, found.count < count else { return false }
      let entry = try decoding("purge", "\(message)") { () throws(CodingError) in
        unsafe try PurgeEntry(value, key: message)
      }
      if entry.commit <= lastCommit {
        found.append((message, entry, unsafe RecordFrame.storedChecksum(value)))
      }
      return true
    }
    return found
  }
}
