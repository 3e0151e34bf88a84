import Foundation
import Satchel
import SatchelDialects
import SatchelScenes
import Testing

/// Queries as programs for Stream and Skygear spell them, asked of a store. A channel is a conversation whose identifier is its `cid`, and its
/// name, type and extra data are values of metadata.
@Suite struct StreamSpellingTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      let channels: [(id: String, users: [Identity.ID], sent: Double, metadata: Metadata)] = [
        (
          "la", ["bob"], 10,
          [
            "type": "messaging", "name": "Lunch in LA", "state": "LA", "custom_score": ["value": 7],
            "theme": ["background_color": "333333"],
          ]
        ),
        (
          "ny", ["bob", "carol"], 40,
          [
            "type": "messaging", "name": "New York", "state": "NY", "custom_score": ["value": 12.5],
            "filter_tags": .list(["food", "late"]), "team": "red",
          ]
        ),
        (
          "show", ["carol"], 20,
          ["type": "livestream", "state": "LA", "myCustomBooleanKey": true, "frozen": true]
        ),
        (
          "mine", ["dave"], 30,
          ["type": "messaging", "myCustomBooleanKey": true, "priority": 6, "due": .date(Timestamp(date(5)))]
        ),
      ]
      for channel in channels {
        let id = Conversation.ID(channel.id)
        try tx.createConversation(
          with: channel.users, id: id, createdAt: date(-channel.sent), metadata: channel.metadata)
        try tx.receive(
          [.text(channel.id == "la" ? "Noon at the usual place?" : "hello")]
            + (channel.id == "ny" ? [.data([0x89, 0x50], mimeType: "image/png")] : []),
          in: id, from: channel.users[0], id: Message.ID("m-" + channel.id), position: 1,
          sentAt: date(channel.sent), isUnread: channel.id == "la")
      }
      try tx.put(Identity(userID: "bob", displayName: "Bob Miller", presenceStatus: .available))
      try tx.put(Identity(userID: "carol", displayName: "Carol Müller"))
    }
  }

  private func channels(
    _ filter: Filter<ChannelListFilterScope>, _ ids: [Conversation.ID],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // As it is, and as it comes out of Stream's JSON.
    let decoded = try JSONDecoder().decode(
      Filter<ChannelListFilterScope>.self, from: JSONEncoder().encode(filter))
    try store.answers(
      [
        Conversation.filter(try filter.predicate()), Conversation.filter(try decoded.predicate()),
      ], ids, sourceLocation: sourceLocation)
    // What it does not match is the rest.
    let others = try store.identifiers(
      Conversation.filter(try Filter<ChannelListFilterScope>.nor([filter]).predicate()))
    #expect(
      others == ["la", "ny", "show", "mine"].filter { !ids.contains($0) }, sourceLocation: sourceLocation)
  }

  /// The samples of Stream's page "Channels State and Filtering".
  @Test func samplesOfThePage() throws {
    let currentUserId = store.user
    try channels(.containMembers(userIds: [currentUserId]), ["la", "ny", "show", "mine"])
    try channels(.equal(.type, to: .messaging), ["la", "ny", "mine"])
    try channels(.equal("state", to: "LA"), ["la", "show"])
    try channels(.and([.equal(.type, to: .messaging), .equal("state", to: "LA")]), ["la"])
    try channels(.or([.equal(.type, to: .livestream), .equal("state", to: "NY")]), ["ny", "show"])
    try channels(.nor([.equal(.type, to: .livestream), .equal("state", to: "LA")]), ["ny", "mine"])
    try channels(
      .and([
        .containMembers(userIds: [currentUserId]), .equal(.type, to: .messaging),
        .equal("myCustomBooleanKey", to: true),
      ]), ["mine"])
  }

  @Test func keysAndOperators() throws {
    try channels(.equal(.cid, to: "ny"), ["ny"])
    try channels(.in(.cid, values: ["la", "none", "mine"]), ["la", "mine"])
    try channels(.in(.members, values: ["bob", "dave"]), ["la", "ny", "mine"])
    try channels(.equal(.members, values: ["bob", "carol"]), ["ny"])
    try channels(.equal(.members, to: "carol"), ["ny", "show"])
    // The SDK answers "not all of them": la, show and mine.
    try channels(.notIn(.members, values: ["bob", "carol"]), ["mine"])
    try channels(.greater(.memberCount, than: 2), ["ny"])
    try channels(.equal(.frozen, to: false), ["la", "ny", "mine"])
    try channels(.noTeam, ["la", "show", "mine"])
    try channels(.exists(.name), ["la", "ny"])
    try channels(.autocomplete(.name, text: "la lu"), ["la"])
    try channels(.autocomplete(.name, text: "unch"), [])
    try channels(.contains(.name, value: "unch"), ["la"])
    try channels(.in(.filterTags, values: ["late", "early"]), ["ny"])
    try channels(.equal(.filterTags, values: ["late", "food"]), ["ny"])
    try channels(.equal(.filterTags, values: ["late", "early"]), [])
    try channels(.notIn(.filterTags, values: ["late"]), ["la", "show", "mine"])
    try channels(.contains(.filterTags, value: "food"), ["ny"])
    try channels(.hasUnread, ["la"])
    try channels(.nonEmpty, ["la", "ny", "show", "mine"])
    try channels(.greater(.lastMessageAt, than: date(25)), ["ny", "mine"])
    try channels(.less(.lastUpdatedAt, than: date(25)), ["la", "show"])
    try channels(.lessOrEqual(.createdAt, than: date(-30)), ["ny", "mine"])
  }

  /// Extra data, of which the SDK leaves out every condition.
  @Test func customKeys() throws {
    try channels(.greater("priority", than: 5), ["mine"])
    try channels(.greater("custom_score.value", than: 10), ["ny"])
    try channels(.notEqual("state", to: "LA"), ["ny", "mine"])
    try channels(.equal("theme.background_color", to: "333333"), ["la"])
    try channels(.lessOrEqual("due", than: date(5)), ["mine"])
    try channels(.isNil("state"), ["mine"])
    // The SDK leaves out the first condition, and finds none of them.
    try channels(.or([.equal("myCustomBooleanKey", to: true), .equal(.name, to: "none")]), ["show", "mine"])
  }

  @Test func listsOfChannels() throws {
    let all = Filter<ChannelListFilterScope>.containMembers(userIds: [store.user])
    try store.answers([ChannelListQuery(filter: all).query()], ["ny", "mine", "show", "la"])
    let key = ChannelListSortingKey.custom(key: "custom_score.value")
    let score = ChannelListQuery(filter: all, sort: [Sorting(key: key, isAscending: false)])
    try store.answers([score.query()], ["ny", "la", "mine", "show"])
    var second = score
    second.pagination = Pagination(pageSize: 2, offset: 1)
    let page = try store.page(second.query())
    #expect(page.objects.map(\.id) == ["la", "mine"] && page.totalCount == 4)
    // A list follows what is written, by the same condition.
    let controller = store.controller(
      for: try ChannelListQuery(filter: .greater("priority", than: 5)).query())
    try controller.execute()
    #expect(controller.objects.map(\.id) == ["mine"])
  }

  @Test func usersMembersAndMessages() throws {
    try store.answers([UserListQuery.user(withID: "bob").query()], ["bob"])
    try store.answers([UserListQuery.search(term: "mi").query()], ["bob"])
    try store.answers([UserListQuery(filter: .equal(.isOnline, to: true)).query()], ["bob"])
    try store.answers([ChannelMemberListQuery(cid: "ny").query()], ["alice", "bob", "carol"])
    try store.answers(
      [ChannelMemberListQuery(cid: "ny", filter: .autocomplete(.name, text: "MUL")).query()], ["carol"])
    let search = MessageSearchQuery(
      channelFilter: .equal(.type, to: .messaging), messageFilter: .autocomplete(.text, text: "us pl no"))
    try store.answers([search.query()], ["m-la"])
    let everything = Filter<ChannelListFilterScope>.containMembers(userIds: ["bob", "carol"])
    try store.answers(
      [MessageSearchQuery(channelFilter: everything, messageFilter: .exists("text")).query()],
      ["m-ny", "m-show", "m-la"])
    try store.answers(
      [
        MessageSearchQuery(channelFilter: everything, messageFilter: .withAttachments).query(),
        MessageSearchQuery(channelFilter: everything, messageFilter: .withAttachments([.image])).query(),
      ], ["m-ny"])
    try store.answers(
      [MessageSearchQuery(channelFilter: everything, messageFilter: .withoutAttachments).query()],
      ["m-show", "m-la"])
  }

  @Test func pagesOfMessages() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "long")
      for number in 1...9 {
        try tx.receive(
          [.text("\(number)")], in: "long", from: "bob", id: Message.ID("p\(number)"),
          position: Int64(number))
      }
    }
    func page(_ size: Int, _ parameter: PaginationParameter?) throws -> [Message.ID] {
      try store.identifiers(Query(messagesIn: "long", pageSize: size, parameter))
    }
    #expect(try page(2, nil) == ["p9", "p8"])
    #expect(try page(2, .greaterThan("p5")) == ["p7", "p6"])
    #expect(try page(2, .greaterThanOrEqual("p5")) == ["p6", "p5"])
    #expect(try page(2, .lessThan("p5")) == ["p4", "p3"])
    #expect(try page(2, .lessThanOrEqual("p5")) == ["p5", "p4"])
    #expect(try page(3, .around("p5")) == ["p6", "p5", "p4"])
    #expect(try page(4, .around("p5")) == ["p6", "p5", "p4", "p3"])
  }

  /// The samples of Skygear's page on queries, in the JSON that its SDK makes of them.
  @Test func skygear() throws {
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.reference("list", to: list)
    }
    try store.declare(list, todo)
    func id(_ type: String, _ name: String) -> Record.ID { Record.ID(type: type, name: name) }
    try store.write { tx in
      try tx.save(Record(list, name: "work", ["title": "Work"]))
      let todos: [(String, Metadata)] = [
        ("write", ["title": "Write", "order": 2, "list": .reference(id("list", "work"))]),
        ("call", ["title": "call", "order": 1, "tags": .list(["later", "phone"])]), ("rest", ["order": 3]),
      ]
      for (name, fields) in todos { try tx.save(Record(todo, name: name, fields)) }
    }
    func query(_ json: String) throws -> SkygearQuery {
      let expanded = json.replacing(#/@([A-Za-z_.]+)/#) { #"{"$type": "keypath", "$val": "\#($0.1)"}"# }
      return try JSONDecoder().decode(SkygearQuery.self, from: Data(expanded.utf8))
    }
    func expect(_ predicate: String, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation)
      throws
    {
      let query = try query(#"{"record_type": "todo", "predicate": \#(predicate)}"#)
      try store.answers([query.query], names.map { id("todo", $0) }, sourceLocation: sourceLocation)
    }
    try expect("[]", ["write", "call", "rest"])
    try expect(#"["gt", @order, 1]"#, ["write", "rest"])
    try expect(#"["not", ["eq", @title, "Write"]]"#, ["call", "rest"])
    try expect(#"["in", @order, [1, 3, 7]]"#, ["call", "rest"])
    try expect(#"["in", "later", @tags]"#, ["call"])
    try expect(#"["eq", @list, {"$type": "ref", "$recordType": "list", "$recordID": "work"}]"#, ["write"])
    try expect(#"["eq", @list.title, "Work"]"#, ["write"])
    try expect(#"["like", @title, "W%"]"#, ["write"])
    try expect(#"["like", @title, "C%"]"#, [])
    try expect(#"["ilike", @title, "C_l%"]"#, ["call"])
    try expect(#"["eq", @title, null]"#, ["rest"])
    try expect(#"["eq", @_owner_id, "alice"]"#, ["write", "call", "rest"])
    let sorted = try query(
      #"""
      {"record_type": "todo", "sort": [[@order, "desc"]], "include": {"parentRecord": @list}, "limit": 2, "offset": 1, "count": true}
      """#)
    let page = try store.page(sorted.query)
    #expect(page.objects.map(\.id.name) == ["write", "call"] && page.totalCount == 3)
    #expect(sorted.wantsTotalCount)
    #expect(
      page.objects.map { $0.included("parentRecord", as: Record.self)?.id.name } == ["work", nil])
  }
}
