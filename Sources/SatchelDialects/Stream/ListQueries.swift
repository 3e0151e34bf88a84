public import SatchelModel
public import SatchelQuery

/// A list of channels, which is a query for conversations: `try Query(ChannelListQuery(filter: …))`.
///
/// How many messages and members come with each channel is the service's matter: a query for conversations says what comes along by
/// `including`.
public struct ChannelListQuery: Hashable, Sendable {
  /// Which channels.
  public var filter: Filter<ChannelListFilterScope>
  /// The order; without keys, that of ``ListSortingKey/default``, the latest first.
  public var sort: [Sorting<ChannelListSortingKey>]
  /// The page.
  public var pagination: Pagination

  /// Makes a list of channels.
  public init(
    filter: Filter<ChannelListFilterScope>, sort: [Sorting<ChannelListSortingKey>] = [], pageSize: Int = 20
  ) {
    self.filter = filter
    self.sort = sort
    pagination = Pagination(pageSize: pageSize)
  }
}

/// A list of users, which is a query for identities.
public struct UserListQuery: Hashable, Sendable {
  /// Which users; nil for all.
  public var filter: Filter<UserListFilterScope>?
  /// The order; without keys, by user id, descending.
  public var sort: [Sorting<UserListSortingKey>]
  /// The page.
  public var pagination: Pagination

  /// Makes a list of users.
  public init(
    filter: Filter<UserListFilterScope>? = nil, sort: [Sorting<UserListSortingKey>] = [], pageSize: Int = 30
  ) {
    self.filter = filter
    self.sort = sort
    pagination = Pagination(pageSize: pageSize)
  }

  /// One user.
  public static func user(withID userId: Identity.ID) -> Self { Self(filter: .equal(.id, to: userId)) }

  /// The users whose name or id has words that begin with those of the term, by name; without a term, all of them.
  public static func search(term: String?) -> Self {
    let sort = [Sorting(key: UserListSortingKey.name, isAscending: true)]
    guard let term, !term.isEmpty else { return Self(filter: .exists(.id), sort: sort) }
    return Self(
      filter: .or([.autocomplete(.name, text: term), .autocomplete(.id, text: term)]), sort: sort)
  }
}

/// The members of a channel, which are a query for the identities of a conversation's participants.
public struct ChannelMemberListQuery: Hashable, Sendable {
  /// The channel.
  public var cid: Conversation.ID
  /// Which members; nil for all.
  public var filter: Filter<MemberListFilterScope>?
  /// The order; without keys, by user id. The service's own order is by the date since when they are members, which a store has not.
  public var sort: [Sorting<ChannelMemberListSortingKey>]
  /// The page.
  public var pagination: Pagination

  /// Makes a list of members.
  public init(
    cid: Conversation.ID, filter: Filter<MemberListFilterScope>? = nil,
    sort: [Sorting<ChannelMemberListSortingKey>] = [], pageSize: Int = 30
  ) {
    self.cid = cid
    self.filter = filter
    self.sort = sort
    pagination = Pagination(pageSize: pageSize)
  }
}

/// A search for messages: those that match a filter, of the channels that match another one.
public struct MessageSearchQuery: Hashable, Sendable {
  /// Which channels.
  public var channelFilter: Filter<ChannelListFilterScope>
  /// Which messages.
  public var messageFilter: Filter<MessageSearchFilterScope>
  /// The order.
  public var sort: [Sorting<MessageSearchSortingKey>]
  /// The page.
  public var pagination: Pagination

  /// Makes a search.
  public init(
    channelFilter: Filter<ChannelListFilterScope>, messageFilter: Filter<MessageSearchFilterScope>,
    sort: [Sorting<MessageSearchSortingKey>] = [Sorting(key: .createdAt)], pageSize: Int = 25
  ) {
    self.channelFilter = channelFilter
    self.messageFilter = messageFilter
    self.sort = sort
    pagination = Pagination(pageSize: pageSize)
  }
}

// What is refused, or is no value of a key, throws as ``SatchelQuery/QueryPredicate/init(_:)`` does.
extension Query where Object == Conversation {
  /// Creates the query of a list of channels.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public init(_ list: ChannelListQuery) throws {
    let sort = list.sort.isEmpty ? [Sorting(key: .default)] : list.sort
    let translation = FilterTranslation(.channels)
    let query = Conversation.filter(try translation.predicate(of: list.filter))
      .order(try translation.sort(sort))
    self = try list.pagination.applied(to: query, of: .channels)
  }
}

extension Query where Object == Identity {
  /// Creates the query of a list of users.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public init(_ list: UserListQuery) throws {
    let sort = list.sort.isEmpty ? [Sorting(key: .id)] : list.sort
    self = try Self.query(Identity.all, .users, list.filter, sort, list.pagination)
  }

  /// Creates the query of the members of a channel.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public init(_ list: ChannelMemberListQuery) throws {
    let sort = list.sort.isEmpty ? [Sorting(key: .userId, isAscending: true)] : list.sort
    self = try Self.query(Identity.members(of: list.cid), .members, list.filter, sort, list.pagination)
  }

  private static func query<Scope>(
    _ all: Query, _ list: FilteredList, _ filter: Filter<Scope>?, _ sort: [Sorting<ListSortingKey<Scope>>],
    _ pagination: Pagination
  ) throws -> Query {
    let translation = FilterTranslation(list)
    let query = try filter.map { all.filter(try translation.predicate(of: $0)) } ?? all
    return try pagination.applied(to: query.order(try translation.sort(sort)), of: list)
  }
}

extension Query where Object == Message {
  /// Creates the query of a search for messages. What the filter of channels asks for is asked of the message's conversation.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public init(_ search: MessageSearchQuery) throws {
    let channels = FilterTranslation(.channels, behind: ["conversation"])
    let messages = FilterTranslation(.messages)
    let query = Message.filter(try channels.predicate(of: search.channelFilter))
      .filter(try messages.predicate(of: search.messageFilter))
      .order(try messages.sort(search.sort))
    self = try search.pagination.applied(to: query, of: .messages)
  }
}
