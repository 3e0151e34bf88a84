import SatchelExecution
import SatchelPlanning
import SatchelReading

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

  /// Returns the part with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func part(_ id: MessagePart.ID) throws -> MessagePart? { try object(id) }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func announcement(_ id: Announcement.ID) throws -> Announcement? { try object(id) }

  /// Returns the identity of a user; nil if the store has none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``conversation(_:)``.
  public func identity(_ id: Identity.ID) throws -> Identity? { try object(id) }

  /// Returns the conversations with these identifiers, in the order of the identifiers. Leaves out those that are not there,
  /// or in which the user does not participate; the same identifier twice gives the same conversation twice.
  ///
  /// Finds conversations that have no message yet, too, which no query returns.
  /// - Complexity: O(k log n) for k identifiers among n objects of the store.
  /// - Throws: As ``conversation(_:)``, and `snapshotExpired` if the read outlives its lease.
  public func conversations(_ ids: [Conversation.ID]) throws -> [Conversation] { try objects(ids) }

  /// Returns the messages with these identifiers, in the order of the identifiers; leaves out those that the user cannot
  /// see.
  /// - Complexity: As ``conversations(_:)``. The messages are read in the order in which they lie in the file.
  /// - Throws: As ``conversations(_:)``.
  public func messages(_ ids: [Message.ID]) throws -> [Message] { try objects(ids) }

  /// Returns the parts with these identifiers, in the order of the identifiers; leaves out those that the user cannot see.
  /// - Complexity: As ``messages(_:)``.
  /// - Throws: As ``conversations(_:)``.
  public func parts(_ ids: [MessagePart.ID]) throws -> [MessagePart] { try objects(ids) }

  /// Returns the announcements with these identifiers, in the order of the identifiers; leaves out those that are not there.
  /// - Complexity: As ``conversations(_:)``.
  /// - Throws: As ``conversations(_:)``.
  public func announcements(_ ids: [Announcement.ID]) throws -> [Announcement] { try objects(ids) }

  /// Returns the identities of these users, in the order of the users; leaves out those that the store does not have.
  /// - Complexity: As ``conversations(_:)``.
  /// - Throws: As ``conversations(_:)``.
  public func identities(_ ids: [Identity.ID]) throws -> [Identity] { try objects(ids) }

  private func object<Object: StoredObject>(_ id: Object.ID) throws -> Object? {
    try perform {
      guard let reference = try locate(id, Object.kind) else { return nil }
      return try Object.read(from: ObjectReader(snapshot: self, reference: reference))
    }
  }

  private func locate(_ id: some StoredIdentifier, _ kind: ObjectKind) throws -> RowReference? {
    guard let name = id.recordType else { return try base.locate(id.identifier, kind) }
    return try base.recordType(named: name).flatMap {
      try base.locate(id.identifier, kind, ofType: $0.id)
    }
  }

  /// Returns the objects of any kind with these identifiers, in the order of the identifiers, without those that are not
  /// there.
  package func objects<Object: StoredObject>(
    _ ids: [Object.ID], of type: Object.Type = Object.self
  ) throws -> [Object] {
    try perform {
      var rows: [RowReference] = []
      rows.reserveCapacity(ids.count)
      for (place, id) in ids.enumerated() {
        if place % Self.leaseInterval == Self.leaseInterval - 1 { try base.checkBounds() }
        if let row = try locate(id, Object.kind) { rows.append(row) }
      }
      let order = Object.kind == .messages || Object.kind == .parts ? RecordOrder.indices(of: rows) : nil
      var block = ObjectBlock<Object>(ObjectRows(self, rows, order: order, Accompaniment()))
      try block.read()
      var objects: [Object] = []
      objects.reserveCapacity(rows.count)
      while let object = block.next() { objects.append(object) }
      return objects
    }
  }
}
