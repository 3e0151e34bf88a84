public import SatchelModel
public import SatchelQuery

/// A list of channels or of users.
///
/// How many messages and members come with each channel is the service's matter: a query for conversations says what comes along by
/// `including`.
public struct ListQuery<Scope: FilterScope>: Hashable, Sendable {
  /// Which objects; nil for all.
  public var filter: Filter<Scope>?
  /// The order; without keys, that of the list: channels by ``ListSortingKey/default``, the latest first, users by user id, descending.
  public var sort: [Sorting<ListSortingKey<Scope>>]
  /// The page.
  public var pagination: Pagination

  /// Makes a list, with pages of 20 channels or 30 users unless it is said otherwise.
  public init(
    filter: Filter<Scope>? = nil, sort: [Sorting<ListSortingKey<Scope>>] = [],
    pageSize: Int = Scope.list == .channels ? 20 : 30
  ) {
    self.filter = filter
    self.sort = sort
    pagination = Pagination(pageSize: pageSize)
  }
}

/// A list of channels, which is a query for conversations: `try ChannelListQuery(filter: …).query()`.
public typealias ChannelListQuery = ListQuery<ChannelListFilterScope>
/// A list of users, which is a query for identities.
public typealias UserListQuery = ListQuery<UserListFilterScope>

extension ListQuery where Scope == UserListFilterScope {
  /// One user.
  public static func user(withID userId: Identity.ID) -> Self { Self(filter: .equal(.id, to: userId)) }

  /// The users whose name or id has words that begin with those of the term, by name; without a term, all of them.
  public static func search(term: String?) -> Self {
    let sort = [Sorting(key: UserListSortingKey.name, isAscending: true)]
    guard let term, !term.isEmpty else { return Self(sort: sort) }
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

// What is refused, or is no value of a key, throws as ``Filter/predicate()`` does.
extension ListQuery where Scope == ChannelListFilterScope {
  /// Returns the query for the conversations.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public func query() throws -> Query<Conversation> {
    let sort = sort.isEmpty ? [Sorting(key: .default)] : sort
    return try FilterTranslation(.channels).query(Conversation.all, filter, sort, pagination)
  }
}

extension ListQuery where Scope == UserListFilterScope {
  /// Returns the query for the identities.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public func query() throws -> Query<Identity> {
    let sort = sort.isEmpty ? [Sorting(key: .id)] : sort
    return try FilterTranslation(.users).query(Identity.all, filter, sort, pagination)
  }
}

extension ChannelMemberListQuery {
  /// Returns the query for the identities.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public func query() throws -> Query<Identity> {
    let sort = sort.isEmpty ? [Sorting(key: .userId, isAscending: true)] : sort
    return try FilterTranslation(.members).query(Identity.members(of: cid), filter, sort, pagination)
  }
}

extension MessageSearchQuery {
  /// Returns the query for the messages. What the filter of channels asks for is asked of the message's conversation.
  /// - Throws: ``SatchelModel/SatchelError`` for a filter, a key to sort by or a page that a store has no meaning for.
  public func query() throws -> Query<Message> {
    let channels = FilterTranslation(.channels, behind: ["conversation"])
    let found = Message.filter(try channels.predicate(of: channelFilter))
    return try FilterTranslation(.messages).query(found, messageFilter, sort, pagination)
  }
}

extension FilterTranslation {
  /// Returns the query for a page of the objects that match a filter.
  fileprivate func query<Object, Scope>(
    _ all: Query<Object>, _ filter: Filter<Scope>?, _ sorting: [Sorting<ListSortingKey<Scope>>],
    _ pagination: Pagination
  ) throws -> Query<Object> {
    try Pagination.check(pagination.pageSize, pagination.offset, of: list)
    let query = try filter.map { all.filter(try predicate(of: $0)) } ?? all
    return query.order(try sort(sorting)).limit(pagination.pageSize).offset(pagination.offset)
  }
}
