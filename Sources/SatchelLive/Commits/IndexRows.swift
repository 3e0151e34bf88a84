import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// The entries that a batch of commits removed from the indexes or added to them, tree by tree. They are worked out
/// from the objects as they are now, and from what the log says they were.
struct IndexRows {
  private var rows: [UInt16: [Words]] = [:]

  /// Returns the entries of a tree, in no particular order.
  func of(_ tree: TreeSchema) -> [Words] { rows[tree.id] ?? [] }

  init(_ batch: CommitBatch) throws {
    var changes = IndexChanges()
    for key in batch.messages.keys {
      let (before, after) = try Self.states(of: key, batch)
      changes.change(from: before, to: after)
    }
    for row in batch.conversations.keys {
      let (before, after) = try Self.states(ofConversation: row, batch)
      changes.change(from: before, to: after)
    }
    for row in batch.identities.keys {
      let (before, after) = try Self.states(ofIdentity: row, batch)
      changes.change(from: before, to: after)
    }
    for key in batch.records.keys {
      let (before, after) = Self.states(ofRecord: key, batch)
      changes.change(from: before, to: after)
    }
    for change in changes.numeric { rows[change.schema.id, default: []].append(change.row) }
  }

  /// Returns the entries of an object in a tree before and after a batch. A tree may have several for one object, like
  /// the tree of participants.
  static func rows(
    of reference: RowReference, _ kind: ObjectKind, in tree: TreeSchema, _ batch: CommitBatch
  ) throws -> (before: [Words], after: [Words]) {
    var old = IndexChanges()
    var new = IndexChanges()
    switch kind {
    case .messages, .announcements, .parts:
      let (before, after) = try states(
        of: kind == .announcements
          ? MessageKey(announcement: reference.sequence)
          : MessageKey(conversation: reference.conversation, sequence: reference.sequence), batch)
      old.change(from: nil, to: before)
      new.change(from: nil, to: after)
    case .conversations:
      let (before, after) = try states(ofConversation: UInt32(truncatingIfNeeded: reference.sequence), batch)
      old.change(from: nil, to: before)
      new.change(from: nil, to: after)
    case .identities:
      let (before, after) = try states(ofIdentity: UInt32(truncatingIfNeeded: reference.sequence), batch)
      old.change(from: nil, to: before)
      new.change(from: nil, to: after)
    case .records:
      let key = TypedRecordKey(type: reference.conversation, sequence: reference.sequence)
      let (before, after) = states(ofRecord: key, batch)
      old.change(from: nil, to: before)
      new.change(from: nil, to: after)
    }
    return (
      old.numeric.filter { $0.schema.id == tree.id }.map(\.row),
      new.numeric.filter { $0.schema.id == tree.id }.map(\.row)
    )
  }

  private static func states(of key: MessageKey, _ batch: CommitBatch) throws -> (
    IndexedMessage?, IndexedMessage?
  ) {
    let change = batch.messages[key] ?? LoggedChange(.message(key), .updated)
    let isVisible = try visibility(of: key, batch)
    let now = change.action == .deleted ? nil : try batch.snapshot.message(key)
    let after = now.map { IndexedMessage($0, isVisible: isVisible.after) }
    guard change.action != .created else { return (nil, after) }
    return (
      try IndexedMessage(before: change, key, now, after, isVisible: isVisible.before, batch.snapshot), after
    )
  }

  private static func states(ofConversation row: UInt32, _ batch: CommitBatch) throws -> (
    IndexedConversation?, IndexedConversation?
  ) {
    let change = batch.conversations[row] ?? LoggedChange(.conversation(row), .updated)
    let snapshot = batch.snapshot
    let now =
      change.action == .deleted
      ? nil : try snapshot.findConversation(row).map { try IndexedConversation($0, snapshot) }
    return (
      change.action == .created ? nil : try IndexedConversation(before: change, row, now, snapshot), now
    )
  }

  private static func states(ofIdentity row: UInt32, _ batch: CommitBatch) throws -> (
    IndexedIdentity?, IndexedIdentity?
  ) {
    guard let user = try batch.snapshot.findIdentity(row)?.user else { return (nil, nil) }
    let now = IndexedIdentity(row: row, user: user, names: [], metadata: [])
    return (batch.identities[row]?.action == .created ? nil : now, now)
  }

  /// The words of a record's entries follow from its key.
  private static func states(ofRecord key: TypedRecordKey, _ batch: CommitBatch) -> (
    IndexedRecord?, IndexedRecord?
  ) {
    let record = IndexedRecord(key: key, identifier: [], fields: [])
    let action = batch.records[key]?.action
    return (action == .created ? nil : record, action == .deleted ? nil : record)
  }

  /// Returns whether a message could be seen before and after the batch.
  private static func visibility(of key: MessageKey, _ batch: CommitBatch) throws -> (
    before: Bool, after: Bool
  ) {
    guard !key.isAnnouncement else { return (true, true) }
    let after = try batch.snapshot.findConversation(key.conversation)?.isVisible ?? false
    guard let change = batch.conversations[key.conversation], change.action != .created,
      let before = change.before(.isVisible)
    else { return (batch.conversations[key.conversation]?.action == .created ? false : after, after) }
    return (before.flag, after)
  }
}

extension IndexedMessage {
  /// Makes a message as it was before a change.
  fileprivate init(
    before change: LoggedChange, _ key: MessageKey, _ now: MessageView?, _ after: IndexedMessage?,
    isVisible: Bool, _ snapshot: Snapshot
  ) throws {
    let typeSet = change.number(.typeSet, now: now?.typeSet)
    self.init(
      conversation: key.conversation, sequence: key.sequence, identifierHash: 0,
      fields: MessageFixedFields(
        sender: change.number(.sender, now: now?.sender),
        position: change.optional(.position, now: now?.position),
        sentAt: change.optional(.sentAt, now: now?.sentAt),
        receivedAt: change.optional(.receivedAt, now: now?.receivedAt),
        isSent: change.flag(.isSent, now: now?.isSent),
        isUnread: change.flag(.isUnread, now: now?.isUnread), typeSet: typeSet),
      parts: try Self.parts(before: change, typeSet, after, snapshot),
      isVisible: isVisible)
  }
}

extension IndexedMessage {
  /// Returns the parts that a message had before a change.
  ///
  /// For a deleted message the log keeps the types of its parts, but neither how many parts had each type nor their sizes: one
  /// part stands for each. So it is with parts that an edit may have changed and of which nothing is kept.
  private static func parts(
    before change: LoggedChange, _ typeSet: UInt32, _ after: IndexedMessage?, _ snapshot: Snapshot
  ) throws -> [Part] {
    let one = { try snapshot.typeSets.members(typeSet).map { Part(mimeType: $0, size: nil) } }
    guard let after else { return try one() }
    guard change.properties.contains(.contents) else { return after.parts }
    guard let former = change.contents else { return try one() }
    let known = Dictionary(former.parts.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    var parts: [Part] = []
    for index in 0..<former.count {
      if let part = known[index] {
        parts.append(Part(mimeType: part.mimeType, size: part.size))
      } else if index < UInt64(after.parts.count) {
        parts.append(after.parts[Int(index)])
      }
    }
    return parts
  }
}

extension IndexedConversation {
  /// Makes a conversation as it is now, without the values that only string trees hold.
  fileprivate init(_ view: ConversationView, _ snapshot: Snapshot) throws {
    self.init(
      row: view.row, identifierHash: 0, createdAt: view.createdAt, memberSet: view.participantSet,
      members: try snapshot.participantSets.members(view.participantSet),
      lastReceivedAt: view.last?.receivedAt,
      lastSentAt: view.last?.sentAt, hasUnread: view.unreadCount > 0, metadata: [], isVisible: view.isVisible)
  }

  /// Makes a conversation as it was before a change.
  fileprivate init(
    before change: LoggedChange, _ row: UInt32, _ now: IndexedConversation?, _ snapshot: Snapshot
  ) throws {
    let set = change.number(.participantSet, now: now?.memberSet)
    self.init(
      row: row, identifierHash: 0, createdAt: change.optional(.createdAt, now: now?.createdAt),
      memberSet: set,
      members: try snapshot.participantSets.members(set),
      lastReceivedAt: change.optional(.lastReceivedAt, now: now?.lastReceivedAt),
      lastSentAt: change.optional(.lastSentAt, now: now?.lastSentAt),
      hasUnread: change.before(.unreadCount).map { $0.word != 0 } ?? (now?.hasUnread ?? false), metadata: [],
      isVisible: change.flag(.isVisible, now: now?.isVisible))
  }
}

extension LoggedChange {
  /// Returns a value before the change: the logged one or, if the property did not change, the present one.
  fileprivate func optional(_ property: LoggedProperty, now: Int64?) -> Int64? {
    guard let before = before(property) else { return now }
    guard case .word(let word) = before else { return nil }
    return word
  }

  fileprivate func number(_ property: LoggedProperty, now: UInt32?) -> UInt32 {
    before(property).map { UInt32(truncatingIfNeeded: $0.word) } ?? now ?? 0
  }

  fileprivate func flag(_ property: LoggedProperty, now: Bool?) -> Bool {
    before(property)?.flag ?? now ?? false
  }
}

extension LoggedValue {
  fileprivate var word: Int64 {
    if case .word(let word) = self { word } else { 0 }
  }

  fileprivate var flag: Bool { word != 0 }
}
