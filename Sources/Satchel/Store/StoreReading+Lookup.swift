// Single objects, and many at once, by their identifiers. A store reads each time from a snapshot of its own.
extension StoreReading {
  /// Returns the conversation with an identifier; nil if there is none in which the user participates.
  ///
  /// Finds a conversation that has no message yet, too, which no query returns: what has just been made can be shown.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func conversation(_ id: Conversation.ID) throws -> Conversation? {
    try read { try $0.conversation(id) }
  }

  /// Returns the message with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func message(_ id: Message.ID) throws -> Message? { try read { try $0.message(id) } }

  /// Returns the part with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func part(_ id: MessagePart.ID) throws -> MessagePart? { try read { try $0.part(id) } }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func announcement(_ id: Announcement.ID) throws -> Announcement? {
    try read { try $0.announcement(id) }
  }

  /// Returns the identity of a user; nil if the store has none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  @_specialize(where Self == MessageStore)
  public func identity(_ id: Identity.ID) throws -> Identity? { try read { try $0.identity(id) } }

  /// Returns the conversations with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  public func conversations(_ ids: [Conversation.ID]) throws -> [Conversation] {
    try read { try $0.conversations(ids) }
  }

  /// Returns the messages with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  public func messages(_ ids: [Message.ID]) throws -> [Message] { try read { try $0.messages(ids) } }

  /// Returns the parts with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  public func parts(_ ids: [MessagePart.ID]) throws -> [MessagePart] { try read { try $0.parts(ids) } }

  /// Returns the announcements with these identifiers, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  public func announcements(_ ids: [Announcement.ID]) throws -> [Announcement] {
    try read { try $0.announcements(ids) }
  }

  /// Returns the identities of these users, of one state of the store: see `StoreSnapshot.conversations(_:)`.
  /// - Throws: As `StoreSnapshot.conversation(_:)` and `read(_:)`.
  public func identities(_ ids: [Identity.ID]) throws -> [Identity] { try read { try $0.identities(ids) } }
}
