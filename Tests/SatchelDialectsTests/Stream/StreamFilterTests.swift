import Foundation
import SatchelDialects
import SatchelModel
import SatchelQuery
import Testing

/// Filters as programs write them, and the predicates that they become.
@Suite struct StreamFilterTests {
  private typealias Channels = Filter<ChannelListFilterScope>
  private typealias Users = Filter<UserListFilterScope>
  private typealias Messages = Filter<MessageSearchFilterScope>

  private func expect<Scope>(
    _ filter: Filter<Scope>, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let predicate = try filter.predicate()
    #expect(predicate.description == text, sourceLocation: sourceLocation)
    #expect(try QueryPredicate(format: text) == predicate, sourceLocation: sourceLocation)
  }

  @discardableResult
  private func refuse<Scope>(
    _ filter: Filter<Scope>, _ code: SatchelError.Code, _ instead: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> SatchelError? {
    let error = #expect(throws: SatchelError.self, sourceLocation: sourceLocation) {
      try filter.predicate()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(
      error?.context["instead"]?.contains(instead) == true, "\(error?.context ?? [:])",
      sourceLocation: sourceLocation)
    return error
  }

  /// The samples of Stream's page "Channels State and Filtering".
  @Test func samplesOfThePage() throws {
    let currentUserId: Identity.ID = "alice"
    try expect(Channels.containMembers(userIds: [currentUserId]), "participants IN {'alice'}")
    let filter1: Filter<ChannelListFilterScope> = .equal(.type, to: .messaging)
    try expect(filter1, "metadata.type = 'messaging'")
    let filter2: Filter<ChannelListFilterScope> = .equal("state", to: "LA")
    try expect(filter2, "metadata.state = 'LA'")
    let compoundFilter: Filter<ChannelListFilterScope> = .and([
      filter1,
      filter2,
    ])
    try expect(compoundFilter, "metadata.type = 'messaging' AND metadata.state = 'LA'")
    try expect(Channels.or([filter1, filter2]), "metadata.type = 'messaging' OR metadata.state = 'LA'")
    try expect(
      Channels.nor([filter1, filter2]), "NOT (metadata.type = 'messaging' OR metadata.state = 'LA')")
    try expect(
      Channels.and([
        .containMembers(userIds: [currentUserId]),
        .equal(.type, to: .messaging),
        .equal("myCustomBooleanKey", to: true),
      ]),
      "participants IN {'alice'} AND metadata.type = 'messaging' AND metadata.myCustomBooleanKey = TRUE")
  }

  @Test func keysWithNamesAndCustomOnes() throws {
    try expect(
      Channels.and([
        .equal(.cid, to: "messaging:general"), .in(.members, values: ["bob", "carol"]),
        .greater("priority", than: 5), .autocomplete(.name, text: "li"),
      ]),
      "identifier = 'messaging:general' AND participants IN {'bob', 'carol'} AND metadata.priority > 5 AND metadata.name AUTOCOMPLETE 'li'"
    )
    try expect(Channels.nonEmpty, "lastMessage.sentAt > 1970-01-01T00:00:00Z")
    try expect(Channels.noTeam, "metadata.team = nil")
    try expect(Channels.hasUnread, "hasUnreadMessages = TRUE")
    try expect(Channels.equal(.members, values: ["bob", "carol"]), "participants CONTAINS {'bob', 'carol'}")
    try expect(
      Channels.equal(.imageURL, to: try #require(URL(string: "https://example.org/a.png"))),
      "metadata.image = 'https://example.org/a.png'")
    try expect(Channels.equal("custom_score.value", to: 7.5), "metadata.custom_score.value = 7.5")
    try expect(Channels.exists("state"), "metadata.state != nil")
    try expect(Channels.isNil("state"), "metadata.state = nil")
    try expect(Channels.autocomplete("title", text: "li"), "metadata.title AUTOCOMPLETE 'li'")
    try expect(Channels.contains("tags", value: "li"), "'li' IN metadata.tags")
    try expect(Channels.equal("a-b.c d", to: "x"), "metadata.a-b.'c d' = 'x'")
    try expect(Users.equal(.isOnline, to: false), "presenceStatus NOT IN {'available', 'busy', 'away'}")
    try expect(Users.in(.id, values: ["bob"]), "userID = 'bob'")
    try expect(Users.isNil(.lastActiveAt), "lastSeenAt = nil")
    try expect(
      Filter<MemberListFilterScope>.autocomplete(.name, text: "tom"), "displayName AUTOCOMPLETE 'tom'")
    try expect(
      Filter<MemberListFilterScope>.equal(.email, to: "b@example.org"), "emailAddress = 'b@example.org'")
  }

  @Test func messages() throws {
    try expect(Messages.equal(.authorId, to: "bob"), "sender.userID = 'bob'")
    try expect(
      Messages.withAttachments([.image, "application/pdf"]),
      "parts.mimeType = 'application/pdf' OR parts.mimeType BEGINSWITH 'image/'")
    try expect(Messages.withAttachments, "ANY parts (NOT mimeType BEGINSWITH 'text/')")
    try expect(Messages.withoutAttachments, "NONE parts (NOT mimeType BEGINSWITH 'text/')")
    try expect(Messages.contains(.text, value: "noon"), "parts.text CONTAINS 'noon'")
  }

  /// What the SDK's translation has wrong: `$nin` is none of the values, `$ne` exists, and a list has all values of `$eq`.
  @Test func theServiceAndNotTheSDKDecides() throws {
    try expect(Channels.notIn(.members, values: ["bob", "carol"]), "participants NOT IN {'bob', 'carol'}")
    try expect(Channels.notIn("tags", values: ["a", "b"]), "metadata.tags NOT IN {'a', 'b'}")
    try expect(Channels.notEqual(.name, to: "x"), "metadata.name != 'x'")
    try expect(
      Channels.equal(.filterTags, values: ["a", "b"]),
      "metadata.filter_tags = 'a' AND metadata.filter_tags = 'b'")
    try expect(Channels.contains(.filterTags, value: "a"), "'a' IN metadata.filter_tags")
    // Nothing of an OR is left out.
    try expect(
      Channels.or([.equal("state", to: "LA"), .equal(.type, to: .team)]),
      "metadata.state = 'LA' OR metadata.type = 'team'")
  }

  /// What is false unless it is said to be true is false where it is missing.
  @Test func flags() throws {
    try expect(Channels.equal(.frozen, to: true), "metadata.frozen = TRUE")
    try expect(Channels.equal(.frozen, to: false), "metadata.frozen != TRUE")
    try expect(Channels.notEqual(.frozen, to: true), "metadata.frozen != TRUE")
    try expect(Channels.in(.frozen, values: [true, false]), "TRUEPREDICATE")
    try expect(Channels.in(.frozen, values: []), "FALSEPREDICATE")
  }

  /// A text that is a date is compared with dates as well, because a filter in JSON has it as a text.
  @Test func dates() throws {
    let date = Date(timeIntervalSince1970: 0)
    try expect(Channels.greater("due", than: date), "metadata.due > 1970-01-01T00:00:00Z")
    let text = "1970-01-01T00:00:00Z"
    try expect(
      Channels.equal("due", to: text), "metadata.due = '\(text)' OR metadata.due = \(text)")
    try expect(
      Channels.notEqual("due", to: text), "NOT (metadata.due = '\(text)' OR metadata.due = \(text))")
    try expect(
      Channels.in("due", values: ["x", text]), "metadata.due IN {'x', '\(text)'} OR metadata.due = \(text)")
    try expect(
      Channels(operator: .less, key: FilterKey<_, Date>(rawValue: "created_at"), value: .text(text)),
      "createdAt < \(text)")
    try expect(
      Channels.greaterOrEqual(.lastUpdatedAt, than: date),
      "lastMessage.sentAt >= \(text) OR lastMessage.sentAt = nil AND createdAt >= \(text)")
  }

  @Test func valuesOfSeveralTypesAndNull() throws {
    let key = FilterKey<ChannelListFilterScope, String>(rawValue: "k")
    try expect(
      Channels(
        operator: .in, key: key, value: .list([.text("a"), .integer(1), .null, .number(2.5), .boolean(true)])),
      "metadata.k = 'a' OR metadata.k IN {1, 2.5} OR metadata.k = TRUE OR metadata.k = nil")
    try expect(Channels(operator: .in, key: key, value: .list([])), "FALSEPREDICATE")
    try expect(Channels(operator: .notIn, key: key, value: .list([])), "TRUEPREDICATE")
    try expect(Channels(operator: .notEqual, key: key, value: .null), "metadata.k != nil")
  }

  @Test func groupsOfNothing() throws {
    try expect(Channels.and([]), "TRUEPREDICATE")
    try expect(Channels.or([]), "FALSEPREDICATE")
    try expect(Channels.nor([]), "NOT FALSEPREDICATE")
  }

  @Test func whatIsRefusedSaysWhy() {
    let error = refuse(Channels.equal(.blocked, to: true), .notAvailable, "metadata under a key of your own")
    #expect(error?.context["list"] == "channels" && error?.context["key"] == "blocked")
    #expect(error?.context["operator"] == "$eq" && error?.message.contains("blocked") == true)
    // Also within groups, in which the SDK leaves it out.
    refuse(Channels.or([.equal(.name, to: "x"), .equal(.joined, to: true)]), .notAvailable, "leave")
    refuse(Messages.queryText("noon"), .notAvailable, "$autocomplete")
    refuse(Channels.greater(.members, than: "a"), .unsupportedPredicate, "$in")
    refuse(Channels.autocomplete(.memberName, text: "a"), .notAvailable, "filter users by name")
    refuse(Filter<ThreadListFilterScope>.equal(.parentMessageId, to: "m"), .notAvailable, "metadata")
    refuse(Filter<ThreadListFilterScope>.equal("custom", to: "m"), .notAvailable, "metadata")
    refuse(Filter<ReactionListFilterScope>.equal(.reactionType, to: "like"), .notAvailable, "record type")
    refuse(Filter<MessageReminderListFilterScope>.exists(.remindAt), .notAvailable, "record type")
    refuse(Filter<VoteListFilterScope>.equal(.isAnswer, to: true), .notAvailable, "record type")
    refuse(Filter<MemberListFilterScope>.equal(.isBanned, to: true), .notAvailable, "participations")
    refuse(Messages.in(.hasAttachmentsOfType, values: [.file]), .invalidValue, "MIME type")
  }

  @Test func valuesOfAnotherTypeAreRefused() {
    func channels(_ key: String, _ comparing: FilterOperator, _ value: QueryPredicate.Operand) -> Channels {
      Channels(operator: comparing, key: FilterKey<_, String>(rawValue: key), value: value)
    }
    let wrong: [(Channels, String)] = [
      (channels("created_at", .greater, .text("yesterday")), "RFC 3339"),
      (channels("created_at", .greater, .integer(5)), "RFC 3339"),
      (channels("member_count", .equal, .text("5")), "numbers"),
      (channels("member_count", .equal, .null), "never missing"),
      (channels("member_count", .equal, .list([.integer(1), .integer(2)])), "$in asks for one"),
      (channels("name", .equal, .integer(5)), "texts"),
      (channels("members", .in, .text("bob")), "a list of values"),
      (channels("members", .in, .list([.integer(5)])), "ids of users"),
      (channels("frozen", .equal, .text("true")), "true or false"),
      (channels("priority", .greater, .null), "$ne"),
      (channels("priority", .greater, .boolean(true)), "a number"),
      (channels("priority", .greater, .list([.integer(5)])), "a single value"),
      (channels("priority", .equal, .reference(Reference(type: "a", name: "b"))), "Booleans or dates"),
      (channels("priority", .equal, .path(["createdAt"])), "a value or a list"),
      (channels("priority", .equal, .dictionary(["a": "b"])), "a value or a list"),
      (channels("priority", .exists, .text("yes")), "true or false"),
      (channels("name", .autocomplete, .integer(5)), "a text"),
    ]
    for (filter, instead) in wrong {
      let error = refuse(filter, .invalidValue, instead)
      #expect(error?.context["value"] != nil, "\(filter)")
    }
    refuse(channels("a..b", .equal, .text("x")), .unqueryableProperty, "custom key")
    refuse(channels("", .equal, .text("x")), .unqueryableProperty, "custom key")
    refuse(channels("$and", .equal, .text("x")), .unqueryableProperty, "custom key")
    refuse(
      channels(Array(repeating: "a", count: 65).joined(separator: "."), .equal, .text("x")),
      .unqueryableProperty,
      "custom key")
  }

  @Test func filtersHaveALimitedSize() throws {
    let leaf = Channels.equal(.name, to: "x")
    var filter = leaf
    for _ in 0..<QueryPredicate.maximumDepth { filter = .and([filter]) }
    #expect(throws: Never.self) { try filter.predicate() }
    for _ in 0..<100_000 { filter = .nor([filter]) }
    #expect(#expect(throws: SatchelError.self) { try filter.predicate() }?.code == .unsupportedPredicate)
    #expect(filter.description == "<a filter of too many levels>")
    let wide = Channels.or(Array(repeating: leaf, count: QueryPredicate.maximumNodes))
    #expect(#expect(throws: SatchelError.self) { try wide.predicate() }?.code == .unsupportedPredicate)
    // The values of a list do not count.
    let many = Channels.in(.cid, values: (0..<100_000).map { Conversation.ID("c\($0)") })
    #expect(throws: Never.self) { try many.predicate() }
  }
}
