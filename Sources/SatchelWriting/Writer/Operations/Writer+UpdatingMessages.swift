internal import SatchelCoding
package import SatchelModel
internal import SatchelReading
internal import SatchelRecords
import SatchelText

extension Writer {
  /// Changes properties of a message or announcement, edits its parts, or deletes it for everyone.
  /// - Parameter isAnnouncement: Which of the two it must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`, `invalidIdentifier`, `identifierExists`, `invalidKey` or `invalidValue`. In each
  ///   case nothing has changed.
  package func updateMessage(
    _ id: Message.ID, isAnnouncement: Bool? = nil, _ update: MessageUpdate
  ) throws {
    let key = try existingMessage(id, isAnnouncement: isAnnouncement)
    let state = try message(key)
    guard let old = state.fields else { return }
    for user in update.recipientStatus.keys { try Self.check(identifier: user.rawValue, "recipient") }
    for edit in update.metadata { try edit.validate(environmentOfWrites.metadataKeys) }
    try Self.check(parts: update.transferStatus.keys.sorted(), below: old.parts.count)
    let parts = update.parts.isEmpty ? nil : try update.parts.results(of: old.parts.count)
    let deletion = update.deletedAt.applied(to: nil)
    if old.life.deletedAt != nil || deletion != nil, let property = update.contentsProperty {
      throw Self.deleted(property)
    }
    if old.life.deletedAt != nil, update.deletedAt == .clear {
      throw SatchelError(
        .invalidValue, "A message that was deleted for everyone stays so", ["property": "deletedAt"])
    }
    var fields = update.applied(to: old)
    if let name = update.remoteID?.rawValue,
      let remoteID = try Self.check(remoteID: name, of: old.remoteID)
    {
      if remoteID != old.identifier { try checkNew(message: name) }
      fields.remoteID = remoteID
    }
    try changing {
      if let parts = try parts.map({ try keeping(fields.parts, $0, key) }),
        !parts.areKept(of: old.parts.count)
      {
        try edit(&fields, to: parts, key)
        if update.editedAt == .keep, !fields.parts.haveSameContents(as: old.parts) {
          fields.life.editedAt = now.microseconds
        }
      }
      // Sorted, so that the same update always gives the same numbers to new users.
      let statuses = try update.recipientStatus.sorted { $0.key < $1.key }
        .map { (user: try interner.intern(.users, $0.key.rawValue), status: $0.value) }
      var hasMetadata = false
      _ = state.gather { edits, fields in
        let metadata = update.metadata.count > 1 ? edits.metadata?.metadata() ?? fields.metadata : nil
        hasMetadata = edits.add(update.metadata, to: fields.metadata)
        // Several steps may come to what was there before.
        if let metadata, edits.metadata?.metadata().hasSameBytes(as: metadata) ?? true { hasMetadata = false }
        let hasRecipients = edits.add(
          statuses, isCleared: update.clearsRecipientStatus, to: fields.recipients)
        return hasMetadata || hasRecipients
      }
      let isWithdrawn = old.life.deletedAt == nil && deletion != nil
      if update.updatedAt == nil, hasMetadata || isWithdrawn || fields.showsOther(than: old) {
        fields.life.updatedAt = now.microseconds
      }
      if isWithdrawn {
        try withdraw(key, state, fields, at: deletion)
      } else {
        try change(state, key, from: old, to: fields)
      }
      if old.remoteID == nil, let remoteID = fields.remoteID, remoteID != fields.identifier {
        overlay.note(identifier: String(decoding: remoteID, as: UTF8.self), of: key)
      }
      if isWithdrawn || fields.remoteID != old.remoteID, let fields = state.fields {
        try takeResponses(to: RecordSubject(fields, key))
      }
      try flushIfFull()
    }
  }

  /// Makes a message one that is deleted for everyone: nothing of its contents stays, neither in the tables nor in the log.
  /// - Parameter fields: The message with all else that the update changes.
  private func withdraw(
    _ key: MessageKey, _ state: MessageState, _ fields: StoredMessage, at date: Timestamp?
  ) throws {
    guard let old = state.fields else { return }
    for (index, part) in old.parts.enumerated() {
      guard case .stored(let length, _) = part.content else { continue }
      try leaveWords(key)
      try tables.removePieces(of: UInt16(truncatingIfNeeded: index), length: length, of: key)
    }
    // Also of a message without a date of its last change: programs of earlier formats have dated none.
    // Nothing was deleted under its names if it has not become one with another, and the user has deleted nothing.
    let mayHaveRows = fields.remoteID != nil || !deletions.isEmpty
    try logTable.forgetContents(of: key, names: mayHaveRows ? fields.nameBytes : [])
    var withdrawn = fields
    withdrawn.life.deletedAt = date?.microseconds
    withdrawn.parts = []
    withdrawn.recipients = []
    withdrawn.metadata = Metadata()
    withdrawn.typeSet = try interner.intern(.typeSets, set: [])
    state.update(withdrawn)
    if !key.isAnnouncement { try noteChange(from: old, to: withdrawn, key) }
  }

  /// Returns the parts that an edit results in, with those that are as they were before at the same place as kept ones: they are
  /// not written again.
  private func keeping(
    _ former: [StoredPart], _ results: [PartsUpdate.Result], _ key: MessageKey
  ) throws -> [PartsUpdate.Result] {
    try results.enumerated().map { index, result in
      guard case .new(let draft) = result, former.indices.contains(index),
        try isSame(former[index], index, as: draft, key)
      else { return result }
      return .kept(index)
    }
  }

  private func isSame(
    _ part: StoredPart, _ index: Int, as draft: MessagePart.Draft, _ key: MessageKey
  ) throws -> Bool {
    let content: [UInt8]
    switch (part.kind, draft.content) {
    case (.text, .text(let text)), (.url, .url(let text)): content = Array(text.utf8)
    case (.data, .data(let bytes)): content = bytes
    default: return false
    }
    guard part.size == draft.size, part.transferStatus == draft.transferStatus,
      part.content.length == UInt64(content.count),
      UTF8Order.areEqual(try flushed.mimeTypes.text(part.mimeType), draft.mimeType)
    else { return false }
    switch part.content {
    case .inline(let bytes): return bytes == content
    case .stored(let length, _): return try flushed.content(of: key, part: index, length: length) == content
    }
  }

  /// Replaces the parts of a message by those that an edit results in. Contents in `bodies` that are not at their place any
  /// more are removed at once, whatever their size: their places are those of the new ones.
  private func edit(
    _ fields: inout StoredMessage, to results: [PartsUpdate.Result], _ key: MessageKey
  ) throws {
    let former = fields.parts
    var moved: [Int: [UInt8]] = [:]
    var stay: Set<Int> = []
    for (index, result) in results.enumerated() {
      guard case .kept(let old) = result else { continue }
      if old == index {
        stay.insert(index)
      } else if case .stored(let length, _) = former[old].content {
        moved[old] = try flushed.content(of: key, part: old, length: length)
      }
    }
    for (index, part) in former.enumerated() where !stay.contains(index) {
      guard case .stored(let length, _) = part.content else { continue }
      try leaveWords(key)
      let flushed = flushed
      try overlay.noteFormerContent(of: key, part: index) {
        LoggedContent(try moved[index] ?? flushed.content(of: key, part: index, length: length))
      }
      try tables.removePieces(of: UInt16(truncatingIfNeeded: index), length: length, of: key)
    }
    // What stays in the record counts first, so that it does not grow beyond its bound by what comes.
    var inlineTotal = results.reduce(0) { total, result in
      guard case .kept(let old) = result, case .inline(let bytes) = former[old].content else { return total }
      return total + bytes.count
    }
    fields.parts = try results.enumerated().map { index, result in
      switch result {
      case .new(let draft): return try messageRecords.store(draft, index, of: key, &inlineTotal)
      case .kept(let old):
        var part = former[old]
        // A content that stays at its place may be at another one as well from now on.
        if old != index, let bytes = moved[old], case .stored(let length, _) = part.content {
          let digest = unsafe try tables.storePieces(
            of: bytes.span.bytes, UInt16(truncatingIfNeeded: index), of: key)
          part.content = .stored(length: length, digest: digest)
        }
        return part
      }
    }
    fields.typeSet = try interner.intern(.typeSets, set: fields.parts.map(\.mimeType))
  }
}

extension [PartsUpdate.Result] {
  /// Whether these are all of `count` parts, as they were.
  fileprivate func areKept(of count: Int) -> Bool {
    self.count == count
      && enumerated().allSatisfy { index, result in
        if case .kept(let old) = result { old == index } else { false }
      }
  }
}

extension MessageUpdate {
  /// Returns a message with what the update says of fields other than parts, recipients and metadata, and of the transfer of
  /// its parts, which exist.
  fileprivate func applied(to old: StoredMessage) -> StoredMessage {
    func date(_ change: Change<Timestamp>, _ old: Int64?) -> Int64? {
      change.applied(to: old.map(Timestamp.init(microseconds:)))?.microseconds
    }
    var fields = old
    fields.position = position.applied(to: old.position)
    fields.sentAt = date(sentAt, old.sentAt)
    fields.receivedAt = date(receivedAt, old.receivedAt)
    if let isSent { fields.isSent = isSent }
    if let isUnread { fields.isUnread = isUnread }
    if completesTransfers {
      for part in fields.parts.indices { fields.parts[part].transferStatus = .complete }
    }
    for (part, status) in transferStatus { fields.parts[part].transferStatus = status }
    fields.life.editedAt = date(editedAt, old.life.editedAt)
    if let updatedAt { fields.life.updatedAt = updatedAt.microseconds }
    return fields
  }
}

extension StoredMessage {
  /// Whether anything differs that counts as a change of what users see; metadata apart. Being read, delivered or
  /// transferred does not.
  fileprivate func showsOther(than old: StoredMessage) -> Bool {
    position != old.position || sentAt != old.sentAt || receivedAt != old.receivedAt || isSent != old.isSent
      || life != old.life || !parts.haveSameContents(as: old.parts)
  }
}
