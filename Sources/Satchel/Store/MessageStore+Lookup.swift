// Single objects, and many at once, by their identifiers, in asynchronous form: they do not block the caller's actor. Each has
// the complexity and the errors of its synchronous form, which is in `StoreReading`.
extension MessageStore {
  /// Returns the conversation with an identifier, with or without messages; nil if there is none in which the user
  /// participates.
  /// - Throws: As the synchronous form.
  public func conversation(_ id: Conversation.ID) async throws -> Conversation? {
    try await read { try $0.conversation(id) }
  }

  /// Returns the message with an identifier; nil if there is none that the user can see.
  /// - Throws: As the synchronous form.
  public func message(_ id: Message.ID) async throws -> Message? { try await read { try $0.message(id) } }

  /// Returns the part with an identifier; nil if there is none that the user can see.
  /// - Throws: As the synchronous form.
  public func part(_ id: MessagePart.ID) async throws -> MessagePart? { try await read { try $0.part(id) } }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Throws: As the synchronous form.
  public func announcement(_ id: Announcement.ID) async throws -> Announcement? {
    try await read { try $0.announcement(id) }
  }

  /// Returns the identity of a user; nil if the store has none.
  /// - Throws: As the synchronous form.
  public func identity(_ id: Identity.ID) async throws -> Identity? { try await read { try $0.identity(id) } }

  /// Returns the conversations with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As the synchronous form.
  public func conversations(_ ids: [Conversation.ID]) async throws -> [Conversation] {
    try await read { try $0.conversations(ids) }
  }

  /// Returns the messages with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As the synchronous form.
  public func messages(_ ids: [Message.ID]) async throws -> [Message] {
    try await read { try $0.messages(ids) }
  }

  /// Returns the parts with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As the synchronous form.
  public func parts(_ ids: [MessagePart.ID]) async throws -> [MessagePart] {
    try await read { try $0.parts(ids) }
  }

  /// Returns the announcements with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As the synchronous form.
  public func announcements(_ ids: [Announcement.ID]) async throws -> [Announcement] {
    try await read { try $0.announcements(ids) }
  }

  /// Returns the identities of these users, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As the synchronous form.
  public func identities(_ ids: [Identity.ID]) async throws -> [Identity] {
    try await read { try $0.identities(ids) }
  }
}
