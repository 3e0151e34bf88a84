package import SatchelCoding

extension Snapshot {
  /// Returns the changes of the commits after `commit`, oldest first. Nil if the log no longer reaches back that far:
  /// then the reader has to select everything again.
  package func changes(after commit: UInt64) throws -> [(commit: UInt64, entry: ChangeLogEntry)]? {
    var entries: [(commit: UInt64, entry: ChangeLogEntry)] = []
    let isComplete = try forEachEntry(after: commit) { number, entry, _ in entries.append((number, entry)) }
    return isComplete ? entries : nil
  }

  /// Calls `body` with the changes of each commit after `commit`, oldest first, and with the size of the entry in
  /// bytes.
  /// - Returns: False, without a call, if the log no longer reaches back that far.
  package func forEachEntry(
    after commit: UInt64, _ body: (_ commit: UInt64, _ entry: ChangeLogEntry, _ bytes: Int) throws -> Void
  ) throws -> Bool {
    guard commit < seal.commit else { return true }
    guard seal.log.first <= commit + 1 else { return false }
    try scanObjects(from: .changeLog(commit: commit + 1)) { key, value in
      guard case .changeLog(let number) = key else { return false }
      let entry = try decoding("changeLog", "\(number)") { () throws(CodingError) in
        unsafe try ChangeLogEntry(value, commit: number)
      }
      try body(number, entry, value.count)
      return true
    }
    return true
  }

  /// Returns the last commit up to which entries of a log may be removed, as every consumer has read them; nil if fewer than `least`
  /// may be, beside those that are kept. O(consumers), and O(1) if the log is short.
  package func lastTrimmable(of log: Seal.Log, keeping kept: UInt64, least: UInt64) throws -> UInt64? {
    guard log.count >= kept + least else { return nil }
    let read = try consumerRecords().map(\.entry.readCommit).min() ?? .max
    // There are at most as many entries as commits: a shorter range of commits cannot have enough entries.
    return read >= log.first && read - log.first >= least - 1 ? read : nil
  }

  /// Returns the decoded record of a message or an announcement, or nil if there is none.
  package func fields(message key: MessageKey) throws -> StoredMessage? {
    guard let view = try message(key) else { return nil }
    return try decoding("messages", "\(key.conversation)/\(key.sequence)") { () throws(CodingError) in
      try view.fields()
    }
  }

  /// Returns the decoded record of a conversation, or nil if there is none.
  package func fields(conversation row: UInt32) throws -> StoredConversation? {
    guard let view = try findConversation(row) else { return nil }
    return try decoding("conversations", "\(row)") { () throws(CodingError) in try view.fields() }
  }

  /// Returns the decoded record of an identity, or nil if there is none.
  package func fields(identity row: UInt32) throws -> StoredIdentity? {
    guard let view = try findIdentity(row) else { return nil }
    return try decoding("identities", "\(row)") { () throws(CodingError) in try view.fields() }
  }
}
