public import SatchelModel

extension FieldTypes {
  /// The participants of a conversation.
  public struct Participants: QueryField {
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]

    /// Matches conversations whose participants are exactly these users and the store's user.
    public static func == (field: Self, users: [Identity.ID]) -> QueryPredicate {
      field.compare(.equal, users)
    }
    /// Matches all conversations that `==` does not match.
    public static func != (field: Self, users: [Identity.ID]) -> QueryPredicate {
      field.compare(.notEqual, users)
    }
    /// Matches conversations whose participants are exactly these users and the store's user.
    public static func == (field: Self, users: Set<Identity.ID>) -> QueryPredicate {
      field.compare(.equal, users.sorted())
    }
    /// Matches all conversations that `==` does not match.
    public static func != (field: Self, users: Set<Identity.ID>) -> QueryPredicate {
      field.compare(.notEqual, users.sorted())
    }

    /// Matches conversations with at least one of the users as a participant.
    public func `in`(_ users: some Sequence<Identity.ID>) -> QueryPredicate { compare(.in, users) }
    /// Matches conversations with none of the users as a participant.
    public func notIn(_ users: some Sequence<Identity.ID>) -> QueryPredicate { compare(.notIn, users) }
    /// Matches conversations with the user as a participant.
    public func contains(_ user: Identity.ID) -> QueryPredicate { compare(.contains, user) }
    /// Matches conversations with each of the users as a participant.
    public func containsAll(_ users: some Sequence<Identity.ID>) -> QueryPredicate {
      compare(.contains, users)
    }
  }
}
