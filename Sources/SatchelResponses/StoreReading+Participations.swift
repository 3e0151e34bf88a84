public import Satchel
public import SatchelModel
public import SatchelQuery
import SatchelReading
public import SatchelRecords

extension StoreSnapshot {
  /// Returns what a conversation is to a participant; nil if nothing has been said of that, or if there is no such conversation.
  /// - Parameters:
  ///   - user: The participant; nil for the store's user.
  ///   - conversation: The conversation, by any of its identifiers.
  /// - Throws: ``SatchelError`` `unknownRecordType` if participations are off in the store; as `fetch(_:)`.
  /// - Complexity: O(log n).
  public func participation(
    of user: Identity.ID? = nil, in conversation: Conversation.ID
  ) throws -> Participation? {
    try perform {
      try base.participation(
        of: user ?? Identity.ID(base.user), in: conversation, ofType: base.participationType())
    }
  }

  /// Returns how many messages came in a conversation after the last one that the store's user has read: those of others that have a
  /// position, which is greater than `lastReadPosition`, or all that have one if the user has read none. What the user has written himself
  /// does not count, and neither does what has no position yet. 0 if there is no such conversation.
  ///
  /// It is a number of its own: `unreadCount` counts the messages that are marked as unread one by one.
  /// - Parameter conversation: The conversation, by any of its identifiers.
  /// - Throws: ``SatchelError`` `unknownRecordType` if participations are off in the store; as `fetch(_:)`.
  /// - Complexity: O(log n). Reads no message.
  public func unreadCountSinceLastRead(in conversation: Conversation.ID) throws -> Int {
    try perform {
      let type = try base.participationType()
      guard let row = try base.locateConversation(conversation.rawValue) else { return 0 }
      let own = try base.participation(of: Identity.ID(base.user), in: conversation, ofType: type)
      return try base.countUnread(in: row, after: own?.lastReadPosition)
    }
  }

  /// Returns the query for the records of the participations in a conversation, in the order in which the store was told of them: a value,
  /// which is filtered, sorted, counted and watched as any query for records.
  ///
  /// ```swift
  /// let admins = try store.participations(in: lunch).filter { $0.role == "admin" }
  /// print(try store.count(admins), try store.fetch(admins, as: Participation.self).map(\.user))
  /// ```
  ///
  /// Participants of whom nothing has been said have no record.
  /// - Parameter conversation: The conversation, by any of its identifiers. In one that is not there are none.
  /// - Throws: ``SatchelError`` `unknownRecordType` if participations are off in the store; as `fetch(_:)`.
  /// - Complexity: O(1).
  public func participations(in conversation: Conversation.ID) throws -> Query<Record> {
    _ = try perform { try base.participationType() }
    return Participation.recordType.filter { $0.conversation == Reference(conversation) }
  }
}

extension StoreReading {
  /// Returns what a conversation is to a participant: see `StoreSnapshot.participation(of:in:)`.
  /// - Complexity: As `StoreSnapshot.participation(of:in:)`.
  /// - Throws: As `StoreSnapshot.participation(of:in:)` and `read(_:)`.
  public func participation(
    of user: Identity.ID? = nil, in conversation: Conversation.ID
  ) throws -> Participation? { try read { try $0.participation(of: user, in: conversation) } }

  /// Returns how many messages of others came in a conversation after the last one that the store's user has read: see
  /// `StoreSnapshot.unreadCountSinceLastRead(in:)`.
  /// - Complexity: As `StoreSnapshot.unreadCountSinceLastRead(in:)`.
  /// - Throws: As `StoreSnapshot.unreadCountSinceLastRead(in:)` and `read(_:)`.
  public func unreadCountSinceLastRead(in conversation: Conversation.ID) throws -> Int {
    try read { try $0.unreadCountSinceLastRead(in: conversation) }
  }

  /// Returns the query for the records of the participations in a conversation: see `StoreSnapshot.participations(in:)`.
  /// - Complexity: As `StoreSnapshot.participations(in:)`.
  /// - Throws: As `StoreSnapshot.participations(in:)` and `read(_:)`.
  public func participations(in conversation: Conversation.ID) throws -> Query<Record> {
    try read { try $0.participations(in: conversation) }
  }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns what a conversation is to a participant: see `StoreSnapshot.participation(of:in:)`.
  /// - Throws: As the synchronous form.
  public func participation(
    of user: Identity.ID? = nil, in conversation: Conversation.ID
  ) async throws -> Participation? { try await read { try $0.participation(of: user, in: conversation) } }

  /// Returns how many messages of others came in a conversation after the last one that the store's user has read.
  /// - Throws: As the synchronous form.
  public func unreadCountSinceLastRead(in conversation: Conversation.ID) async throws -> Int {
    try await read { try $0.unreadCountSinceLastRead(in: conversation) }
  }

  /// Returns the query for the records of the participations in a conversation.
  /// - Throws: As the synchronous form.
  public func participations(in conversation: Conversation.ID) async throws -> Query<Record> {
    try await read { try $0.participations(in: conversation) }
  }
}
