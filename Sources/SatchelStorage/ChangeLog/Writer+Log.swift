internal import LMDB
internal import SatchelCoding

extension Writer {
  /// The most entries and bytes that the log holds, even if a consumer has not read them.
  static let maximumLogEntries: UInt64 = 10_000
  static let maximumLogBytes: UInt64 = 16 << 20
  /// How many of the newest entries are kept even if every consumer has read them: for readers that are not registered
  /// and ask soon enough.
  static let keptLogEntries: UInt64 = 1000
  /// How many entries are trimmed at a time. A trim in every commit would rewrite a page of old entries each time.
  private static let trimBatch: UInt64 = 256

  /// Appends the changes of this write to the log, and trims entries that need not be kept.
  func updateLog() throws {
    var log = log
    // A change of the aggregates' definitions names no object. Its empty range tells readers of the log that they have
    // to look for the changes themselves.
    if seal[.aggregates] != flushed.seal[.aggregates] { log.noteDefinitions() }
    if !log.isEmpty {
      let record = log.entry.encode(commit: commit)
      let key = ObjectKey.changeLog(commit: commit).bytes
      try put(.changeLog, databases.objects, key, record, replacing: nil)
      seal.log.count += 1
      seal.log.bytes += UInt64(record.count)
    }
    if seal.log.count > Self.maximumLogEntries || seal.log.bytes > Self.maximumLogBytes {
      // The newest entry is kept whatever its size: it is the only trace of its commit.
      return try trimLog(
        upTo: .max, most: Self.trimBatch, least: 0, leaving: 1, bytes: Self.maximumLogBytes * 15 / 16)
    }
    guard seal.log.count >= Self.keptLogEntries + Self.trimBatch else { return }
    let read = try flushed.consumerRecords().map(\.entry.readCommit).min() ?? .max
    // There are at most as many entries as commits: a shorter range of commits cannot have enough entries.
    guard read >= seal.log.first, read - seal.log.first >= Self.trimBatch - 1 else { return }
    try trimLog(
      upTo: read, most: Self.trimBatch, least: Self.trimBatch, leaving: Self.keptLogEntries, bytes: .max)
  }

  /// Removes the oldest entries, of commits up to `last`: `most` of them, and more while the log has more than `limit`
  /// bytes. Always leaves at least `leaving` entries. Removes nothing if it could remove fewer than `least`.
  private func trimLog(
    upTo last: UInt64, most: UInt64, least: UInt64, leaving: UInt64, bytes limit: UInt64
  ) throws {
    var entries: [(commit: UInt64, bytes: UInt64, checksum: UInt64)] = []
    var bytes = seal.log.bytes
    let removable = seal.log.count - min(seal.log.count, leaving)
    try flushed.scanObjects(from: .changeLog(commit: seal.log.first)) { key, value in
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
      try remove(.changeLog, databases.objects, key, checksum: entry.checksum)
      seal.log.count -= 1
      seal.log.bytes -= min(seal.log.bytes, entry.bytes)
      seal.log.first = entry.commit + 1
    }
  }
}
