internal import LMDB
internal import SatchelCoding
internal import SatchelModel

/// What an import into an existing store has staged so far, and the identifiers of the staged objects.
///
/// No index has the identifiers of staged objects, so their hashes are kept here, 16 bytes per message and some slack.
/// If a hash occurs again, the staged record decides.
final class Staging {
  /// The import's number in the store; nil before the first object is staged.
  private(set) var number: UInt32?
  private var nextOrdinal: UInt64 = 0
  /// By the identifier's hash: the conversation's row in the upper 32 bits, the sequence minus `firstSequence` in the
  /// lower.
  private var messages: [UInt64: UInt64] = [:]
  private var conversations: [UInt64: UInt32] = [:]
  private var users: Set<UInt32> = []
  private var firstSequence: UInt64 = 0
  /// How many identifiers have a hash that an identifier staged earlier has, by hash.
  private var collisions: [UInt64: Int] = [:]
  /// Identifiers whose hash equals that of an identifier staged earlier.
  private var collidingMessages: [ByteString: MessageKey] = [:]
  private var collidingConversations: [ByteString: UInt32] = [:]

  func add(_ identity: Identity, _ line: UInt64, _ writer: Writer) throws {
    try Writer.check(identity)
    let user = try writer.flushed.users.number(of: identity.userID.rawValue)
    guard try writer.locateIdentity(identity.userID.rawValue) == nil,
      user.map({ !users.contains($0) }) ?? true
    else {
      throw SatchelError(
        .identifierExists, "An identity with that user id is in the store already",
        ["identity": identity.userID.rawValue])
    }
    let (row, fields) = try writer.store(identity)
    try writer.put(
      .identities, writer.databases.objects, ObjectKey.identity(row: row).bytes, fields.encode(row: row),
      replacing: nil)
    users.insert(fields.user)
    try add(.created(.identity(row)), line, writer)
  }

  func add(_ draft: ConversationDraft, _ line: UInt64, _ writer: Writer) throws {
    try Writer.check(draft)
    let identifier = draft.identifier?.rawValue ?? writer.makeIdentifier()
    try writer.checkNew(conversation: identifier)
    guard try locateConversation(identifier, writer) == nil else {
      throw SatchelError(
        .identifierExists, "A conversation with that identifier is in the store already",
        ["conversation": identifier])
    }
    let hash = KeyWords.identifierHash(Array(identifier.utf8))
    try writer.check(identifier: identifier, "conversation", ofOneHash: collisions[hash] ?? 0)
    try writer.checkDistinct(draft)
    let (row, fields) = try writer.store(draft, identifier: identifier)
    try writer.put(
      .conversations, writer.databases.objects, ObjectKey.conversation(row: row).bytes,
      fields.encode(row: row),
      replacing: nil)
    // The first identifier of a hash stays: only the later ones are looked for by their bytes.
    if conversations[hash] == nil {
      conversations[hash] = row
    } else {
      collisions[hash, default: 0] += 1
      collidingConversations[ByteString(identifier)] = row
    }
    try add(.created(.conversation(row)), line, writer)
  }

  /// Stages a message or, if there is no conversation, an announcement.
  func add(_ draft: MessageDraft, in conversation: Conversation.ID?, _ line: UInt64, _ writer: Writer) throws
  {
    try Writer.check(draft)
    let identifier = draft.identifier?.rawValue ?? writer.makeIdentifier()
    try writer.checkNew(message: identifier)
    guard try locateMessage(identifier, writer) == nil else {
      throw SatchelError(
        .identifierExists, "A message or announcement with that identifier is in the store already",
        ["message": identifier])
    }
    let hash = KeyWords.identifierHash(Array(identifier.utf8))
    try writer.check(identifier: identifier, "message", ofOneHash: collisions[hash] ?? 0)
    var row = MessageKey.announcements
    if let conversation {
      row =
        try locateConversation(conversation.rawValue, writer) ?? writer.existingConversation(conversation)
    }
    if messages.isEmpty { firstSequence = writer.seal.nextSequence }
    guard writer.seal.nextSequence - firstSequence <= UInt64(UInt32.max) else {
      throw SatchelError(.storeFull, "An import brings at most 4,294,967,296 messages")
    }
    let (key, fields) = try writer.store(draft, identifier: identifier, conversation: row)
    let record = fields.encode(key: key)
    try writer.put(
      key.isAnnouncement ? .announcements : .messages, writer.databases.records(of: key), key.bytes, record,
      replacing: nil)
    let place = UInt64(row) << 32 | (key.sequence - firstSequence)
    if messages[hash] == nil {
      messages[hash] = place
    } else {
      collisions[hash, default: 0] += 1
      collidingMessages[ByteString(identifier)] = key
    }
    try add(.created(.message(key)), line, writer)
  }

  func add(line: UInt64, _ bytes: [UInt8], _ writer: Writer) throws {
    try add(.line(bytes), line, writer)
  }

  private func add(_ content: StagingEntry.Content, _ line: UInt64, _ writer: Writer) throws {
    let number = number ?? writer.seal.nextImport
    if self.number == nil {
      self.number = number
      writer.seal.nextImport = number + 1
    }
    let key = ObjectKey.staging(importNumber: number, ordinal: nextOrdinal)
    let record = StagingEntry(line: line, content: content).encode(importNumber: number, ordinal: nextOrdinal)
    try writer.put(.staging, writer.databases.objects, key.bytes, record, replacing: nil)
    nextOrdinal += 1
  }

  private func locateMessage(_ identifier: String, _ writer: Writer) throws -> MessageKey? {
    if let key = collidingMessages[ByteString(identifier)] { return key }
    let bytes = Array(identifier.utf8)
    guard let place = messages[KeyWords.identifierHash(bytes)] else { return nil }
    let key = MessageKey(
      conversation: UInt32(place >> 32), sequence: firstSequence + (place & UInt64(UInt32.max)))
    guard let view = try writer.flushed.message(key) else { return nil }
    return unsafe view.identifierBytes.elementsEqual(bytes) ? key : nil
  }

  private func locateConversation(_ identifier: String, _ writer: Writer) throws -> UInt32? {
    if let row = collidingConversations[ByteString(identifier)] { return row }
    let bytes = Array(identifier.utf8)
    guard let row = conversations[KeyWords.identifierHash(bytes)],
      let view = try writer.flushed.findConversation(row)
    else { return nil }
    return unsafe view.identifierBytes.elementsEqual(bytes) ? row : nil
  }
}
