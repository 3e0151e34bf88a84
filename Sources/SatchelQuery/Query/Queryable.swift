public import SatchelModel

/// A kind of object that can be asked for.
public protocol Queryable: Sendable {
  /// Its queryable properties, as the closures of `filter` and `order` see them.
  associatedtype Fields: Sendable

  /// Which kind of object it is.
  static var kind: ObjectKind { get }
  /// The properties.
  static var fields: Fields { get }
}

extension Conversation: Queryable {
  public static var kind: ObjectKind { .conversations }
  public static var fields: ConversationFields { ConversationFields([]) }
}

extension Message: Queryable {
  public static var kind: ObjectKind { .messages }
  public static var fields: MessageFields { MessageFields([]) }
}

extension MessagePart: Queryable {
  public static var kind: ObjectKind { .parts }
  public static var fields: PartFields { PartFields() }
}

extension Announcement: Queryable {
  public static var kind: ObjectKind { .announcements }
  public static var fields: AnnouncementFields { AnnouncementFields() }
}

extension Identity: Queryable {
  public static var kind: ObjectKind { .identities }
  public static var fields: IdentityFields { IdentityFields() }
}

extension Queryable {
  /// Every object of the kind, in the order of creation.
  public static var all: Query<Self> { Query() }

  /// The objects for which a predicate is true: `Message.filter { $0.isUnread && $0.position > 7 }`.
  public static func filter<Filter: PredicateConvertible>(_ predicate: (Fields) -> Filter) -> Query<Self> {
    Query().filter(predicate)
  }

  /// The objects for which a predicate is true.
  public static func filter(_ predicate: Predicate) -> Query<Self> { Query().filter(predicate) }

  /// Every object, in an order: `Conversation.order { $0.lastMessage.receivedAt.descending }`.
  public static func order<Key: SortKeyConvertible>(_ key: (Fields) -> Key) -> Query<Self> {
    Query().order(key)
  }

  /// Every object, in an order of several keys: `Message.order { ($0.sentAt.descending, $0.position) }`.
  public static func order<
    First: SortKeyConvertible, Second: SortKeyConvertible, each Key: SortKeyConvertible
  >(
    _ keys: (Fields) -> (First, Second, repeat each Key)
  ) -> Query<Self> { Query().order(keys) }

  /// Every object, in an order.
  public static func order(_ keys: [SortKey]) -> Query<Self> { Query().order(keys) }
}
