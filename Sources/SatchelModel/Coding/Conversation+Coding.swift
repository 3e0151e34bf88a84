extension Conversation: Codable {
  /// Decodes a conversation. What is not there has the value that its absence in the interchange format stands for; the
  /// counts are 0 then.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodedKey.self)
    let participants = try container.decodeIfPresent([Identity.ID].self, forKey: .participants) ?? []
    self.init(
      id: try container.decode(ID.self, forKey: .identifier),
      remoteID: try container.decodeIfPresent(ID.self, forKey: .remoteID)?.rawValue,
      participants: Set(participants).sorted(),
      createdTimestamp: try container.decodeIfPresent(Timestamp.self, forKey: .createdAt),
      updatedTimestamp: try container.decodeIfPresent(Timestamp.self, forKey: .updatedAt),
      isDistinct: try container.decodeIfPresent(Bool.self, forKey: .isDistinct) ?? false,
      metadata: try container.decodeIfPresent(Metadata.self, forKey: .metadata) ?? Metadata(),
      lastMessage: try container.decodeIfPresent(Message.self, forKey: .lastMessage),
      unreadCount: try container.decodeIfPresent(Int.self, forKey: .unreadCount) ?? 0,
      messageCount: try container.decodeIfPresent(Int.self, forKey: .messageCount) ?? 0)
  }

  /// Encodes the conversation with the keys of the interchange format, and with `lastMessage`, `unreadCount` and
  /// `messageCount`, which that format has no need of.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodedKey.self)
    try container.encode(id, forKey: .identifier)
    try container.encodeIfPresent(remoteID, forKey: .remoteID)
    try container.encode(participants, unless: [], forKey: .participants)
    try container.encodeIfPresent(createdTimestamp, forKey: .createdAt)
    try container.encodeIfPresent(lastUpdate, forKey: .updatedAt)
    try container.encode(isDistinct, unless: false, forKey: .isDistinct)
    try container.encode(metadata, unless: Metadata(), forKey: .metadata)
    try container.encodeIfPresent(lastMessage, forKey: .lastMessage)
    try container.encode(unreadCount, unless: 0, forKey: .unreadCount)
    try container.encode(messageCount, unless: 0, forKey: .messageCount)
  }
}
