internal import RankedIndex
internal import SatchelCoding
package import SatchelIndexing
internal import SatchelModel

/// Writes the overlay to tables and indexes: each object once, from what the indexes hold of it to its current state.
extension Writer {
  func flushIfFull() throws {
    if overlay.isFull(ofImport: gathered != nil) { try flush() }
  }

  /// Writes records and index entries of all changed objects and empties the overlay. What is read afterwards is
  /// complete, derived values included.
  func flush() throws {
    if let failure { throw failure }
    guard !overlay.isEmpty else { return }
    try changing { try flushObjects() }
  }

  private func flushObjects() throws {
    for row in overlay.participants.keys.sorted() { try storeParticipants(of: row) }
    try updateVisibility()
    var changes = IndexChanges()
    try flushMessages(&changes)
    try moveMessagesOfChangedVisibility(&changes)
    try apply(&changes)
    for row in overlay.staleLast {
      let last = try findLast(of: row)
      let state = try conversation(row)
      if let fields = state.fields, fields.last != last { state.edit { $0.last = last } }
    }
    for object in overlay.order {
      switch object {
      case .conversation(let row):
        if let state = overlay.conversations[row] { try flush(conversation: row, state, &changes) }
      case .identity(let row):
        if let state = overlay.identities[row] { try flush(identity: row, state, &changes) }
      case .message, .record: break
      }
    }
    try settleDeclared(&changes)
    try apply(&changes)
    overlay = Overlay()
    declared.left = []
    flushed.forgetIdentifiers()
  }

  /// Passes changes to the indexes, which buffer them.
  package func apply(_ changes: inout IndexChanges) throws {
    for change in changes.numeric {
      if change.schema.id == IndexCatalog.messageIdentifier.number {
        switch change.kind {
        case .insert: identifiers.insert(change.row)
        case .remove: identifiers.remove(change.row)
        case .replace: break
        }
        if identifiers.isFull { try settleIdentifiers() }
        continue
      }
      switch change.kind {
      case .insert: forest.insert(change.schema, change.row)
      case .remove: forest.remove(change.schema, change.row)
      case .replace: forest.replace(change.schema, change.row)
      }
    }
    for change in changes.text {
      if change.isInsertion {
        forest.insert(change.schema, change.key)
      } else {
        forest.remove(change.schema, change.key)
      }
    }
    changes.removeAll()
    if forest.pendingCount > Self.maximumPendingEntries * (importNumber ?? 0 > 0 ? 3 : 1) {
      try beginChanges()
      try forest.flush()
    }
  }

  /// Passes the buffered identifiers to the indexes, so that later reads find them there.
  package func settleIdentifiers() throws {
    guard !identifiers.isEmpty else { return }
    try changing { try identifiers.settle(commit: commit) }
  }

  /// With more index changes than this, they are passed on while they are still in the processor's cache.
  static let changesInCache = 256

  /// The most index changes that are buffered; each takes about 80 bytes. An import into a store that is there buffers three times
  /// as many: its entries of words are in nearly all leaves of their tree, which each flush writes anew.
  private static let maximumPendingEntries = 200_000

  /// Decides again which of the changed conversations are visible.
  private func updateVisibility() throws {
    for (_, state) in overlay.conversations where !state.isStored {
      guard let fields = state.fields else { continue }
      let isVisible = fields.messageCount > 0 ? try userParticipates(in: fields.participantSet) : false
      if isVisible != fields.isVisible { state.edit { $0.isVisible = isVisible } }
    }
  }

  /// Writes the messages of the overlay, both the added ones and the states, merged in the order in which they entered
  /// the overlay.
  private func flushMessages(_ changes: inout IndexChanges) throws {
    var next = 0
    for index in 0...overlay.order.count {
      while next < overlay.added.messages.count, overlay.added.orderIndices[next] <= index {
        let message = overlay.added.messages[next]
        let key = MessageKey(conversation: message.conversation, sequence: message.sequence)
        if let state = overlay.messages[key] {
          try flush(message: key, state, &changes)
        } else {
          let isVisible = overlay.conversations[key.conversation]?.fields?.isVisible ?? false
          overlay.added.setVisible(isVisible, at: next)
          log.note(LoggedChange(.message(key), .created))
        }
        next += 1
      }
      if index < overlay.order.count, case .message(let key) = overlay.order[index],
        let state = overlay.messages[key]
      {
        try flush(message: key, state, &changes)
      }
    }
    try insertAdded()
  }

  /// Passes the entries of added messages to the indexes, tree by tree.
  private func insertAdded() throws {
    let added = overlay.added
    guard !added.messages.isEmpty else { return }
    IndexedMessage.forEachTree { tree, row in
      forest.insert(tree, count: added.messages.count) {
        added.isClaimed($0) ? nil : row(added.messages[$0])
      }
    }
    IndexedMessage.forEachTreeOfParts { tree, row in
      for (index, message) in added.messages.enumerated() where message.isVisible && !added.isClaimed(index) {
        for (index, part) in message.parts.enumerated() { forest.insert(tree, row(message, part, index)) }
      }
    }
    for (index, message) in added.messages.enumerated()
    where !message.metadata.isEmpty && !added.isClaimed(index) {
      for key in message.metadataKeys { forest.insert(IndexCatalog.messageMetadata.tree, key) }
    }
    guard try hasDeclaredIndexes(of: .messages) else { return }
    for (index, message) in added.messages.enumerated() where message.isVisible && !added.isClaimed(index) {
      let key = MessageKey(conversation: message.conversation, sequence: message.sequence)
      try noteDeclared(.message(key), wasThere: false, isThere: true)
    }
  }

  private func flush(message key: MessageKey, _ state: MessageState, _ changes: inout IndexChanges) throws {
    guard !state.isStored || state.original == nil else { return }
    let conversation = key.isAnnouncement ? nil : overlay.conversations[key.conversation]
    var before = state.original.map {
      IndexedMessage($0, key, isVisible: conversation?.original?.isVisible ?? false)
    }
    var after = state.current.map {
      IndexedMessage($0, key, isVisible: conversation?.fields?.isVisible ?? false)
    }
    if before?.isVisible != after?.isVisible
      || hasOtherEntries(state.original?.metadata, state.current?.metadata)
    {
      before?.metadata = try indexed(state.original?.metadata, of: key)
      after?.metadata = try indexed(state.current?.metadata, of: key)
      // A change of the metadata alone does not bring the conversation into the overlay.
      if conversation == nil, !key.isAnnouncement {
        let isVisible = try flushed.isVisible(key.conversation)
        before?.isVisible = isVisible
        after?.isVisible = isVisible
      }
    }
    changes.change(from: before, to: after)
    try noteDeclared(key, state, conversation)
    let table = Seal.Table(of: key)
    if let fields = state.current {
      if !state.isStored {
        let record = fields.encode(key: key)
        try tables.put(table, key.bytes, record, replacing: state.storedChecksum)
      }
    } else if let checksum = state.storedChecksum {
      try tables.remove(table, key.bytes, checksum: checksum)
    }
    try log.note(
      key, from: state.original, to: state.current, contents: overlay.formerContents[key] ?? [:],
      interning: state.current == nil ? interningOfDeleted : interner.intern(path:))
    if changes.numeric.count > Self.changesInCache { try apply(&changes) }
  }

  /// Notes the entries of a message or an announcement in declared indexes.
  private func noteDeclared(
    _ key: MessageKey, _ state: MessageState, _ conversation: ConversationState?
  ) throws {
    guard try hasDeclaredIndexes(of: key.isAnnouncement ? .announcements : .messages) else { return }
    var (wasVisible, isVisible) = (true, true)
    if let conversation {
      wasVisible = conversation.original?.isVisible ?? false
      isVisible = conversation.fields?.isVisible ?? false
    } else if !key.isAnnouncement {
      isVisible = try flushed.isVisible(key.conversation)
      wasVisible = isVisible
    }
    try noteDeclared(
      .message(key), wasThere: wasVisible && state.original != nil,
      isThere: isVisible && state.current != nil)
  }

  private func flush(conversation row: UInt32, _ state: ConversationState, _ changes: inout IndexChanges)
    throws
  {
    guard !state.isStored || state.original == nil else { return }
    var before = state.original.map { IndexedConversation($0, row: row) }
    var after = state.current.map { IndexedConversation($0, row: row) }
    let moves = before?.isVisible != after?.isVisible
    if moves || before?.memberSet != after?.memberSet {
      if let set = before?.memberSet { before?.members = try flushed.participantSets.members(set) }
      if let set = after?.memberSet { after?.members = try flushed.participantSets.members(set) }
    }
    if moves || hasOtherEntries(state.original?.metadata, state.current?.metadata) {
      before?.metadata = try state.original.map { try indexed($0.metadata) } ?? []
      after?.metadata = try state.current.map { try indexed($0.metadata) } ?? []
    }
    changes.change(from: before, to: after)
    try noteDeclared(
      .conversation(row), wasThere: state.original?.isVisible ?? false,
      isThere: state.current?.isVisible ?? false)
    let key = ObjectKey.conversation(row: row).bytes
    if let fields = state.current {
      if !state.isStored {
        let record = fields.encode(row: row)
        try tables.put(.conversations, key, record, replacing: state.storedChecksum)
      }
    } else if let checksum = state.storedChecksum {
      try tables.remove(.conversations, key, checksum: checksum)
    }
    try log.note(
      conversation: row, from: state.original, to: state.current, interning: interner.intern(path:))
  }

  private func flush(identity row: UInt32, _ state: IdentityState, _ changes: inout IndexChanges) throws {
    guard !state.isStored || state.original == nil else { return }
    var before = state.original.map { IndexedIdentity($0, row: row) }
    var after = state.current.map { IndexedIdentity($0, row: row) }
    if hasOtherEntries(state.original?.metadata, state.current?.metadata) {
      before?.metadata = try state.original.map { try indexed($0.metadata) } ?? []
      after?.metadata = try state.current.map { try indexed($0.metadata) } ?? []
    }
    changes.change(from: before, to: after)
    try noteDeclared(.identity(row), wasThere: state.original != nil, isThere: state.current != nil)
    if let fields = state.current, !state.isStored {
      try tables.put(
        .identities, ObjectKey.identity(row: row).bytes, fields.encode(row: row),
        replacing: state.storedChecksum)
    }
    try log.note(identity: row, from: state.original, to: state.current, interning: interner.intern(path:))
  }
}
