public import SatchelModel

extension FieldTypes {
  /// The participants of a conversation.
  public struct Participants: QueryField {
    public let propertyPath: [String]

    /// True where the participants are exactly these and the store's user.
    public static func == (field: Self, users: [Identity.ID]) -> Predicate { field.compare(.equal, users) }
    /// The complement of `==`.
    public static func != (field: Self, users: [Identity.ID]) -> Predicate { field.compare(.notEqual, users) }
    /// True where the participants are exactly these and the store's user.
    public static func == (field: Self, users: Set<Identity.ID>) -> Predicate {
      field.compare(.equal, users.sorted())
    }
    /// The complement of `==`.
    public static func != (field: Self, users: Set<Identity.ID>) -> Predicate {
      field.compare(.notEqual, users.sorted())
    }

    /// True where one of the users, at least, is a participant.
    public func `in`(_ users: some Sequence<Identity.ID>) -> Predicate { compare(.in, users) }
    /// True where none of the users is a participant.
    public func notIn(_ users: some Sequence<Identity.ID>) -> Predicate { compare(.notIn, users) }
    /// True where the user is a participant.
    public func contains(_ user: Identity.ID) -> Predicate { compare(.contains, user) }
    /// True where each of the users is a participant.
    public func containsAll(_ users: some Sequence<Identity.ID>) -> Predicate { compare(.contains, users) }
  }
}
