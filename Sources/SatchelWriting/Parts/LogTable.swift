internal import SatchelCoding
internal import SatchelReading

/// The entries of the change log, as a write appends to them and trims them.
package final class LogTable {
  private let tables: RecordTables
  private let snapshot: Snapshot

  init(_ tables: RecordTables, _ snapshot: Snapshot) {
    self.tables = tables
    self.snapshot = snapshot
  }

  /// The most entries and bytes that the log holds, even if a consumer has not read them.
  package static let maximumEntries: UInt64 = 10_000
  package static let maximumBytes: UInt64 = 16 << 20
  /// How many of the newest entries are kept even if every consumer has read them: for readers that are not registered
  /// and ask soon enough.
  static let keptEntries: UInt64 = 1000
  /// The same in a store that is short of room, to which its objects are dearer.
  package static let keptEntriesIfShort: UInt64 = 16
  /// How many entries are trimmed at a time. A trim in every commit would rewrite a page of old entries each time.
  private static let trimBatch: UInt64 = 256
  /// How many entries this write has removed.
  private(set) var trimmed = 0

  /// Appends the changes of a write, and trims entries that need not be kept.
  func append(_ changes: LogBuilder, commit: UInt64) throws {
    var changes = changes
    // A change of the aggregates' definitions names no object. Its empty range tells readers of the log that they have
    // to look for the changes themselves.
    if tables.seal[.aggregates] != snapshot.seal[.aggregates] { changes.noteDefinitions() }
    var log = tables.seal.log
    if !changes.isEmpty {
      let record = changes.entry.encode(commit: commit)
      try tables.put(.changeLog, ObjectKey.changeLog(commit: commit).bytes, record, replacing: nil)
      log.count += 1
      log.bytes += UInt64(record.count)
      tables.setLog(log)
    }
    if log.count > Self.maximumEntries || log.bytes > Self.maximumBytes {
      // The newest entry is kept whatever its size: it is the only trace of its commit.
      return try trim(
        upTo: .max, most: Self.trimBatch, least: 0, leaving: 1, bytes: Self.maximumBytes * 15 / 16)
    }
    let isShort = tables.transaction.isShortOfRoom
    let kept = isShort ? Self.keptEntriesIfShort : Self.keptEntries
    let least = isShort ? 1 : Self.trimBatch
    guard let read = try snapshot.lastTrimmable(of: log, keeping: kept, least: least) else { return }
    try trim(upTo: read, most: Self.trimBatch, least: least, leaving: kept, bytes: .max)
  }

  /// Forgets what the entries have of the contents and the metadata that a message had, as if it had been too long to be
  /// kept; also of messages that were deleted under one of `names`: a delivery that has become one with it, or itself before it was
  /// delivered again. O(bytes of the log).
  func forgetContents(of message: MessageKey, names: [[UInt8]]) throws {
    let deleted = try forgetContents(of: [.message(message)], orDeletedAs: names)
    // What is known of a deleted one by its row alone, from before it was deleted.
    if !deleted.isEmpty { _ = try forgetContents(of: deleted, orDeletedAs: []) }
  }

  /// Returns the messages that were deleted under one of the names.
  private func forgetContents(
    of objects: Set<ObjectRow>, orDeletedAs names: [[UInt8]]
  ) throws -> Set<ObjectRow> {
    var rewritten: [(commit: UInt64, entry: ChangeLogEntry, bytes: Int, checksum: UInt64)] = []
    var deleted: Set<ObjectRow> = []
    // Few entries are of these messages: the others are not decoded.
    let sought = objects.map { LoggedName(of: $0) } + names.map { LoggedName($0) }
    try snapshot.scanObjects(from: .changeLog(commit: tables.seal.log.first)) { key, value in
      guard case .changeLog(let commit) = key else { return false }
      guard LoggedName.mayBe(sought, in: value) else { return true }
      var entry = try decoding("changeLog", "\(commit)") { () throws(CodingError) in
        unsafe try ChangeLogEntry(value, commit: commit)
      }
      var isChanged = false
      for index in entry.changes.indices {
        let object = entry.changes[index].object
        if entry.changes[index].deletes(names) {
          deleted.insert(object)
        } else if !objects.contains(object) {
          continue
        }
        if entry.changes[index].forgetContents() { isChanged = true }
      }
      if isChanged {
        rewritten.append((commit, entry, value.count, unsafe RecordFrame.storedChecksum(value)))
      }
      return true
    }
    var log = tables.seal.log
    for (commit, entry, bytes, checksum) in rewritten {
      let record = entry.encode(commit: commit)
      try tables.put(
        .changeLog, ObjectKey.changeLog(commit: commit).bytes, record, replacing: checksum)
      log.bytes = log.bytes - min(log.bytes, UInt64(bytes)) + UInt64(record.count)
    }
    tables.setLog(log)
    return deleted
  }

  /// Removes the oldest entries, of commits up to `last`: `most` of them, and more while the log has more than `limit`
  /// bytes. Always leaves at least `leaving` entries. Removes nothing if it could remove fewer than `least`.
  private func trim(
    upTo last: UInt64, most: UInt64, least: UInt64, leaving: UInt64, bytes limit: UInt64
  ) throws {
    var entries: [(commit: UInt64, bytes: UInt64, checksum: UInt64)] = []
    var log = tables.seal.log
    var bytes = log.bytes
    let removable = log.count - min(log.count, leaving)
    try snapshot.scanObjects(from: .changeLog(commit: log.first)) { key, value in
      guard case .changeLog(let commit) = key, commit <= last, entries.count < removable,
        entries.count < most || bytes > limit
      else { return false }
      bytes -= min(bytes, UInt64(value.count))
      entries.append((commit, UInt64(value.count), unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    guard entries.count >= least else { return }
    for entry in entries {
      let key = ObjectKey.changeLog(commit: entry.commit).bytes
      try tables.remove(.changeLog, key, checksum: entry.checksum)
      log.count -= 1
      log.bytes -= min(log.bytes, entry.bytes)
      log.first = entry.commit + 1
    }
    trimmed += entries.count
    tables.setLog(log)
  }
}
