/// A key to sort a list by: one of those that Stream has, such as `.lastMessageAt`, or a custom one.
///
/// A custom key leads to a value of metadata, as those of filters do: `.custom(key: "custom_score.value")`. All results are sorted by it; the SDK
/// sorts the page that it has. Values that are missing come first in ascending and last in descending order, and false comes before true.
public struct ListSortingKey<Scope: FilterScope>: RawRepresentable, Hashable, Sendable {
  /// The key in JSON.
  public let rawValue: String

  /// Makes a key from its spelling in JSON.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A key of metadata, or several joined by dots.
  public static func custom(key: String) -> Self { Self(rawValue: key) }
}

/// A key to sort channels by.
public typealias ChannelListSortingKey = ListSortingKey<ChannelListFilterScope>
/// A key to sort users by.
public typealias UserListSortingKey = ListSortingKey<UserListFilterScope>
/// A key to sort the members of a channel by.
public typealias ChannelMemberListSortingKey = ListSortingKey<MemberListFilterScope>
/// A key to sort messages by.
public typealias MessageSearchSortingKey = ListSortingKey<MessageSearchFilterScope>

/// An order: a key and a direction, which is descending unless it is said otherwise.
public struct Sorting<Key: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Key.RawValue == String {
  /// The key.
  public let key: Key
  /// Whether the least value comes first.
  public let isAscending: Bool

  /// Makes an order.
  public init(key: Key, isAscending: Bool = false) {
    self.key = key
    self.isAscending = isAscending
  }
}

extension Sorting: Codable {
  private enum CodingKeys: String, CodingKey { case field, direction }

  /// Decodes Stream's JSON: `{"field": "created_at", "direction": -1}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let direction = try container.decode(Int.self, forKey: .direction)
    guard [1, -1].contains(direction),
      let key = Key(rawValue: try container.decode(String.self, forKey: .field))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .direction, in: container,
        debugDescription: "A direction is 1 or -1, and the field a key to sort by")
    }
    self.init(key: key, isAscending: direction == 1)
  }

  /// Encodes Stream's JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key.rawValue, forKey: .field)
    try container.encode(isAscending ? 1 : -1, forKey: .direction)
  }
}

extension ListSortingKey where Scope == ChannelListFilterScope {
  /// The date of the last message. Every channel that a query gives has one, unless all of its messages have been deleted: then, behind the
  /// others, the date of its creation.
  public static let `default` = Self(rawValue: "last_updated")
  /// When the channel was created.
  public static let createdAt = Self(rawValue: "created_at")
  /// When it was changed last.
  public static let updatedAt = Self(rawValue: "updated_at")
  /// The date of the last message.
  public static let lastMessageAt = Self(rawValue: "last_message_at")
  /// When the user pinned it.
  public static let pinnedAt = Self(rawValue: "pinned_at")
  /// The number of members.
  public static let memberCount = Self(rawValue: "member_count")
  /// The identifier.
  public static let cid = Self(rawValue: "cid")
  /// Whether a message is unread.
  public static let hasUnread = Self(rawValue: "has_unread")
  /// The number of unread messages.
  public static let unreadCount = Self(rawValue: "unread_count")
}

extension ListSortingKey where Scope == UserListFilterScope {
  /// The user id.
  public static let id = Self(rawValue: "id")
  /// The display name.
  public static let name = Self(rawValue: "name")
  /// The role, which is a value of metadata.
  public static let role = Self(rawValue: "role")
  /// Whether the user is banned, which is a value of metadata.
  public static let isBanned = Self(rawValue: "banned")
  /// When the user was seen last.
  public static let lastActivityAt = Self(rawValue: "last_active")
}

extension ListSortingKey where Scope == MemberListFilterScope {
  /// Since when the user has been a member, which is refused.
  public static let createdAt = Self(rawValue: "created_at")
  /// The user id.
  public static let userId = Self(rawValue: "user_id")
  /// The display name.
  public static let name = Self(rawValue: "name")
  /// The role in the channel, which is refused.
  public static let channelRole = Self(rawValue: "channel_role")
}

extension ListSortingKey where Scope == MessageSearchFilterScope {
  /// How well a message matches, which is refused.
  public static let relevance = Self(rawValue: "relevance")
  /// The identifier.
  public static let id = Self(rawValue: "id")
  /// When the message was sent.
  public static let createdAt = Self(rawValue: "created_at")
  /// When it was changed last.
  public static let updatedAt = Self(rawValue: "updated_at")
}
