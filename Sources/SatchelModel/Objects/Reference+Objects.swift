extension Reference {
  /// Refers to a conversation.
  public init(_ id: Conversation.ID) { self.init(type: Self.conversations, name: id.rawValue) }

  /// Refers to a message.
  public init(_ id: Message.ID) { self.init(type: Self.messages, name: id.rawValue) }

  /// Refers to an announcement.
  public init(_ id: Announcement.ID) { self.init(type: Self.messages, name: id.rawValue) }

  /// Refers to the identity of a user.
  public init(_ id: Identity.ID) { self.init(type: Self.identities, name: id.rawValue) }
}

extension MetadataConvertible where Self == MetadataValue {
  /// Makes a reference to a conversation.
  public static func reference(_ id: Conversation.ID) -> MetadataValue { .reference(Reference(id)) }

  /// Makes a reference to a message.
  public static func reference(_ id: Message.ID) -> MetadataValue { .reference(Reference(id)) }

  /// Makes a reference to an announcement.
  public static func reference(_ id: Announcement.ID) -> MetadataValue { .reference(Reference(id)) }

  /// Makes a reference to the identity of a user.
  public static func reference(_ id: Identity.ID) -> MetadataValue { .reference(Reference(id)) }
}
