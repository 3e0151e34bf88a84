public import SatchelModel

// Comparisons of two properties of one object: `{ $0.receivedAt > $0.sentAt }`. A missing value passes none but `!=`, and two missing
// ones are not equal. Of two values of metadata the types that they have decide: `number` and `date` in front of them say nothing.

extension QueryField {
  fileprivate func compare(_ operator: QueryPredicate.Operator, with other: some QueryField)
    -> QueryPredicate
  {
    compare(`operator`, .path(other.propertyPath))
  }
}

// Texts compare in NFC; beside an identifier or a MIME type as they are given.
extension TextualField {
  /// Matches objects whose two texts are equal. Beside an identifier or a MIME type, a text compares as it was given.
  public static func == (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.equal, with: other)
  }
  /// Matches all objects that `==` does not match, also if a value is missing.
  public static func != (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.notEqual, with: other)
  }
  /// Matches objects whose first text is less.
  public static func < (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.less, with: other)
  }
  /// Matches objects whose first text is less or equal.
  public static func <= (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.lessOrEqual, with: other)
  }
  /// Matches objects whose first text is greater.
  public static func > (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.greater, with: other)
  }
  /// Matches objects whose first text is greater or equal.
  public static func >= (field: Self, other: some MatchableField) -> QueryPredicate {
    field.compare(.greaterOrEqual, with: other)
  }
}

extension EquatableField where Operand == Bool {
  /// Matches objects whose two Booleans are equal.
  public static func == (field: Self, other: some EquatableField<Bool>) -> QueryPredicate {
    field.compare(.equal, with: other)
  }
  /// Matches all objects that `==` does not match, also if a value is missing.
  public static func != (field: Self, other: some EquatableField<Bool>) -> QueryPredicate {
    field.compare(.notEqual, with: other)
  }
}

extension FieldTypes.Status {
  /// Matches messages that two users have got equally far.
  public static func == (field: Self, other: Self) -> QueryPredicate { field.compare(.equal, with: other) }
  /// Matches all messages that `==` does not match, also if a status is missing.
  public static func != (field: Self, other: Self) -> QueryPredicate { field.compare(.notEqual, with: other) }
}

extension FieldTypes.Participants {
  /// Matches objects with the user of another property as a participant: `{ $0.conversation.participants.contains($0.sender.userID) }`.
  /// Of a list of metadata, one of its texts has to be one.
  public func contains(_ user: some MatchableField) -> QueryPredicate { user.compare(.in, with: self) }
}

extension FieldTypes.MetadataList {
  /// Matches lists that have the text of another property: `{ $0.metadata.reviewers.list.contains($0.sender.userID) }`.
  public func contains(_ text: some MatchableField) -> QueryPredicate { text.compare(.in, with: self) }
}

extension FieldTypes.MetadataValue {
  /// Matches objects with this dictionary at the key path, equal by the types and values of all that it has: numbers by value, lists as
  /// sets.
  public static func == (field: Self, value: Metadata) -> QueryPredicate {
    field.compare(.equal, .dictionary(value))
  }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: Metadata) -> QueryPredicate {
    field.compare(.notEqual, .dictionary(value))
  }
}
