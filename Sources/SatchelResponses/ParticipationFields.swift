public import Satchel
public import SatchelModel
public import SatchelQuery

/// What a conversation is to the store's user, in the closures of `filter` and `order`: `$0.my.isPinned && !$0.my.isArchived`.
///
/// What is true or false is false in a conversation of which nothing is said; anything else is missing there.
public struct ParticipationFields: Sendable {
  let prefix: [String]

  /// Whether the user keeps it above others.
  public var isPinned: Flag { Flag(propertyPath: prefix + ["isPinned"]) }
  /// When the user pinned it.
  public var pinnedAt: When { When(propertyPath: prefix + ["pinnedAt"]) }
  /// Whether the user has put it away.
  public var isArchived: Flag { Flag(propertyPath: prefix + ["isArchived"]) }
  /// When the user archived it.
  public var archivedAt: When { When(propertyPath: prefix + ["archivedAt"]) }
  /// Whether the user has muted it, and not unmuted since.
  public var isMuted: Flag { Flag(propertyPath: prefix + ["isMuted"]) }
  /// Until when the user has muted it.
  public var mutedUntil: When { When(propertyPath: prefix + ["mutedUntil"]) }
  /// Whether the user does not want to see it.
  public var isHidden: Flag { Flag(propertyPath: prefix + ["isHidden"]) }
  /// When the user joined.
  public var joinedAt: When { When(propertyPath: prefix + ["joinedAt"]) }
  /// What the user may do there.
  public var role: Role { Role(propertyPath: prefix + ["role"]) }
  /// The position of the last message that the user has read.
  public var lastReadPosition: Position { Position(propertyPath: prefix + ["lastReadPosition"]) }

  /// A Boolean, false where nothing is said. Used alone as a predicate, it means "is true".
  public struct Flag: EquatableField, SortableField, PredicateConvertible {
    /// What values of the field are compared with.
    public typealias Operand = Bool
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
    /// Matches conversations for which the property is true.
    public var predicate: QueryPredicate { self == true }
  }

  /// A point in time that may be missing.
  public struct When: DateField, OptionalField {
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A text that may be missing.
  public struct Role: TextualField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = String
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A whole number that may be missing.
  public struct Position: NumericField, OptionalField {
    /// Sums are whole numbers, too.
    public typealias Sum = Int
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }
}

// What they are counted by, in `counts(of:by:)`. No aggregate that is declared has them.
extension ParticipationFields.Flag: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Bool
}
extension ParticipationFields.When: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Timestamp
}
extension ParticipationFields.Role: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = String
}
extension ParticipationFields.Position: GroupableField {
  /// Groups are told apart by the value.
  public typealias GroupValue = Int64
}

extension ConversationFields {
  /// What the conversation is to the store's user. A query that asks for it throws `unknownRecordType` if the store does not keep that.
  public var my: ParticipationFields { ParticipationFields(prefix: path(to: OwnState.name)) }

  /// What the conversation is to the store's user, to come along: ``Conversation/participation`` and ``Conversation/unreadSinceLastRead``.
  public var participation: ResponseField { ResponseField(propertyPath: path(to: "participation")) }

  private func path(to name: String) -> [String] { identifier.propertyPath.dropLast() + [name] }
}

extension Query<Conversation> {
  /// Returns the query for conversations with which it comes what they are to the store's user, read in the same snapshot.
  ///
  /// ```swift
  /// let list = Conversation.filter { !$0.my.isArchived }.order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }
  /// for conversation in try store.fetch(list.limit(20).including(\.participation)) {
  ///   print(conversation.participation?.isMuted ?? false, conversation.unreadSinceLastRead ?? 0)
  /// }
  /// ```
  ///
  /// Results are selected and counted as without it. In lists that are kept up to date, a change of the user's participation is an update of
  /// its row. A read throws `unknownRecordType` if the store does not keep participations.
  /// - Parameter participation: `\.participation`.
  /// - Complexity: O(log n) for each conversation. Reads no message.
  public func including(_ participation: (ConversationFields) -> ResponseField) -> Query<Conversation> {
    var description = untyped
    let inclusion = QueryInclusion(participation(Conversation.fields).propertyPath)
    if !description.inclusions.contains(inclusion) { description.inclusions.append(inclusion) }
    return Query(description) ?? self
  }
}

extension Conversation {
  /// What the conversation is to the store's user; nil if nothing is said of that, or if the query did not include it. It is not part of
  /// the conversation's coded form.
  /// - Complexity: O(1). Reads nothing.
  public var participation: Participation? { own?.participation }

  /// How many messages of others came after the last one that the store's user has read, as `unreadCountSinceLastRead(in:)` counts them; nil
  /// if the query did not include the participation. It is not part of the conversation's coded form.
  /// - Complexity: O(1). Reads nothing.
  public var unreadSinceLastRead: Int? { own?.unread }
}
