public import SatchelModel

/// A kind of object that can be queried.
public protocol Queryable: Identifiable, Sendable where ID: StoredIdentifier {
  /// The type of the queryable properties in the closures of `filter` and `order`.
  associatedtype Fields: Sendable

  /// The kind of object.
  static var kind: ObjectKind { get }
  /// The queryable properties.
  static var fields: Fields { get }
}

extension Conversation: Queryable {
  /// The kind that queries of this type ask for.
  public static var kind: ObjectKind { .conversations }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: ConversationFields { ConversationFields([]) }
}

extension Message: Queryable {
  /// The kind that queries of this type ask for.
  public static var kind: ObjectKind { .messages }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: MessageFields { MessageFields([]) }
}

extension MessagePart: Queryable {
  /// The kind that queries of this type ask for.
  public static var kind: ObjectKind { .parts }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: PartFields { PartFields() }
}

extension Announcement: Queryable {
  /// The kind that queries of this type ask for.
  public static var kind: ObjectKind { .announcements }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: AnnouncementFields { AnnouncementFields() }
}

extension Identity: Queryable {
  /// The kind that queries of this type ask for.
  public static var kind: ObjectKind { .identities }
  /// The fields that predicates and sort keys of this type name.
  public static var fields: IdentityFields { IdentityFields() }
}

extension Queryable {
  /// A query for every object of the kind, in the order of creation.
  public static var all: Query<Self> { Query() }

  /// Returns a query for the objects that meet a predicate: `Message.filter { $0.isUnread && $0.position > 7 }`.
  public static func filter<Filter: PredicateConvertible>(_ predicate: (Fields) -> Filter) -> Query<Self> {
    Query().filter(predicate)
  }

  /// Returns a query for the objects that meet a predicate.
  public static func filter(_ predicate: QueryPredicate) -> Query<Self> { Query().filter(predicate) }

  /// Returns a query for every object, sorted by a key:
  /// `Conversation.order { $0.lastMessage.receivedAt.descending }`.
  public static func order<Key: SortKeyConvertible>(_ key: (Fields) -> Key) -> Query<Self> {
    Query().order(key)
  }

  /// Returns a query for every object, sorted by several keys:
  /// `Message.order { ($0.sentAt.descending, $0.position) }`.
  public static func order<
    First: SortKeyConvertible, Second: SortKeyConvertible, each Key: SortKeyConvertible
  >(
    _ keys: (Fields) -> (First, Second, repeat each Key)
  ) -> Query<Self> { Query().order(keys) }

  /// Returns a query for every object, sorted by `keys`.
  public static func order(_ keys: [SortKey]) -> Query<Self> { Query().order(keys) }
}
