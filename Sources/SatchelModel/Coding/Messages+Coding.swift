extension Message: Codable {
  /// Decodes a message. What is not there has the value that its absence in the interchange format stands for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodedKey.self)
    self.init(
      try Envelope(
        from: container, conversation: try container.decode(Conversation.ID.self, forKey: .conversation)))
  }

  /// Encodes the message with the keys of the interchange format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodedKey.self)
    try container.encode(id, forKey: .identifier)
    try container.encode(conversation, forKey: .conversation)
    try envelope.encode(into: &container)
  }
}

extension Announcement: Codable {
  /// Decodes an announcement. What is not there has the value that its absence in the interchange format stands for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodedKey.self)
    self.init(try Envelope(from: container, conversation: nil))
  }

  /// Encodes the announcement with the keys of the interchange format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodedKey.self)
    try container.encode(id, forKey: .identifier)
    try envelope.encode(into: &container)
  }
}

extension Envelope {
  /// - Parameter conversation: Nil for an announcement.
  fileprivate init(from container: KeyedDecodingContainer<CodedKey>, conversation: Conversation.ID?) throws {
    let id = try container.decode(Message.ID.self, forKey: .identifier)
    var parts: [MessagePart] = []
    if container.contains(.parts), try !container.decodeNil(forKey: .parts) {
      var list = try container.nestedUnkeyedContainer(forKey: .parts)
      while !list.isAtEnd {
        let part = try list.nestedContainer(keyedBy: CodedKey.self)
        parts.append(try MessagePart(from: part, message: id, index: parts.count))
      }
    }
    let statuses = try container.decodeIfPresent(
      [Identity.ID: RecipientStatus].self, forKey: .recipientStatus)
    self.init(
      identifier: id.rawValue,
      remoteID: try container.decodeIfPresent(Message.ID.self, forKey: .remoteID)?.rawValue,
      conversation: conversation,
      sender: try container.decode(Identity.ID.self, forKey: .sender),
      position: try container.decodeIfPresent(Int64.self, forKey: .position),
      sentAt: try container.decodeIfPresent(Timestamp.self, forKey: .sentAt),
      receivedAt: try container.decodeIfPresent(Timestamp.self, forKey: .receivedAt),
      editedAt: try container.decodeIfPresent(Timestamp.self, forKey: .editedAt),
      deletedAt: try container.decodeIfPresent(Timestamp.self, forKey: .deletedAt),
      updatedAt: try container.decodeIfPresent(Timestamp.self, forKey: .updatedAt),
      isSent: try container.decodeIfPresent(Bool.self, forKey: .isSent) ?? true,
      isUnread: try container.decodeIfPresent(Bool.self, forKey: .isUnread) ?? false, parts: parts,
      preview: try container.decodeIfPresent(String.self, forKey: .preview),
      recipientStatus: (statuses ?? [:]).sorted { $0.key < $1.key }
        .map { RecipientStatusEntry(user: $0.key, status: $0.value) },
      metadata: try container.decodeIfPresent(Metadata.self, forKey: .metadata) ?? Metadata())
  }

  fileprivate func encode(into container: inout KeyedEncodingContainer<CodedKey>) throws {
    try container.encodeIfPresent(remoteID, forKey: .remoteID)
    try container.encode(sender, forKey: .sender)
    try container.encodeIfPresent(position, forKey: .position)
    try container.encodeIfPresent(sentAt, forKey: .sentAt)
    try container.encodeIfPresent(receivedAt, forKey: .receivedAt)
    try container.encodeIfPresent(editedAt, forKey: .editedAt)
    try container.encodeIfPresent(deletedAt, forKey: .deletedAt)
    try container.encodeIfPresent(updatedAt, forKey: .updatedAt)
    try container.encode(isSent, unless: true, forKey: .isSent)
    try container.encode(isUnread, unless: false, forKey: .isUnread)
    let parts = parts
    if !parts.isEmpty {
      var list = container.nestedUnkeyedContainer(forKey: .parts)
      for part in parts {
        var inner = list.nestedContainer(keyedBy: CodedKey.self)
        try part.encodeContent(into: &inner)
      }
    }
    // That of a text that is here follows from the text.
    if text == nil { try container.encodeIfPresent(preview, forKey: .preview) }
    try encodeStatuses(into: &container)
    try container.encode(metadata, unless: Metadata(), forKey: .metadata)
  }

  private func encodeStatuses(into container: inout KeyedEncodingContainer<CodedKey>) throws {
    let entries = recipientStatus
    guard !entries.isEmpty else { return }
    // Encoders keep keys in dictionaries of Swift, where two spellings of one text are one key.
    guard Set(entries.map(\.user.rawValue)).count == entries.count else {
      throw EncodingError.invalidValue(
        entries.map(\.user.rawValue),
        .init(
          codingPath: container.codingPath + [CodedKey.recipientStatus],
          debugDescription: "Two user ids are spellings of the same text, which an encoder cannot tell apart")
      )
    }
    var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: .recipientStatus)
    for entry in entries { try inner.encode(entry.status, forKey: TextCodingKey(entry.user.rawValue)) }
  }
}
