import Foundation
import SatchelDialects
import SatchelModel
import SatchelQuery
import Testing

/// Stream's lists: orders and pages.
@Suite struct StreamListTests {
  @Test func channels() throws {
    #expect(
      try ChannelListQuery(filter: .containMembers(userIds: ["alice"])).query().description
        == "conversations where participants IN {'alice'} order -lastMessage.sentAt, -createdAt limit 20")
    var list = ChannelListQuery(
      filter: .equal(.type, to: .messaging),
      sort: [
        .init(key: .hasUnread), .init(key: .custom(key: "custom_score.value"), isAscending: true),
        .init(key: .memberCount), .init(key: .cid, isAscending: true),
      ], pageSize: 5)
    list.pagination = Pagination(pageSize: 5, offset: 10)
    #expect(
      try list.query().description
        == "conversations where metadata.type = 'messaging' order -hasUnreadMessages, metadata.custom_score.value, -participantCount, identifier limit 5 offset 10"
    )
    let name = ChannelListQuery(filter: .and([]), sort: [.init(key: .custom(key: "name"), isAscending: true)])
    #expect(try name.query().untyped.sort == [SortKey("metadata.name")])
    // The sample of Stream's page.
    let key = ChannelListSortingKey.custom(key: "custom_score.value")
    let customValueSorting = Sorting<ChannelListSortingKey>(key: key, isAscending: false)
    let query = ChannelListQuery(filter: .and([]), sort: [customValueSorting])
    #expect(try query.query().untyped.sort == [SortKey("-metadata.custom_score.value")])
  }

  @Test func usersAndMembers() throws {
    #expect(try UserListQuery().query().description == "identities order -userID limit 30")
    #expect(
      try UserListQuery.search(term: "li").query().description
        == "identities where displayName AUTOCOMPLETE 'li' OR userID AUTOCOMPLETE 'li' order displayName limit 30"
    )
    #expect(try UserListQuery.search(term: "").query().description == "identities order displayName limit 30")
    #expect(
      try UserListQuery.user(withID: "bob").query().description
        == "identities where userID = 'bob' order -userID limit 30")
    #expect(
      try ChannelMemberListQuery(cid: "messaging:general", filter: .autocomplete(.name, text: "tom")).query()
        .description
        == "identities of members of 'messaging:general' where displayName AUTOCOMPLETE 'tom' order userID limit 30"
    )
    #expect(
      try ChannelMemberListQuery(cid: "c", sort: [.init(key: .name, isAscending: true)]).query().untyped.sort
        == [SortKey("displayName")])
  }

  @Test func searches() throws {
    let search = MessageSearchQuery(
      channelFilter: .and([
        .in(.members, values: ["alice"]), .equal(.cid, to: "messaging:general"),
        .greater("priority", than: 5),
        .less(.lastUpdatedAt, than: Date(timeIntervalSince1970: 0)), .equal(.hasUnread, to: true),
      ]),
      messageFilter: .and([.autocomplete(.text, text: "noon"), .equal(.authorId, to: "bob")]))
    #expect(
      try search.query().description
        == "messages where conversation.participants IN {'alice'} AND conversation = 'messaging:general' AND conversation.metadata.priority > 5 AND (conversation.lastMessage.sentAt < 1970-01-01T00:00:00Z OR conversation.lastMessage.sentAt = nil AND conversation.createdAt < 1970-01-01T00:00:00Z) AND conversation.hasUnreadMessages = TRUE AND (parts.text AUTOCOMPLETE 'noon' AND sender.userID = 'bob') order -sentAt limit 25"
    )
    // A store answers all of it.
    #expect(throws: Never.self) {
      try Normalizer(kind: .messages, user: "alice").condition(for: search.query().untyped.predicate)
    }
  }

  @Test func pagesOfMessages() throws {
    func page(_ size: Int, _ parameter: PaginationParameter?) throws -> String {
      let text = try Query(messagesIn: "c", pageSize: size, parameter).description
      return String(text.dropFirst("messages where conversation = 'c' order -position ".count))
    }
    #expect(try page(25, nil) == "limit 25")
    #expect(try page(25, .greaterThan("m")) == "limit 25 before 'm'")
    #expect(try page(25, .greaterThanOrEqual("m")) == "around 'm' before 24 after 0")
    #expect(try page(25, .lessThan("m")) == "limit 25 after 'm'")
    #expect(try page(25, .lessThanOrEqual("m")) == "around 'm' before 0 after 24")
    #expect(try page(25, .around("m")) == "around 'm' before 12 after 12")
    #expect(try page(20, .around("m")) == "around 'm' before 9 after 10")
    #expect(try page(1, .around("m")) == "around 'm' before 0 after 0")
  }

  @Test func channelsAreSortedByWhatTheyAreToTheUser() throws {
    let keys = [
      Sorting(key: ChannelListSortingKey.pinnedAt), Sorting(key: .custom(key: "muted"), isAscending: true),
    ]
    let query = try ChannelListQuery(filter: .equal(.pinned, to: true), sort: keys).query()
    #expect(
      query.untyped.sort == [SortKey(["my", "pinnedAt"], descending: true), SortKey(["my", "isMuted"])])
    #expect(query.untyped.predicate.description == "my.isPinned = TRUE")
  }

  @Test func whatIsRefused() {
    func refuse(_ code: SatchelError.Code, _ key: String?, _ body: () throws -> Void) {
      let error = #expect(throws: SatchelError.self, performing: body)
      #expect(error?.code == code && error?.context["key"] == key, "\(String(describing: error))")
      if key != nil { #expect(error?.context["instead"]?.isEmpty == false) }
    }
    let all = Filter<ChannelListFilterScope>.and([])
    // A key of filters that has a meaning, but no order, is no custom key.
    refuse(.unsupportedSort, "members") {
      _ = try ChannelListQuery(filter: all, sort: [.init(key: .custom(key: "members"))]).query()
    }
    refuse(.unsupportedSort, "a..b") {
      _ = try ChannelListQuery(filter: all, sort: [.init(key: .custom(key: "a..b"))]).query()
    }
    refuse(.notAvailable, "blocked") {
      _ = try ChannelListQuery(filter: all, sort: [.init(key: .custom(key: "blocked"))]).query()
    }
    refuse(.unsupportedSort, "online") {
      _ = try UserListQuery(sort: [.init(key: .custom(key: "online"))]).query()
    }
    refuse(.notAvailable, "channel_role") {
      _ = try ChannelMemberListQuery(cid: "c", sort: [.init(key: .channelRole)]).query()
    }
    refuse(.notAvailable, "relevance") {
      _ = try MessageSearchQuery(channelFilter: all, messageFilter: .and([]), sort: [.init(key: .relevance)])
        .query()
    }
    refuse(.invalidValue, nil) { _ = try UserListQuery(pageSize: 0).query() }
    refuse(.invalidValue, nil) { _ = try Query(messagesIn: "c", pageSize: -1, .around("m")) }
  }

  @Test func ordersInJSON() throws {
    let json = #"[{"field":"created_at","direction":1},{"direction":-1,"field":"custom"}]"#
    let sort = try JSONDecoder().decode([Sorting<ChannelListSortingKey>].self, from: Data(json.utf8))
    #expect(sort == [Sorting(key: .createdAt, isAscending: true), Sorting(key: .custom(key: "custom"))])
    let again = try JSONDecoder().decode(
      [Sorting<ChannelListSortingKey>].self, from: JSONEncoder().encode(sort))
    #expect(again == sort)
    for wrong in [
      #"[{"field":"a","direction":0}]"#, #"[{"field":"a"}]"#, #"[{"field":5,"direction":1}]"#, "[5]",
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Sorting<ChannelListSortingKey>].self, from: Data(wrong.utf8))
      }
    }
  }
}
