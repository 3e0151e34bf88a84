internal import LMDB
package import SatchelCoding
internal import SatchelGathering
package import SatchelModel

/// What an import into an existing store has staged so far, and the identifiers of the staged objects.
package final class Staging {
  /// The import's number in the store; nil before the first object is staged.
  package private(set) var number: UInt32?
  /// What the store remembered of deletions before the first object was staged.
  package private(set) var deletions = Seal.Summary()
  private var nextOrdinal: UInt64 = 0
  /// Of a message, the conversation's row in the upper 32 bits, the sequence minus `firstSequence` in the lower.
  private var messages = StagedIdentifiers()
  private var conversations = StagedIdentifiers()
  private var users: Set<UInt32> = []
  /// The names of the conversations of staged messages that were in the store, by their rows: they may be deleted meanwhile.
  package private(set) var conversationsOfOthers: [UInt32: Conversation.ID] = [:]
  private var firstSequence: UInt64 = 0

  package init() {}

  package func add(_ identity: Identity, _ line: UInt64, _ writer: Writer) throws {
    try writer.check(identity)
    let user = try writer.flushed.users.number(of: identity.userID.rawValue)
    guard try writer.locateIdentity(identity.userID.rawValue) == nil,
      user.map({ !users.contains($0) }) ?? true
    else {
      throw SatchelError(
        .identifierExists, "An identity with that user id is in the store already",
        ["identity": identity.userID.rawValue])
    }
    let (row, fields) = try writer.store(identity)
    try writer.tables.put(
      .identities, ObjectKey.identity(row: row).bytes, fields.encode(row: row),
      replacing: nil)
    users.insert(fields.user)
    try add(.created(.identity(row)), line, writer)
  }

  package func add(_ draft: ConversationDraft, _ line: UInt64, _ writer: Writer) throws {
    try writer.check(draft)
    let identifier = draft.identifier?.rawValue ?? writer.makeIdentifier()
    let others = try writer.checkNew(conversation: identifier, remoteID: draft.remoteID)
    let names = SatchelCoding.names(identifier, draft.remoteID?.rawValue).map {
      (text: $0, hash: KeyWords.identifierHash(Array($0.utf8)))
    }
    for name in names {
      guard try locateConversation(name.text, name.hash, writer) == nil else {
        throw SatchelError(
          .identifierExists, "A conversation with that identifier is in the store already",
          ["conversation": name.text])
      }
    }
    try Writer.check(
      identifier: identifier, "conversation", ofOneHash: others + conversations.count(ofHash: names[0].hash))
    try writer.checkDistinct(draft)
    let (row, fields) = try writer.store(draft, identifier: identifier)
    try writer.tables.put(
      .conversations, ObjectKey.conversation(row: row).bytes,
      fields.encode(row: row),
      replacing: nil)
    for name in names { conversations.insert(name.text, hash: name.hash, at: UInt64(row)) }
    try add(.created(.conversation(row)), line, writer)
  }

  /// Stages a message or, if there is no conversation, an announcement.
  package func add(_ draft: MessageDraft, in conversation: Conversation.ID?, _ line: UInt64, _ writer: Writer)
    throws
  {
    try writer.check(draft)
    let identifier = draft.identifier?.rawValue ?? writer.makeIdentifier()
    let others = try writer.checkNew(message: identifier, remoteID: draft.remoteID)
    let names = SatchelCoding.names(identifier, draft.remoteID?.rawValue).map {
      (text: $0, hash: KeyWords.identifierHash(Array($0.utf8)))
    }
    for name in names {
      guard try locateMessage(name.text, name.hash, writer) == nil else {
        throw SatchelError(
          .identifierExists, "A message or announcement with that identifier is in the store already",
          ["message": name.text])
      }
    }
    try Writer.check(
      identifier: identifier, "message", ofOneHash: others + messages.count(ofHash: names[0].hash))
    var row = MessageKey.announcements
    if let conversation {
      let hash = KeyWords.identifierHash(Array(conversation.rawValue.utf8))
      if let staged = try locateConversation(conversation.rawValue, hash, writer) {
        row = staged
      } else {
        row = try writer.existingConversation(conversation)
        if conversationsOfOthers[row] == nil { conversationsOfOthers[row] = conversation }
      }
    }
    if messages.isEmpty { firstSequence = writer.tables.seal.nextSequence }
    guard writer.tables.seal.nextSequence - firstSequence <= UInt64(UInt32.max) else {
      throw SatchelError(.storeFull, "An import brings at most 4,294,967,296 messages")
    }
    let message = try writer.messageRecords.store(draft, identifier: identifier, conversation: row)
    for name in names {
      messages.insert(
        name.text, hash: name.hash, at: UInt64(row) << 32 | (message.sequence - firstSequence))
    }
    try add(
      .created(.message(MessageKey(conversation: row, sequence: message.sequence))), line, writer)
  }

  package func add(line: UInt64, _ bytes: [UInt8], _ writer: Writer) throws {
    try add(.line(bytes), line, writer)
  }

  private func add(_ content: StagingEntry.Content, _ line: UInt64, _ writer: Writer) throws {
    if self.number == nil { deletions = writer.deletionSummary }
    let number = try number ?? writer.tables.takeImport()
    self.number = number
    let key = ObjectKey.staging(importNumber: number, ordinal: nextOrdinal)
    let record = StagingEntry(line: line, content: content).encode(importNumber: number, ordinal: nextOrdinal)
    try writer.tables.put(.staging, key.bytes, record, replacing: nil)
    nextOrdinal += 1
  }

  private func locateMessage(_ identifier: String, _ hash: UInt64, _ writer: Writer) throws -> UInt64? {
    try messages.locate(identifier, hash: hash) { location in
      let key = MessageKey(
        conversation: UInt32(location >> 32), sequence: firstSequence + (location & UInt64(UInt32.max)))
      return try writer.flushed.hasMessage(key)
        && writer.flushed.isMessage(key, named: Array(identifier.utf8))
    }
  }

  private func locateConversation(_ identifier: String, _ hash: UInt64, _ writer: Writer) throws -> UInt32? {
    try conversations.locate(identifier, hash: hash) { row in
      try writer.flushed.isConversation(UInt32(row), named: Array(identifier.utf8))
    }.map { UInt32($0) }
  }
}
