internal import LMDB
internal import SatchelCoding

/// Checks the two tables that explain why records are in no index: what waits to be removed, and what an import has
/// staged.
///
/// Later commits remove what these tables refer to, so a surplus entry would destroy existing objects.
extension Verifier {
  mutating func readQueues() throws {
    try scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { verifier, key, value in
      switch key {
      case .purge(let message):
        verifier.purged.updateValue(unsafe try? PurgeEntry(value, key: message), forKey: message)
      case .staging(let number, let ordinal):
        if case .created(let object)? = try? unsafe StagingEntry(
          value, importNumber: number, ordinal: ordinal
        ).content {
          if !verifier.staged.insert(object).inserted {
            verifier.report.addDerived("staging", "\(number)/\(ordinal)", "the object has been staged before")
          }
        }
      default: break
      }
    }
    report.staged = staged.count
    report.purges = purged.count
  }

  /// Whether a record that belongs to no object waits to be removed.
  func isPurged(_ key: MessageKey) -> Bool {
    purged[key] != nil
      || purged[MessageKey(conversation: key.conversation, sequence: MessageKey.wholeConversation)] != nil
  }

  mutating func check(purge key: MessageKey, _ entry: PurgeEntry) throws {
    let name = "\(key.conversation)/\(key.sequence)"
    if entry.commit > snapshot.seal.commit {
      report.addDerived("purge", name, "commit \(entry.commit) deleted it, which is after the last one")
    }
    if !key.isAnnouncement, key.conversation >= snapshot.seal.nextConversation {
      report.addDerived("purge", name, "the conversation's number has not been given yet")
    }
    let isLive: Bool
    if key.sequence == MessageKey.wholeConversation {
      isLive = try key.isAnnouncement || snapshot.findConversation(key.conversation) != nil
    } else {
      isLive = try snapshot.message(key) != nil
      if key.sequence >= snapshot.seal.nextSequence {
        report.addDerived("purge", name, "the message's number has not been given yet")
      }
    }
    if isLive { report.addDerived("purge", name, "what is to be removed has not been deleted") }
  }

  /// Counts a message of a deleted conversation.
  mutating func countPurged(_ key: MessageKey) {
    let whole = MessageKey(conversation: key.conversation, sequence: MessageKey.wholeConversation)
    guard let found = purged[whole], let entry = found else { return }
    remaining[key.conversation, default: 0] += 1
    if key.sequence < entry.nextSequence {
      report.addDerived(
        "purge", "\(key.conversation)", "message \(key.sequence) is there, and was to be removed already")
    }
  }

  mutating func checkRemaining() {
    for (key, entry) in purged where key.sequence == MessageKey.wholeConversation {
      guard let entry else { continue }
      let found = remaining[key.conversation] ?? 0
      if found != entry.remaining {
        report.addDerived(
          "purge", "\(key.conversation)",
          "\(entry.remaining) messages are to be removed, and there are \(found)")
      }
    }
  }

  mutating func check(staging number: UInt32, _ ordinal: UInt64, _ entry: StagingEntry) throws {
    let name = "\(number)/\(ordinal)"
    if number == 0 || number >= snapshot.seal.nextImport {
      report.addDerived("staging", name, "the import's number has not been given yet")
    }
    guard case .created(let object) = entry.content else { return }
    let exists =
      switch object {
      case .conversation(let row): try snapshot.findConversation(row) != nil
      case .identity(let row): try snapshot.findIdentity(row) != nil
      case .message(let key): try snapshot.message(key) != nil
      // An import stages the lines of records.
      case .record: false
      }
    if !exists { report.addDerived("staging", name, "the record of what was staged is missing") }
  }
}
