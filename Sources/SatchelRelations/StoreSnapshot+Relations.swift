public import Satchel
public import SatchelModel
public import SatchelQuery
import SatchelReading
public import SatchelRecords

extension StoreSnapshot {
  /// Returns the query for the records of the edges of a kind between a user and others: a value, which is filtered, sorted, counted, paged
  /// and watched as any query for records.
  ///
  /// ```swift
  /// let followers = try store.relations(.following, .inward).including(\.from)
  /// for edge in try store.fetch(followers.limit(50)) {
  ///   print(edge.included("from", as: Identity.self)?.displayName ?? edge.id.name)
  /// }
  /// ```
  /// - Parameters:
  ///   - kind: What the one is to the other.
  ///   - direction: Outward for the edges from the user, inward for those to the user, mutual for those from the user that there are both
  ///     ways; nil for ``RelationKind/standardDirection``.
  ///   - user: The user; nil for the store's user.
  /// - Returns: The query, in the order of the other users' ids.
  /// - Throws: ``SatchelError`` `unknownRecordType` if relations are off in the store; `invalidValue`; as `fetch(_:)`.
  /// - Complexity: O(log n). A count of the query, and where a page begins, are O(log n) as well; of mutual edges the user's edges are read.
  public func relations(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) throws -> Query<Record> {
    let users = try related(kind, direction, user)
    let prefix = String(
      decoding: RelationName.prefix(kind, of: Array(users.user.rawValue.utf8)), as: UTF8.self)
    let type = Relation.recordType
    return switch users.direction {
    case .outward: type.filter { $0.identifier.beginsWith(prefix) }.order { $0.identifier }
    case .inward: type.filter { $0.inverse.beginsWith(prefix) }.order { $0.inverse }
    case .mutual:
      type.filter { $0.identifier.beginsWith(prefix) && $0.to.isRelated(kind, .inward, to: users.user) }
        .order { $0.identifier }
    }
  }

  /// Returns how many users are related to a user.
  /// - Parameters: As of ``relations(_:_:of:)``.
  /// - Throws: ``SatchelError`` `unknownRecordType` if relations are off in the store; `invalidValue`; as `fetch(_:)`.
  /// - Complexity: O(log n); of mutual relations O(m) index entries, where m is the number of edges each way. Reads no record.
  public func relationCount(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil
  ) throws -> Int {
    let users = try related(kind, direction, user)
    return try perform { try base.count(of: users, ofType: base.recordType(of: .relations)) }
  }

  /// Returns whether another user is related to a user.
  /// - Parameters:
  ///   - other: The other one.
  ///   - kind: What the one is to the other.
  ///   - direction: Outward, if the user follows the other one; inward, if the other one follows the user; nil for
  ///     ``RelationKind/standardDirection``.
  ///   - user: The user; nil for the store's user.
  /// - Throws: ``SatchelError`` `unknownRecordType` if relations are off in the store; `invalidValue`; as `fetch(_:)`.
  /// - Complexity: O(log n).
  public func isRelated(
    _ other: Identity.ID, _ kind: RelationKind, _ direction: RelationDirection? = nil,
    to user: Identity.ID? = nil
  ) throws -> Bool {
    let users = try related(kind, direction, user)
    return try perform {
      try base.isRelated(
        Array(other.rawValue.utf8), in: users, ofType: base.recordType(of: .relations))
    }
  }

  private func related(
    _ kind: RelationKind, _ direction: RelationDirection?, _ user: Identity.ID?
  ) throws -> RelatedUsers {
    try perform {
      _ = try base.recordType(of: .relations)
      try kind.check()
      return RelatedUsers(
        kind, direction ?? kind.standardDirection, to: user ?? Identity.ID(base.user))
    }
  }
}
