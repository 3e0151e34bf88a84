// Single objects, by their identifiers, in synchronous form.
extension MessageStore {
  /// Returns the conversation with an identifier; nil if there is none in which the user participates.
  ///
  /// Finds a conversation that has no message yet, too, which no query returns: see
  /// `StoreSnapshot.conversation(_:)`.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: ``SatchelError`` `corrupted` if damage is found; and as `read(lease:_:)`.
  public func conversation(_ id: Conversation.ID) throws -> Conversation? {
    try read { try $0.conversation(id) }
  }

  /// Returns the message with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `conversation(_:)`.
  public func message(_ id: Message.ID) throws -> Message? { try read { try $0.message(id) } }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `conversation(_:)`.
  public func announcement(_ id: Announcement.ID) throws -> Announcement? {
    try read { try $0.announcement(id) }
  }

  /// Returns the identity of a user; nil if the store has none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `conversation(_:)`.
  public func identity(_ id: Identity.ID) throws -> Identity? { try read { try $0.identity(id) } }
}

// The same in asynchronous form: they do not block the caller's actor. Each has the complexity and the errors of its
// synchronous form.
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

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Throws: As the synchronous form.
  public func announcement(_ id: Announcement.ID) async throws -> Announcement? {
    try await read { try $0.announcement(id) }
  }

  /// Returns the identity of a user; nil if the store has none.
  /// - Throws: As the synchronous form.
  public func identity(_ id: Identity.ID) async throws -> Identity? { try await read { try $0.identity(id) } }
}
