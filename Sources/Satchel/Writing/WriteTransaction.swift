internal import SatchelReading
import SatchelStorage
package import SatchelWriting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The changes of one atomic write. It is valid only inside the closure that it was passed to.
///
/// Each operation checks all its arguments before it changes anything, so a closure may catch an error and continue.
/// When the closure returns, all changes are committed together; when it throws, none are. Queries inside the write see
/// what it has changed so far.
public struct WriteTransaction {
  package let writer: Writer

  package init(_ writer: Writer) { self.writer = writer }

  // MARK: Conversations

  /// Returns the distinct conversation of the store's user with other users: the existing one, or else a new one.
  /// - Parameters:
  ///   - participants: The other participants. The store's user is added.
  ///   - metadata: The metadata of a new conversation; an existing one keeps its own.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`; nothing has changed then.
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

  /// Creates a conversation of the store's user with other users. Queries show it once it has a message.
  /// - Parameters:
  ///   - participants: The other participants. The store's user is added.
  ///   - id: The identifier; nil to have a new one made.
  ///   - isDistinct: True to refuse a second distinct conversation of the same participants.
  ///   - createdAt: When it was created; nil for the present time.
  ///   - metadata: The metadata of the conversation.
  /// - Throws: ``SatchelError`` `distinctConversationExists` with ``SatchelError/existingConversation``,
  ///   `identifierExists`, `invalidIdentifier`, `invalidKey` or `invalidValue`; nothing has changed then.
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

  /// Says which identifier the service has given a conversation. It is found by that one as well from then on, and keeps its own.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Conversation.ID("lunch")`.
  /// - Parameters:
  ///   - conversation: The identifier of the conversation.
  ///   - remoteID: The identifier that the service has given it, which never changes afterwards.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidIdentifier`; `invalidValue` if the conversation has another remote
  ///   identifier; `identifierExists` if `remoteID` is the name of another conversation. Nothing has changed then.
  @_disfavoredOverload
  public func confirm(_ conversation: Conversation.ID, as remoteID: Conversation.ID) throws {
    try change(conversation) { $0.remoteID = remoteID }
  }

  /// Adds participants. A conversation whose participants change is no longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidIdentifier`.
  public func addParticipants(_ users: [Identity.ID], to conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .add(users) }
  }

  /// Removes participants. A conversation whose participants change is no longer distinct; one without the store's user
  /// is no longer visible.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  public func removeParticipants(_ users: [Identity.ID], from conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .remove(users) }
  }

  /// Replaces the participants. The store's user is not added; without that user the conversation is no longer visible.
  /// A conversation whose participants change is no longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation` or `invalidIdentifier`.
  public func setParticipants(_ users: [Identity.ID], of conversation: Conversation.ID) throws {
    try change(conversation) { $0.participants = .replace(users) }
  }

  /// Removes the store's user from the participants: the conversation and its messages are no longer visible, and it is
  /// no longer distinct. ``addParticipants(_:to:)`` brings the user back.
  /// - Throws: ``SatchelError`` `unknownConversation` if there is no such conversation, or if the user does not
  ///   participate in it; nothing has changed then.
  public func leave(_ conversation: Conversation.ID) throws {
    try perform { try writer.leaveConversation(conversation) }
  }

  /// Deletes a conversation with all its messages. Records that refer to any of these are looked at when the write ends, as
  /// ``ReferenceAction`` says.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Conversation.ID("lunch")`.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  @_disfavoredOverload
  public func delete(_ conversation: Conversation.ID) throws {
    try perform { try writer.deleteConversation(conversation) }
  }

  // MARK: Identities

  /// Adds an identity. If the store already has one of the same user, replaces it.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`.
  public func put(_ identity: Identity) throws { try perform { try writer.putIdentity(identity) } }

  /// Sets whether the store's user follows another user. If the store has no identity of a user who is to be followed,
  /// adds one without names.
  /// - Throws: ``SatchelError`` `invalidIdentifier`.
  public func setFollowed(_ followed: Bool, _ user: Identity.ID) throws {
    try perform { try writer.setFollowed(followed, user) }
  }

  // MARK: Reading

  /// Runs a closure on a snapshot that includes what the transaction has changed so far. The snapshot is valid until
  /// the transaction's next change.
  /// - Throws: ``SatchelError``; what `body` throws is passed on.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    let snapshot = StoreSnapshot(try perform { try writer.read { $0 } })
    return try snapshot.perform { try body(snapshot) }
  }

  func change(_ conversation: Conversation.ID, _ body: (inout ConversationUpdate) -> Void) throws {
    var update = ConversationUpdate()
    body(&update)
    try perform { try writer.updateConversation(conversation, update) }
  }
}

extension WriteTransaction: StoreReading {}

extension Snapshot {
  /// Returns the conversation with an identifier, visible or not.
  fileprivate func conversation(_ id: Conversation.ID) throws -> Conversation {
    guard let row = try locateConversation(id.rawValue) else {
      throw SatchelError(.unknownConversation, "There is no such conversation", ["conversation": id.rawValue])
    }
    return try makeConversation(row)
  }
}
