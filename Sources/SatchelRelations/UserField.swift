public import SatchelModel
public import SatchelQuery
public import SatchelRecords

/// A property that is a user, or several.
public protocol UserField: QueryField {}

extension FieldTypes.Identifier: UserField where Object == Identity {}
extension FieldTypes.OptionalIdentifier: UserField where Object == Identity {}
extension FieldTypes.Participants: UserField {}
/// A field that refers to an identity.
extension FieldTypes.RecordValue: UserField {}
/// A field that refers to an identity.
extension FieldTypes.OptionalReference: UserField {}
extension SenderFields: UserField {}

extension UserField {
  /// Matches objects of which the user is related to another one; of participants, some user.
  ///
  /// ```swift
  /// todo.filter { $0.owner.isRelated(.following) }               // of those whom the store's user follows
  /// Message.filter { !$0.sender.isRelated(.blocked) }
  /// Conversation.filter { $0.participants.isRelated(.friend, .mutual, to: "carol") }
  /// ```
  /// - Parameters:
  ///   - kind: What the one is to the other.
  ///   - direction: Outward, if the other one follows the user of the property; inward, if that user follows the other one; nil for
  ///     ``RelationKind/standardDirection``.
  ///   - user: The other one; nil for the store's user.
  public func isRelated(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, to user: Identity.ID? = nil
  ) -> QueryPredicate {
    let direction = direction ?? kind.standardDirection
    var operand = [QueryPredicate.Constant.text(kind.rawValue)]
    if user != nil || direction != kind.standardDirection { operand.append(.text(direction.rawValue)) }
    if let user { operand.append(.text(user.rawValue)) }
    return .comparison(
      QueryPredicate.Comparison(
        propertyPath, .related, operand.count == 1 ? .constant(operand[0]) : .list(operand)))
  }
}
