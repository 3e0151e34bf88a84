public import Satchel
public import SatchelModel
public import SatchelQuery
public import SatchelRecords

extension StoreReading {
  /// Returns the query for the records of the edges of a kind between a user and others: see `StoreSnapshot.relations(_:_:of:)`.
  /// - Throws: As `StoreSnapshot.relations(_:_:of:)` and `read(_:)`.
  /// - Complexity: As `StoreSnapshot.relations(_:_:of:)`.
  public func relations(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) throws -> Query<Record> {
    try read { try $0.relations(kind, direction, of: user) }
  }

  /// Returns how many users are related to a user: see `StoreSnapshot.relationCount(_:_:of:)`.
  /// - Throws: As `StoreSnapshot.relationCount(_:_:of:)` and `read(_:)`.
  /// - Complexity: As `StoreSnapshot.relationCount(_:_:of:)`.
  public func relationCount(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) throws -> Int {
    try read { try $0.relationCount(kind, direction, of: user) }
  }

  /// Returns whether another user is related to a user: see `StoreSnapshot.isRelated(_:_:_:to:)`.
  /// - Throws: As `StoreSnapshot.isRelated(_:_:_:to:)` and `read(_:)`.
  /// - Complexity: As `StoreSnapshot.isRelated(_:_:_:to:)`.
  public func isRelated(
    _ other: Identity.ID, _ kind: RelationKind, _ direction: RelationDirection? = nil,
    to user: Identity.ID? = nil
  ) throws -> Bool {
    try read { try $0.isRelated(other, kind, direction, to: user) }
  }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns the query for the records of the edges of a kind between a user and others: see `StoreSnapshot.relations(_:_:of:)`.
  /// - Throws: As the synchronous form.
  public func relations(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) async throws -> Query<Record> {
    try await read { try $0.relations(kind, direction, of: user) }
  }

  /// Returns how many users are related to a user: see `StoreSnapshot.relationCount(_:_:of:)`.
  /// - Throws: As the synchronous form.
  public func relationCount(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) async throws -> Int {
    try await read { try $0.relationCount(kind, direction, of: user) }
  }

  /// Returns whether another user is related to a user: see `StoreSnapshot.isRelated(_:_:_:to:)`.
  /// - Throws: As the synchronous form.
  public func isRelated(
    _ other: Identity.ID, _ kind: RelationKind, _ direction: RelationDirection? = nil,
    to user: Identity.ID? = nil
  ) async throws -> Bool {
    try await read { try $0.isRelated(other, kind, direction, to: user) }
  }
}
