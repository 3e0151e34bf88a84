internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// The one way from a draft to a record, for messages and announcements, added at once or staged by an import.
final class MessageRecords {
  private let tables: RecordTables
  private let interner: Interner
  /// Kept, so that its memory is used for every record. Not checked for exclusive access at run time: no access lasts
  /// while other code of the write runs.
  @safe @exclusivity(unchecked) private var encoder = MessageEncoder(capacity: 0)

  init(_ tables: RecordTables, _ interner: Interner) {
    self.tables = tables
    self.interner = interner
  }

  /// Gives a checked draft its sequence, stores its contents and its record, and returns what the indexes are to hold
  /// of it. The caller enters it into the overlay.
  /// - Parameter staged: The key and the checksum of the record as which contents of the draft were stored before: the draft's takes
  ///   its place.
  func store(
    _ draft: MessageDraft, identifier: String, conversation: UInt32,
    replacing staged: (key: MessageKey, checksum: UInt64)? = nil
  ) throws -> IndexedMessage {
    let key = staged?.key ?? MessageKey(conversation: conversation, sequence: tables.takeSequence())
    let sender = try interner.intern(.users, draft.sender.rawValue)
    let recipients = try interner.intern(draft.recipientStatus)
    let types = try interner.intern(typesOf: draft.parts)
    let fields = MessageFixedFields(
      sender: sender, position: draft.position, sentAt: draft.sentAt?.microseconds,
      receivedAt: draft.receivedAt?.microseconds, isSent: draft.isSent, isUnread: draft.isUnread,
      typeSet: types.set)
    let name = Array(identifier.utf8)
    let remoteID = draft.remoteID.map { Array($0.rawValue.utf8) }
    encoder.begin(
      fields, life: draft.life, identifier: name, remoteID: remoteID, recipients: recipients,
      metadata: draft.metadata, parts: draft.parts.count)
    var inlineTotal = 0
    for (index, part) in draft.parts.enumerated() {
      try encode(part, index, type: types.members[index], of: key, &inlineTotal)
    }
    encoder.finish(key: key)
    try tables.put(Seal.Table(of: key), key.bytes, encoder.bytes, replacing: staged?.checksum)
    return IndexedMessage(
      conversation: conversation, sequence: key.sequence, identifierHash: KeyWords.identifierHash(name),
      remoteIDHash: remoteID.map { KeyWords.identifierHash($0) }, fields: fields,
      parts: zip(draft.parts, types.members).map { IndexedMessage.Part(mimeType: $1, size: $0.size) },
      isVisible: false)
  }

  /// Adds a part to the record that is being encoded: with its content, or with a reference to the content in `bodies`.
  /// - Parameter inlineTotal: The bytes of contents that the record has already.
  private func encode(
    _ part: MessagePart.Draft, _ index: Int, type: UInt32, of key: MessageKey, _ inlineTotal: inout Int
  ) throws {
    if case .storedData = part.content, let staged = part.staged {
      return encoder.part(
        .data, mimeType: type, size: part.size, transferStatus: part.transferStatus, length: staged.length,
        storedDigest: staged.digest)
    }
    let (kind, length) = try Self.measure(part.content)
    guard BodyLayout.isInline(length: length, total: inlineTotal) else {
      let digest = try storePieces(of: part.content, UInt16(truncatingIfNeeded: index), of: key)
      return encoder.part(
        kind, mimeType: type, size: part.size, transferStatus: part.transferStatus,
        length: UInt64(length), storedDigest: digest)
    }
    inlineTotal += length
    encoder.part(
      kind, mimeType: type, size: part.size, transferStatus: part.transferStatus, length: UInt64(length))
    switch part.content {
    case .text(let text), .url(let text): encoder.append(text)
    case .data(let data): encoder.append(data)
    case .storedText, .storedData: break
    }
  }

  /// Stores the content of a part that a message gets by an edit, if it is not to be in the message's record, and returns the
  /// part as the record is to hold it.
  /// - Parameter inlineTotal: The bytes of contents that the record has already.
  func store(
    _ part: MessagePart.Draft, _ index: Int, of key: MessageKey, _ inlineTotal: inout Int
  ) throws -> StoredPart {
    let (kind, length) = try Self.measure(part.content)
    var stored = StoredPart(
      mimeType: try interner.intern(.mimeTypes, part.mimeType), kind: kind, size: part.size,
      transferStatus: part.transferStatus, content: .inline([]))
    guard BodyLayout.isInline(length: length, total: inlineTotal) else {
      let digest = try storePieces(of: part.content, UInt16(truncatingIfNeeded: index), of: key)
      stored.content = .stored(length: UInt64(length), digest: digest)
      return stored
    }
    inlineTotal += length
    switch part.content {
    case .text(let text), .url(let text): stored.content = .inline(Array(text.utf8))
    case .data(let data): stored.content = .inline(data)
    case .storedText, .storedData: break
    }
    return stored
  }

  /// Returns the kind of a content, and its bytes.
  private static func measure(_ content: MessagePart.Content) throws -> (StoredPart.Kind, Int) {
    switch content {
    case .text(let text): (.text, text.utf8.count)
    case .data(let data): (.data, data.count)
    case .url(let url): (.url, url.utf8.count)
    case .storedText, .storedData: throw missingContent
    }
  }

  private func storePieces(
    of content: MessagePart.Content, _ part: UInt16, of key: MessageKey
  ) throws -> UInt64 {
    switch content {
    case .text(var text), .url(var text):
      return try text.withUTF8 { unsafe try tables.storePieces(of: $0.span.bytes, part, of: key) }
    case .data(let data): return unsafe try tables.storePieces(of: data.span.bytes, part, of: key)
    case .storedText, .storedData: throw Self.missingContent
    }
  }

  private static var missingContent: SatchelError {
    SatchelError(.invalidValue, "A part needs its content: read it with content(of:) first")
  }
}

extension MessageDraft {
  /// What has happened to it before it came into this store.
  var life: MessageLife {
    MessageLife(
      editedAt: editedAt?.microseconds, deletedAt: deletedAt?.microseconds,
      updatedAt: updatedAt?.microseconds)
  }
}
