package import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The changes of one atomic write; good inside the closure that gave it.
///
/// Each operation checks all that it is given before it changes anything, so that a closure may catch an error and go on.
/// When the closure returns, everything is committed together; when it throws, nothing is. Queries inside the write see
/// what it has changed so far.
public struct WriteTransaction {
  package let writer: Writer

  package init(_ writer: Writer) { self.writer = writer }

  // MARK: Conversations

  /// The distinct conversation of the store's user with others: the one there is, or a new one.
  /// - Parameter metadata: What a new one is tagged with; an existing one keeps what it has.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`.
  @discardableResult
  public func conversation(with participants: [Identity.ID], metadata: Metadata = Metadata()) throws
    -> Conversation
  {
    do {
      return try createConversation(with: participants, isDistinct: true, metadata: metadata)
    } catch let error as SatchelError {
      guard let existing = error.existingConversation else { throw error }
      return try read { snapshot in try snapshot.base.conversation(existing) }
    }
  }

  /// Creates a conversation of the store's user with others. It appears in queries with its first message.
  /// - Parameters:
  ///   - id: Its identifier; a new one is made without.
  ///   - isDistinct: True to refuse a second distinct conversation of the same participants.
  /// - Throws: ``SatchelError`` `distinctConversationExists` with ``SatchelError/existingConversation``,
  ///   `identifierExists`, `invalidIdentifier`, `invalidKey` or `invalidValue`.
  @discardableResult
  public func createConversation(
    with participants: [Identity.ID], id: Conversation.ID? = nil, isDistinct: Bool = false,
    createdAt: Date? = nil,
    metadata: Metadata = Metadata()
  ) throws -> Conversation {
    let created = createdAt.map { Timestamp($0) } ?? writer.now
    let draft = ConversationDraft(
      identifier: id, participants: participants, createdAt: created, isDistinct: isDistinct,
      metadata: metadata)
    let identifier = try perform { try writer.createConversation(draft) }
    return Conversation(
      id: identifier, participants: Set(participants + [writer.user]).sorted(), createdTimestamp: created,
      isDistinct: isDistinct, metadata: metadata, lastMessage: nil, unreadCount: 0, messageCount: 0)
  }

  /// Adds participants; a conversation whose participants change is no longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidIdentifier`.
  public func addParticipants(_ users: [Identity.ID], to conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .add(users) }
  }

  /// Takes participants out. A conversation without the store's user is no longer visible.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  public func removeParticipants(_ users: [Identity.ID], from conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .remove(users) }
  }

  /// Replaces the participants; the store's user is not added.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidIdentifier`.
  public func setParticipants(_ users: [Identity.ID], of conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .replace(users) }
  }

  /// Deletes a conversation with all its messages.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  public func delete(_ conversation: Conversation.ID) throws {
    try perform { try writer.deleteConversation(conversation) }
  }

  // MARK: Identities

  /// Adds an identity, or replaces what is known of its user.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`.
  public func put(_ identity: Identity) throws { try perform { try writer.putIdentity(identity) } }

  /// Says whether the store's user follows another one. One of whom nothing is known gets an identity without names
  /// when followed.
  /// - Throws: ``SatchelError`` `invalidIdentifier`.
  public func setFollowed(_ followed: Bool, _ user: Identity.ID) throws {
    try perform { try writer.setFollowed(followed, user) }
  }

  // MARK: Reading

  /// Reads what the transaction has made so far. The snapshot is good until the transaction's next change.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    let snapshot = StoreSnapshot(try perform { try writer.read { $0 } })
    return try snapshot.perform { try body(snapshot) }
  }

  /// The results of a query, with what the transaction has changed so far.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try read { try $0.fetch(query) }
  }

  /// How many results a query has, with what the transaction has changed so far.
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.count(query) }
  }

  func change(_ conversation: Conversation.ID, _ body: (inout ConversationUpdate) -> Void) throws {
    var update = ConversationUpdate()
    body(&update)
    try perform { try writer.updateConversation(conversation, update) }
  }
}

extension Snapshot {
  /// The conversation of an identifier, visible or not.
  fileprivate func conversation(_ id: Conversation.ID) throws -> Conversation {
    guard let row = try locateConversation(id.rawValue) else {
      throw SatchelError(.unknownConversation, "There is no such conversation", ["conversation": id.rawValue])
    }
    return try makeConversation(row)
  }
}
