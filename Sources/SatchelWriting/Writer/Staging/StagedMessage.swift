internal import LMDB
package import SatchelCoding
package import SatchelModel

/// A message to be, whose contents are stored before it, in steps, each in a commit of its own: they are too large to be held, or
/// for one commit.
///
/// From the first step on, its record is in the tables with what there is of its contents, as that of a message that an import has
/// staged: in no index, and removed by the next opener if its process ends. The message takes the record's place, under its key,
/// so that no content is written twice.
package struct StagedMessage: Sendable, Hashable {
  package let importNumber: UInt32
  package let key: MessageKey

  /// The same in the midst of a write.
  struct Found {
    let message: StagedMessage
    /// The checksum of its record.
    let checksum: UInt64
    let entry: StagedEntry
  }
}

extension Writer {
  /// Begins a message in a conversation or, if there is none, an announcement.
  /// - Parameter parts: What stands for its parts: empty data for contents that are given before the write, anything else for others.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidValue`. In each case nothing has changed.
  package func stageMessage(
    _ parts: [MessagePart.Draft], in conversation: Conversation.ID?
  ) throws -> StagedMessage {
    let row = try conversation.map { try existingConversation($0) } ?? MessageKey.announcements
    let draft = MessageDraft(sender: user, parts: parts)
    try check(draft)
    return try changing {
      let message = try messageRecords.store(draft, identifier: makeIdentifier(), conversation: row)
      let key = MessageKey(conversation: row, sequence: message.sequence)
      let number = try tables.takeImport()
      let entry = StagingEntry(line: 1, content: .created(.message(key)))
      try tables.put(
        .staging, ObjectKey.staging(importNumber: number, ordinal: 0).bytes,
        entry.encode(importNumber: number, ordinal: 0), replacing: nil)
      return StagedMessage(importNumber: number, key: key)
    }
  }

  /// Adds bytes to the content of one of its parts, and returns all that there is of it.
  /// - Parameter bytes: A multiple of `BodyLayout.pieceContent`, unless nothing follows.
  /// - Throws: ``SatchelError`` `unknownConversation` if the conversation was deleted meanwhile, `invalidValue` if the content
  ///   becomes too long. In each case nothing has changed.
  package func append(
    _ bytes: [UInt8], toPart part: Int, of staged: StagedMessage
  ) throws -> StagedContent {
    let key = staged.key
    guard try flushed.hasMessage(key), try key.isAnnouncement || hasConversation(key.conversation)
    else {
      throw Self.deletedMeanwhile()
    }
    var (fields, checksum) = try flushed.message(key)
    var (length, digest) = fields.parts[part].content.stored
    let (pieces, rest) = length.quotientAndRemainder(dividingBy: UInt64(BodyLayout.pieceContent))
    guard rest == 0, length + UInt64(bytes.count) <= BodyLayout.maximumLength else {
      throw SatchelError(
        .invalidValue, "The content of a part has at most 1,099,511,627,776 bytes",
        ["part": String(part), "size": String(length + UInt64(bytes.count))])
    }
    try changing {
      digest &+= unsafe try tables.storePieces(
        of: bytes.span.bytes, UInt16(truncatingIfNeeded: part), of: key, after: pieces)
      length += UInt64(bytes.count)
      fields.parts[part].content = .stored(length: length, digest: digest)
      fields.parts[part].size = Int64(length)
      try tables.put(
        Seal.Table(of: key), key.bytes, fields.encode(key: key), replacing: checksum)
    }
    return StagedContent(
      importNumber: staged.importNumber, conversation: key.conversation, sequence: key.sequence,
      part: part,
      length: length, digest: digest)
  }

  /// Returns the message of which contents of some parts were given; nil if none was.
  /// - Throws: ``SatchelError`` `invalidValue` if they are not all of its contents, each at its place, in its conversation, or not any
  ///   more.
  func stagedMessage(
    of parts: [MessagePart.Draft], in conversation: UInt32
  ) throws -> StagedMessage.Found? {
    guard let first = parts.lazy.compactMap(\.staged).first else { return nil }
    let key = MessageKey(conversation: first.conversation, sequence: first.sequence)
    guard key.conversation == conversation else {
      throw SatchelError(
        .invalidValue,
        "Contents that were given before the write are of a message in the conversation that was named with them"
      )
    }
    guard let entry = try stagedEntries(first.importNumber, from: 0, limit: 1).first,
      entry.entry.content == .created(.message(key)), try flushed.hasMessage(key)
    else {
      throw SatchelError(
        .invalidValue,
        "Contents that were given before the write are there for one message, in that write")
    }
    let (fields, checksum) = try flushed.message(key)
    let stored = fields.parts.enumerated().map { index, part -> StagedContent? in
      guard part.kind == .data else { return nil }
      let (length, digest) = part.content.stored
      return StagedContent(
        importNumber: first.importNumber, conversation: key.conversation, sequence: key.sequence,
        part: index, length: length, digest: digest)
    }
    let given = parts.map(\.staged)
    guard given.prefix(stored.count) == stored[...],
      given.dropFirst(stored.count).allSatisfy({ $0 == nil })
    else {
      throw SatchelError(
        .invalidValue,
        "Contents that were given before the write are parts of one message, all of them, each at its index",
        ["property": "parts"])
    }
    let message = StagedMessage(importNumber: first.importNumber, key: key)
    return StagedMessage.Found(message: message, checksum: checksum, entry: entry)
  }
}
