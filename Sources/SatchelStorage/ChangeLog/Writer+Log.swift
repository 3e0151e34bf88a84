internal import LMDB
internal import SatchelCoding

extension Writer {
  /// The most entries and bytes that the log holds.
  static let maximumLogEntries: UInt64 = 10_000
  static let maximumLogBytes: UInt64 = 16 << 20
  /// How many entries go at a time: a trim with every commit would rewrite a page of old entries each time.
  private static let trimBatch: UInt64 = 256

  /// Appends what this transaction has changed to the log, and trims a log that is full.
  func appendLog() throws {
    guard !log.isEmpty else { return }
    let record = log.entry.encode(commit: commit)
    try put(.changeLog, databases.objects, ObjectKey.changeLog(commit: commit).bytes, record, replacing: nil)
    seal.log.count += 1
    seal.log.bytes += UInt64(record.count)
    if seal.log.count > Self.maximumLogEntries || seal.log.bytes > Self.maximumLogBytes { try trimLog() }
  }

  private func trimLog() throws {
    var entries: [(commit: UInt64, bytes: UInt64, checksum: UInt64)] = []
    var bytes = seal.log.bytes
    let newest = commit
    try flushed.scanObjects(from: .changeLog(commit: seal.log.first)) { key, value in
      guard case .changeLog(let commit) = key else { return false }
      // The newest entry stays whatever its size: it is the only trace of its commit.
      if commit == newest || entries.count >= Self.trimBatch && bytes <= Self.maximumLogBytes * 15 / 16 {
        return false
      }
      bytes -= min(bytes, UInt64(value.count))
      entries.append((commit, UInt64(value.count), unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    for entry in entries {
      let key = ObjectKey.changeLog(commit: entry.commit).bytes
      try remove(.changeLog, databases.objects, key, checksum: entry.checksum)
      seal.log.count -= 1
      seal.log.bytes -= min(seal.log.bytes, entry.bytes)
      seal.log.first = entry.commit + 1
    }
  }
}
