internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading
package import SatchelWriting

/// Rebuilds everything that follows from the records. At the beginning the indexes of the transaction are empty, and
/// the seal describes the records as they are.
extension Writer {
  /// - Returns: What was done, one sentence for each action.
  package func rebuildEverything(_ evaluator: (any AggregateEvaluator)?) throws -> [String] {
    isChanged = true
    var actions: [String] = []
    try changing {
      try forgetBuildingIndexes()
      let staged = try removeStaged()
      if staged > 0 { actions.append("\(staged) objects that an import had staged were removed") }
      try rebuildDictionaries()
      let corrected = try rebuildConversations()
      if corrected > 0 {
        actions.append("\(corrected) conversations were given their counts and last messages")
      }
      try rebuildIdentities()
      try rebuildAnnouncements()
      try rebuildRecords()
      try settleIdentifiers()
      try forest.flush()
      let declared = try rebuildDeclaredIndexes(evaluator)
      if declared > 0 { actions.append("\(declared) indexes that were declared are among them") }
      actions.append("all indexes were built anew")
      actions += try rebuildQueue()
      if try rebuildTotals(evaluator) { actions.append("the totals of aggregates were counted anew") }
      try restartLog()
      actions.append("the change log was begun anew: its readers select what they need again")
      if try raiseFormatIfOlder() { actions.append("the header has the format of the new indexes") }
    }
    return actions
  }

  /// Removes what an import has staged: it was never part of the store.
  private func removeStaged() throws -> Int {
    var count = 0
    while true {
      var batch: [(number: UInt32, StagedEntry)] = []
      try flushed.scanObjects(from: .staging(importNumber: 0, ordinal: 0)) { key, value in
        guard case .staging(let number, let ordinal) = key, batch.count < Self.batch else { return false }
        let entry = try decoding("staging", "\(number)/\(ordinal)") { () throws(CodingError) in
          unsafe try StagingEntry(value, importNumber: number, ordinal: ordinal)
        }
        batch.append(
          (
            number,
            StagedEntry(
              ordinal: ordinal, entry: entry, checksum: unsafe RecordFrame.storedChecksum(value))
          ))
        return true
      }
      guard !batch.isEmpty else { return count }
      for (number, staged) in batch {
        if case .created(let object) = staged.entry.content { try discard(object) }
        try remove(staged, of: number)
      }
      count += batch.count
    }
  }

  private static let batch = 1000

  /// Calls `body` with the keys of objects of a kind, in batches. The keys stay valid while `body` writes.
  private func forEachBatch<Key>(
    from start: ObjectKey, _ parse: (ObjectKey) -> Key?, after: (Key) -> ObjectKey?,
    _ body: ([Key]) throws -> Void
  ) throws {
    var next: ObjectKey? = start
    while let first = next {
      var keys: [Key] = []
      try flushed.scanObjects(from: first) { key, _ in
        guard let key = parse(key), keys.count < Self.batch else { return false }
        keys.append(key)
        return true
      }
      try body(keys)
      next = keys.count == Self.batch ? keys.last.flatMap(after) : nil
    }
  }

  private func rebuildDictionaries() throws {
    for kind in DictionaryKind.allCases {
      try forEachBatch(
        from: .dictionary(kind, id: 0),
        { key in
          if case .dictionary(kind, let id) = key { id } else { nil }
        }, after: { $0 == .max ? nil : .dictionary(kind, id: $0 + 1) }
      ) { ids in
        for id in ids {
          let bytes =
            switch try flushed.dictionaryEntry(kind, id) {
            case .text(let text): text
            case .set(let members): DictionaryEntry.packed(members)
            }
          forest.insert(
            IndexCatalog.dictionaryText.tree,
            TextKey(group: UInt64(kind.rawValue), text: bytes, row: UInt64(id)))
        }
        try forest.flush()
      }
    }
  }

  /// - Returns: How many records had wrong values in what follows from their messages.
  private func rebuildConversations() throws -> Int {
    var corrected = 0
    try forEachBatch(
      from: .conversation(row: 0),
      { key in
        if case .conversation(let row) = key { row } else { nil }
      }, after: { $0 == .max ? nil : .conversation(row: $0 + 1) }
    ) { rows in for row in rows where try rebuild(conversation: row) { corrected += 1 } }
    return corrected
  }

  private func rebuild(conversation row: UInt32) throws -> Bool {
    let (old, checksum) = try flushed.conversation(row)
    var fields = old
    fields.messageCount = 0
    fields.unreadCount = 0
    fields.last = nil
    try flushed.scanMessages(from: MessageKey(conversation: row, sequence: 0)) { key, value in
      guard key.conversation == row else { return false }
      let head = try decoding("messages", "\(row)/\(key.sequence)") { () throws(CodingError) in
        unsafe try MessageView(value, key: key)
      }
      fields.messageCount += 1
      if head.isUnread { fields.unreadCount += 1 }
      let last = StoredConversation.Last(
        sequence: key.sequence, position: head.position, sentAt: head.sentAt, receivedAt: head.receivedAt,
        isUnread: head.isUnread, sender: head.sender)
      if fields.last.map({ $0.orderKey < last.orderKey }) ?? true { fields.last = last }
      return true
    }
    fields.isVisible = try fields.messageCount > 0 && userParticipates(in: fields.participantSet)
    if fields != old {
      try tables.put(
        .conversations, ObjectKey.conversation(row: row).bytes, fields.encode(row: row),
        replacing: checksum)
    }
    var indexed = IndexedConversation(fields, row: row)
    indexed.members = try flushed.participantSets.members(fields.participantSet)
    indexed.metadata = try IndexedValue.all(fields.metadata, number: interner.intern(path:))
    var changes = IndexChanges()
    changes.change(from: nil, to: indexed)
    try apply(&changes)
    try rebuildMessages(of: row, isVisible: fields.isVisible)
    return fields != old
  }

  private func rebuildMessages(of row: UInt32, isVisible: Bool) throws {
    var start: MessageKey? = MessageKey(conversation: row, sequence: 0)
    while let first = start {
      var keys: [MessageKey] = []
      start = nil
      try flushed.scanMessages(from: first) { key, _ in
        guard key.conversation == row else { return false }
        guard keys.count < Self.batch else {
          start = key
          return false
        }
        keys.append(key)
        return true
      }
      var changes = IndexChanges()
      for key in keys { changes.change(from: nil, to: try indexed(key, isVisible: isVisible)) }
      try apply(&changes)
    }
  }

  private func rebuildIdentities() throws {
    try forEachBatch(
      from: .identity(row: 0),
      { key in
        if case .identity(let row) = key { row } else { nil }
      }, after: { $0 == .max ? nil : .identity(row: $0 + 1) }
    ) { rows in
      for row in rows {
        let fields = try flushed.identity(row).fields
        var indexed = IndexedIdentity(fields, row: row)
        indexed.metadata = try IndexedValue.all(fields.metadata, number: interner.intern(path:))
        var changes = IndexChanges()
        changes.change(from: nil, to: indexed)
        try apply(&changes)
      }
    }
  }

  private func rebuildAnnouncements() throws {
    try forEachBatch(
      from: .announcement(sequence: 0),
      { key in
        if case .announcement(let sequence) = key { sequence } else { nil }
      }, after: { $0 == .max ? nil : .announcement(sequence: $0 + 1) }
    ) { sequences in
      for sequence in sequences {
        var changes = IndexChanges()
        changes.change(
          from: nil, to: try indexed(MessageKey(announcement: sequence), isVisible: false))
        try apply(&changes)
      }
    }
  }

  private func rebuildRecords() throws {
    for type in try flushed.recordTypes() {
      try forEachBatch(
        from: .record(TypedRecordKey(type: type.id, sequence: 0)),
        { key in
          if case .record(let key) = key, key.type == type.id { key } else { nil }
        },
        after: {
          $0.sequence == .max ? nil : .record(TypedRecordKey(type: $0.type, sequence: $0.sequence + 1))
        }
      ) { keys in
        for key in keys {
          var changes = IndexChanges()
          changes.change(from: nil, to: try indexed(flushed.record(key).values, key))
          try apply(&changes)
        }
      }
    }
  }

  // MARK: Beside the records

  private func rebuildTotals(_ evaluator: (any AggregateEvaluator)?) throws -> Bool {
    let aggregates = try flushed.aggregates()
    guard !aggregates.isEmpty else { return false }
    guard let evaluator else {
      throw SatchelError(
        .notAvailable,
        "The store has aggregates, which this program does not keep: repair it by one that does")
    }
    for aggregate in aggregates {
      let totals = try flushed.read { try evaluator.totals(of: aggregate.entry, in: $0) }
      for (group, total) in totals where total != 0 {
        forest.insert(
          IndexCatalog.aggregateTotals.tree,
          TextKey(group: UInt64(aggregate.id), text: group, row: UInt64(bitPattern: total)))
      }
      try forest.flush()
    }
    return true
  }

  /// Empties the change log, which cannot describe what the repair has changed.
  private func restartLog() throws {
    var isEmpty = false
    while !isEmpty {
      var batch: [(commit: UInt64, checksum: UInt64)] = []
      try flushed.scanObjects(from: .changeLog(commit: 0)) { key, value in
        guard case .changeLog(let commit) = key, batch.count < Self.batch else { return false }
        batch.append((commit, unsafe RecordFrame.storedChecksum(value)))
        return true
      }
      for (commit, checksum) in batch {
        try tables.remove(.changeLog, ObjectKey.changeLog(commit: commit).bytes, checksum: checksum)
      }
      isEmpty = batch.isEmpty
    }
    tables.setLog(Seal.Log(first: commit + 1, count: 0, bytes: 0))
  }

  private func raiseFormatIfOlder() throws -> Bool {
    guard try storedHeader().versions.indexSet < StoreHeader.Versions.current.indexSet else { return false }
    try raiseFormat(indexingMetadata: true)
    return true
  }
}
