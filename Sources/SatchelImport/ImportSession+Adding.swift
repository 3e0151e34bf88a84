internal import SatchelCoding
package import SatchelModel
package import SatchelRecords
internal import SatchelWriting

extension ImportSession {
  /// Adds an identity.
  /// - Throws: ``SatchelError`` as `Writer.insertIdentity`. Then nothing has changed.
  package func addIdentity(_ identity: Identity, line: UInt64) throws {
    let writer = try current()
    switch target {
    case .new: try writer.insertIdentity(identity)
    case .existing(let staging, _): try staging.add(identity, line, writer)
    }
    counts.identities += 1
    note(bytes: 500)
  }

  /// Adds a conversation with the given participants.
  /// - Throws: ``SatchelError`` as `Writer.insertConversation`. Then nothing has changed.
  package func addConversation(_ draft: ConversationDraft, line: UInt64) throws {
    let writer = try current()
    switch target {
    case .new: _ = try writer.insertConversation(draft)
    case .existing(let staging, _): try staging.add(draft, line, writer)
    }
    counts.conversations += 1
    note(bytes: 500)
  }

  /// Adds a message.
  /// - Throws: ``SatchelError`` as `Writer.insertMessage`. Then nothing has changed.
  package func addMessage(_ draft: MessageDraft, in conversation: Conversation.ID, line: UInt64) throws {
    let writer = try current()
    switch target {
    case .new: _ = try writer.insertMessage(draft, in: conversation)
    case .existing(let staging, _): try staging.add(draft, in: conversation, line, writer)
    }
    counts.messages += 1
    if gathered == nil { note(bytes: Self.size(draft)) }
  }

  /// Adds an announcement.
  /// - Throws: ``SatchelError`` as `Writer.insertAnnouncement`. Then nothing has changed.
  package func addAnnouncement(_ draft: MessageDraft, line: UInt64) throws {
    let writer = try current()
    switch target {
    case .new: _ = try writer.insertAnnouncement(draft)
    case .existing(let staging, _): try staging.add(draft, in: nil, line, writer)
    }
    counts.announcements += 1
    note(bytes: Self.size(draft))
  }

  /// Declares record types: in a new store at once, in an existing one by their line, in the last commit.
  /// - Throws: ``SatchelError`` as `Writer.declare`. Then nothing has changed.
  package func declare(_ types: [RecordType], _ bytes: [UInt8] = [], line: UInt64 = 0) throws {
    let writer = try current()
    switch target {
    case .new:
      try writer.declare(types)
      counts.recordTypes += types.count
    case .existing(let staging, _): try wait(staging, line, bytes, writer)
    }
    note(bytes: 500)
  }

  /// Adds a record of an application: to a new store at once, to an existing one by its line, in the last commit.
  /// - Throws: ``SatchelError`` as `Writer.insert`. Then nothing has changed.
  package func add(_ record: Record, _ bytes: [UInt8] = [], line: UInt64 = 0) throws {
    let writer = try current()
    switch target {
    case .new:
      try writer.insert(record)
      counts.records += 1
    case .existing(let staging, _): try wait(staging, line, bytes, writer)
    }
    note(bytes: 500 + bytes.count)
  }

  /// Accepts a line that must be applied after the lines before it: an update or a deletion, and every line after the
  /// first of these. In a new store it is applied at once, but the first one before the next object is asked for; its errors end the
  /// import. Otherwise a line is applied in the last commit.
  package func deferLine(_ bytes: [UInt8], line: UInt64) throws {
    let writer = try current()
    switch target {
    case .new where gathered != nil: held = (line, bytes)
    case .new: try carryOutAtOnce(line, bytes, writer)
    case .existing(let staging, _): try wait(staging, line, bytes, writer)
    }
    note(bytes: bytes.count)
  }

  /// Accepts a line that must be applied when everything else is in the store, as far as that is new: a declaration, from which on the
  /// store keeps what follows from its objects. It is applied in the last commit, and its errors end the import.
  package func addLast(_ bytes: [UInt8], line: UInt64) throws {
    switch target {
    case .new:
      last.append((line, bytes))
      hasWaitingLines = true
    case .existing(let staging, _): try wait(staging, line, bytes, current())
    }
    note(bytes: bytes.count)
  }

  private func wait(_ staging: Staging, _ line: UInt64, _ bytes: [UInt8], _ writer: Writer) throws {
    try staging.add(line: line, bytes, writer)
    hasWaitingLines = true
  }

  /// Whether the store's user has deleted a message or announcement, or its conversation with all messages up to it.
  package func isDeleted(_ draft: MessageDraft, in conversation: Conversation.ID?) throws -> Bool {
    try current().isDeleted(draft, in: conversation)
  }

  /// Whether the store's user has deleted a conversation, and it has not come back.
  package func isDeleted(_ conversation: Conversation.ID) throws -> Bool {
    try current().isDeleted(conversation)
  }

  /// Whether the store's user has deleted the conversation of a draft, and it has not come back.
  package func isDeleted(_ draft: ConversationDraft) throws -> Bool {
    try current().isDeleted(draft)
  }

  /// Whether the message of which a record says something takes that, as far as the message is in the store.
  package func isTaken(_ record: Record.ID) throws -> Bool { try current().isTaken(record) }

  /// Whether a message, an announcement or a conversation has a name, or had it when the store's user deleted it.
  package func knows(_ reference: Reference) throws -> Bool { try current().knows(reference) }

  private func note(bytes: Int) {
    batchObjects += 1
    batchBytes += bytes
  }

  private func current() throws -> Writer {
    guard let writer else {
      throw SatchelError(.closed, "Objects are added to an import inside the closure that it runs")
    }
    return writer
  }

  private static func size(_ draft: MessageDraft) -> Int {
    draft.parts.reduce(500) { sum, part in
      switch part.content {
      case .text(let text), .url(let text): sum + text.utf8.count
      case .data(let bytes): sum + bytes.count
      case .storedText, .storedData: sum
      }
    }
  }
}
