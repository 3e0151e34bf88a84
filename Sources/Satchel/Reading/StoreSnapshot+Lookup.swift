import SatchelExecution

extension StoreSnapshot {
  /// Returns the conversation with an identifier; nil if there is none in which the user participates.
  ///
  /// Finds a conversation that has no message yet, too, which no query returns: what has just been made can be shown.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: ``SatchelError`` `corrupted` if damage is found; `closed` if the snapshot is no longer valid.
  public func conversation(_ id: Conversation.ID) throws -> Conversation? { try object(id) }

  /// Returns the message with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func message(_ id: Message.ID) throws -> Message? { try object(id) }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func announcement(_ id: Announcement.ID) throws -> Announcement? { try object(id) }

  /// Returns the identity of a user; nil if the store has none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func identity(_ id: Identity.ID) throws -> Identity? { try object(id) }

  private func object<Object: StoredObject>(_ id: ObjectID<Object>) throws -> Object? {
    try perform {
      guard let reference = try base.locate(id.rawValue, Object.kind) else { return nil }
      return try Object.read(from: ObjectReader(snapshot: self, reference: reference))
    }
  }
}
