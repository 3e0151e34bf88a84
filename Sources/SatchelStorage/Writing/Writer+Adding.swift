internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// The fast path for a new message. Its record is encoded from the draft and put once; only the values of its index
/// entries wait for the flush.
extension Writer {
  /// Adds a checked draft to a conversation, under a new identifier.
  func add(_ draft: MessageDraft, identifier: String, to conversation: UInt32) throws {
    let key = MessageKey(conversation: conversation, sequence: seal.nextSequence)
    seal.nextSequence += 1
    let sender = try intern(.users, draft.sender.rawValue)
    let recipients = try interned(draft.recipientStatus)
    let types = try interned(typesOf: draft.parts)
    let head = MessageFixedFields(
      sender: sender, position: draft.position, sentAt: draft.sentAt?.microseconds,
      receivedAt: draft.receivedAt?.microseconds, isSent: draft.isSent, isUnread: draft.isUnread,
      typeSet: types.set)
    let name = Array(identifier.utf8)
    messageEncoder.begin(
      head, identifier: name, recipients: recipients, metadata: draft.metadata, parts: draft.parts.count)
    for (index, part) in draft.parts.enumerated() {
      try encode(part, index, type: types.members[index], of: key)
    }
    messageEncoder.finish(key: key)
    try put(.messages, databases.messages, key.bytes, messageEncoder.bytes, replacing: nil)

    let message = IndexedMessage(
      conversation: conversation, sequence: key.sequence, identifierHash: KeyWords.identifierHash(name),
      fields: head, parts: indexed(draft.parts, types), isVisible: false)
    identifiers.insert(message.identifierRow)
    if identifiers.isFull { try settleIdentifiers() }
    overlay.add(message)
    // The overlay has nil for this identifier if its former message was deleted since the last flush.
    if !overlay.messageIdentifiers.isEmpty, overlay.messageIdentifiers[ByteString(identifier)] != nil {
      overlay.noteAgain(identifier: identifier, of: key)
    }
    try noteInsertion(
      of: StoredConversation.Last(
        sequence: key.sequence, position: head.position, sentAt: head.sentAt, receivedAt: head.receivedAt,
        isUnread: head.isUnread, sender: sender), in: conversation)
  }

  private func encode(_ part: MessagePart.Draft, _ index: Int, type: UInt32, of key: MessageKey) throws {
    let kind: StoredPart.Kind
    let bytes: [UInt8]
    switch part.content {
    case .text(var text):
      let length = UInt64(text.utf8.count)
      guard length > BodyLayout.maximumInlineBytes else {
        messageEncoder.part(.text, mimeType: type, size: part.size, length: length)
        return messageEncoder.append(text)
      }
      let digest = try text.withUTF8 {
        unsafe try storePieces(of: $0.span.bytes, UInt16(truncatingIfNeeded: index), of: key)
      }
      return messageEncoder.part(
        .text, mimeType: type, size: part.size, length: length, storedDigest: digest)
    case .data(let data): (kind, bytes) = (.data, data)
    case .url(let url): (kind, bytes) = (.url, Array(url.utf8))
    case .storedText, .storedData: throw Self.missingContent
    }
    switch try store(bytes, UInt16(truncatingIfNeeded: index), of: key) {
    case .inline(let bytes):
      messageEncoder.part(kind, mimeType: type, size: part.size, length: UInt64(bytes.count))
      messageEncoder.append(bytes)
    case .stored(let length, let digest):
      messageEncoder.part(kind, mimeType: type, size: part.size, length: length, storedDigest: digest)
    }
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

  private func indexed(_ parts: [MessagePart.Draft], _ types: InternedTypes) -> [IndexedMessage.Part] {
    zip(parts, types.members).map { IndexedMessage.Part(mimeType: $1, size: $0.size) }
  }

  /// Turns an added message, which is about to be changed, into a state.
  func claim(_ index: Int, _ key: MessageKey, _ fields: StoredMessage, checksum: UInt64) -> MessageState {
    let state = MessageState(staged: fields, checksum: checksum)
    // The flush adds the identifier with the other entries, if the message still exists.
    identifiers.remove(overlay.added.messages[index].identifierRow)
    overlay.note(identifier: String(decoding: fields.identifier, as: UTF8.self), of: key)
    overlay.claim(index, key, state)
    return state
  }
}

/// The numbers of the types of a message's parts, and of the set of them.
struct InternedTypes {
  let members: [UInt32]
  let set: UInt32
}
