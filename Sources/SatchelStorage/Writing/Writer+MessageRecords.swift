internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// The one way from a draft to a record, for messages and announcements, added at once or staged by an import.
extension Writer {
  /// Gives a checked draft its sequence, stores its contents and its record, and returns what the indexes are to hold
  /// of it. The caller enters it into the overlay.
  func storeRecord(_ draft: MessageDraft, identifier: String, conversation: UInt32) throws -> IndexedMessage {
    let key = MessageKey(conversation: conversation, sequence: seal.nextSequence)
    seal.nextSequence += 1
    let sender = try intern(.users, draft.sender.rawValue)
    let recipients = try interned(draft.recipientStatus)
    let types = try interned(typesOf: draft.parts)
    let fields = MessageFixedFields(
      sender: sender, position: draft.position, sentAt: draft.sentAt?.microseconds,
      receivedAt: draft.receivedAt?.microseconds, isSent: draft.isSent, isUnread: draft.isUnread,
      typeSet: types.set)
    let name = Array(identifier.utf8)
    messageEncoder.begin(
      fields, identifier: name, recipients: recipients, metadata: draft.metadata, parts: draft.parts.count)
    var inlineTotal = 0
    for (index, part) in draft.parts.enumerated() {
      try encode(part, index, type: types.members[index], of: key, &inlineTotal)
    }
    messageEncoder.finish(key: key)
    try put(
      key.isAnnouncement ? .announcements : .messages, databases.records(of: key), key.bytes,
      messageEncoder.bytes, replacing: nil)
    return IndexedMessage(
      conversation: conversation, sequence: key.sequence, identifierHash: KeyWords.identifierHash(name),
      fields: fields,
      parts: zip(draft.parts, types.members).map { IndexedMessage.Part(mimeType: $1, size: $0.size) },
      isVisible: false)
  }

  /// Adds a part to the record that is being encoded: with its content, or with a reference to the content in `bodies`.
  /// - Parameter inlineTotal: The bytes of contents that the record has already.
  private func encode(
    _ part: MessagePart.Draft, _ index: Int, type: UInt32, of key: MessageKey, _ inlineTotal: inout Int
  ) throws {
    let (kind, length): (StoredPart.Kind, Int) =
      switch part.content {
      case .text(let text): (.text, text.utf8.count)
      case .data(let data): (.data, data.count)
      case .url(let url): (.url, url.utf8.count)
      case .storedText, .storedData: throw Self.missingContent
      }
    guard BodyLayout.isInline(length: length, total: inlineTotal) else {
      let digest = try storePieces(of: part.content, UInt16(truncatingIfNeeded: index), of: key)
      return messageEncoder.part(
        kind, mimeType: type, size: part.size, length: UInt64(length), storedDigest: digest)
    }
    inlineTotal += length
    messageEncoder.part(kind, mimeType: type, size: part.size, length: UInt64(length))
    switch part.content {
    case .text(let text), .url(let text): messageEncoder.append(text)
    case .data(let data): messageEncoder.append(data)
    case .storedText, .storedData: break
    }
  }

  private func storePieces(
    of content: MessagePart.Content, _ part: UInt16, of key: MessageKey
  ) throws -> UInt64 {
    switch content {
    case .text(var text), .url(var text):
      return try text.withUTF8 { unsafe try storePieces(of: $0.span.bytes, part, of: key) }
    case .data(let data): return try storePieces(of: data.span.bytes, part, of: key)
    case .storedText, .storedData: throw Self.missingContent
    }
  }

  private static var missingContent: SatchelError {
    SatchelError(.invalidValue, "A part needs its content: read it with content(of:) first")
  }

  /// Returns the types of some parts and the set of these types. They are mostly the same as those of the previous
  /// message.
  private func interned(typesOf parts: [MessagePart.Draft]) throws -> InternedTypes {
    if let last = lastTypes, last.members.count == parts.count,
      try parts.indices.allSatisfy({ try intern(.mimeTypes, parts[$0].mimeType) == last.members[$0] })
    {
      return last
    }
    let members = try parts.map { try intern(.mimeTypes, $0.mimeType) }
    let types = InternedTypes(members: members, set: try intern(.typeSets, set: members))
    lastTypes = types
    return types
  }

  /// Returns the recipients with the numbers of their users, in the order of the entries.
  private func interned(_ entries: [RecipientStatusEntry]) throws -> [RecipientFields] {
    guard !entries.isEmpty else { return [] }
    var recipients: [RecipientFields] = []
    recipients.reserveCapacity(entries.count)
    for entry in entries {
      recipients.append(
        RecipientFields(user: try intern(.users, entry.user.rawValue), status: entry.status))
    }
    return recipients
  }
}

/// The numbers of the types of a message's parts, and of the set of them.
struct InternedTypes {
  let members: [UInt32]
  let set: UInt32
}
