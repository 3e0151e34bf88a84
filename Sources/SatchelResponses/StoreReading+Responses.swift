public import Satchel
public import SatchelModel
public import SatchelQuery
public import SatchelRecords

extension StoreReading {
  /// Returns the query for the records of the reactions to a message: see `StoreSnapshot.reactions(to:)`.
  /// - Complexity: As `StoreSnapshot.reactions(to:)`.
  /// - Throws: As `StoreSnapshot.reactions(to:)` and `read(_:)`.
  public func reactions(to message: Message.ID) throws -> Query<Record> {
    try read { try $0.reactions(to: message) }
  }

  /// Returns the reactions to a message, counted by kind.
  /// - Complexity: As `StoreSnapshot.reactionSummary(of:)`.
  /// - Throws: As `StoreSnapshot.reactionSummary(of:)` and `read(_:)`.
  public func reactionSummary(of message: Message.ID) throws -> ReactionSummary {
    try read { try $0.reactionSummary(of: message) }
  }

  /// Returns the query for the records of the replies to a message: see `StoreSnapshot.replies(to:)`.
  /// - Complexity: As `StoreSnapshot.replies(to:)`.
  /// - Throws: As `StoreSnapshot.replies(to:)` and `read(_:)`.
  public func replies(to message: Message.ID) throws -> Query<Record> {
    try read { try $0.replies(to: message) }
  }

  /// Returns how many messages answer a message, who has sent them, and which was the last.
  /// - Complexity: As `StoreSnapshot.thread(of:)`.
  /// - Throws: As `StoreSnapshot.thread(of:)` and `read(_:)`.
  public func thread(of message: Message.ID) throws -> MessageThread {
    try read { try $0.thread(of: message) }
  }

  /// Returns the message that a message answers; nil if it answers none, or if that one was deleted.
  /// - Complexity: As `StoreSnapshot.parent(of:)`.
  /// - Throws: As `StoreSnapshot.parent(of:)` and `read(_:)`.
  public func parent(of message: Message.ID) throws -> Message.ID? { try read { try $0.parent(of: message) } }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns the query for the records of the reactions to a message: see `StoreSnapshot.reactions(to:)`.
  /// - Throws: As the synchronous form.
  public func reactions(to message: Message.ID) async throws -> Query<Record> {
    try await read { try $0.reactions(to: message) }
  }

  /// Returns the reactions to a message, counted by kind.
  /// - Throws: As the synchronous form.
  public func reactionSummary(of message: Message.ID) async throws -> ReactionSummary {
    try await read { try $0.reactionSummary(of: message) }
  }

  /// Returns the query for the records of the replies to a message: see `StoreSnapshot.replies(to:)`.
  /// - Throws: As the synchronous form.
  public func replies(to message: Message.ID) async throws -> Query<Record> {
    try await read { try $0.replies(to: message) }
  }

  /// Returns how many messages answer a message, who has sent them, and which was the last.
  /// - Throws: As the synchronous form.
  public func thread(of message: Message.ID) async throws -> MessageThread {
    try await read { try $0.thread(of: message) }
  }

  /// Returns the message that a message answers; nil if it answers none, or if that one was deleted.
  /// - Throws: As the synchronous form.
  public func parent(of message: Message.ID) async throws -> Message.ID? {
    try await read { try $0.parent(of: message) }
  }
}
