import Satchel
import SatchelScenes
import Testing

/// The samples of Stream's page "Channels State and Filtering". A channel is a conversation here, its members are participants, and its
/// type, state and extra data are values of the conversation's metadata, with which nothing has to be tested in a closure.
@Suite struct StreamChannelTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      let channels: [(id: Conversation.ID, users: [Identity.ID], metadata: Metadata)] = [
        ("la", ["bob"], ["type": "messaging", "state": "LA", "custom_score": ["value": 7]]),
        ("ny", ["bob", "carol"], ["type": "messaging", "state": "NY", "custom_score": ["value": 12.5]]),
        ("show", ["carol"], ["type": "livestream", "state": "LA", "myCustomBooleanKey": true]),
        ("mine", ["dave"], ["type": "messaging", "myCustomBooleanKey": true]),
        ("not", ["dave"], ["type": "messaging", "myCustomBooleanKey": false]),
      ]
      for (number, channel) in channels.enumerated() {
        try tx.createConversation(
          with: channel.users, id: channel.id, createdAt: date(Double(10 - number)),
          metadata: channel.metadata)
        try tx.receive([.text("hello")], in: channel.id, from: channel.users[0])
      }
      // A channel of which alice is not a member.
      try tx.createConversation(with: ["eve"], id: "other", metadata: ["type": "messaging"])
      try tx.receive([.text("hello")], in: "other", from: "eve")
      try tx.removeParticipants(["alice"], from: "other")
    }
  }

  /// `.containMembers(userIds: [currentUserId])` and `channel.membership != nil`: true for every conversation that a query can return.
  @Test func channelsOfTheCurrentUser() throws {
    let user = store.user
    try store.answers(
      [
        Conversation.filter { $0.participants.contains(user) },
        Conversation.filter { $0.participants.containsAll([user]) }, Conversation.all,
        Query(format: "participants CONTAINS %@", user), Query(format: "%@ IN participants", user),
      ], ["la", "ny", "show", "mine", "not"])
    try store.answers(
      [
        Conversation.filter { $0.participants.containsAll([user, "carol"]) },
        Query(format: "participants CONTAINS %@", [user, "carol"]),
      ], ["ny", "show"])
  }

  @Test func builtInAndCustomFields() throws {
    try store.answers(
      [
        Conversation.filter { $0.metadata.type == "messaging" },
        Query(format: "metadata.type = %@", "messaging"),
      ], ["la", "ny", "mine", "not"])
    try store.answers(
      [Conversation.filter { $0.metadata.state == "LA" }, Query(format: "metadata.state = 'LA'")],
      ["la", "show"])
  }

  /// `.and`, `.or` and `.nor` of two filters.
  @Test func compoundFilters() throws {
    let type = try QueryPredicate(format: "metadata.type = 'messaging'")
    let state = try QueryPredicate(format: "metadata.state = 'LA'")
    try store.answers(
      [
        Conversation.filter { $0.metadata.type == "messaging" && $0.metadata.state == "LA" },
        Conversation.all.filter(.and([type, state])),
        Query(format: "metadata.type = %@ AND metadata.state = %@", "messaging", "LA"),
      ], ["la"])
    try store.answers(
      [
        Conversation.filter { $0.metadata.type == "livestream" || $0.metadata.state == "NY" },
        Query(format: "metadata.type = %@ OR metadata.state = %@", "livestream", "NY"),
      ], ["ny", "show"])
    try store.answers(
      [
        Conversation.filter { !($0.metadata.type == "livestream" || $0.metadata.state == "LA") },
        Query(format: "NOT (metadata.type = %@ OR metadata.state = %@)", "livestream", "LA"),
      ], ["ny", "mine", "not"])
  }

  /// By default Stream sorts by `updated_at`, the latest first.
  @Test func defaultOrder() throws {
    try store.answers(
      [
        Conversation.order { $0.updatedAt.descending }, try Conversation.order([SortKey("-updatedAt")]),
      ], ["la", "ny", "show", "mine", "not"])
  }

  /// `Sorting(key: .custom(…, key: "custom_score.value"), isAscending: false)`: channels without a score are the last ones. Among them
  /// the order of creation decides, in the direction of the key.
  @Test func customOrder() throws {
    try store.answers(
      [
        Conversation.order { $0.metadata.custom_score.value.number.descending },
        Conversation.order { $0.metadata["custom_score.value"].descending },
        try Conversation.order(SortKey.keys("-metadata.custom_score.value")),
      ], ["ny", "la", "not", "mine", "show"])
  }

  /// What the page tests in a closure, because the SDK cannot ask for extra data, is a condition like the others.
  @Test func extraData() throws {
    let user = store.user
    let query = Conversation.filter {
      $0.participants.contains(user) && $0.metadata.type == "messaging"
        && $0.metadata.myCustomBooleanKey.boolean == true
    }
    try store.answers(
      [
        query,
        Conversation.filter {
          $0.participants.contains(user) && $0.metadata.type == "messaging"
            && $0.metadata.myCustomBooleanKey.boolean
        },
        Query(
          format: "participants CONTAINS %@ AND metadata.type = %@ AND metadata.myCustomBooleanKey = %@",
          user,
          "messaging", true),
        Query(
          format: "'alice' IN participants AND metadata.type = 'messaging' AND metadata.myCustomBooleanKey"),
      ], ["mine"])
    let controller = store.controller(for: query)
    try controller.execute()
    #expect(controller.objects.map(\.id) == ["mine"])
    // A closure of the program's own is possible as well.
    let filtered = store.controller(for: Conversation.all) { $0.metadata["state"] == "LA" }
    try filtered.execute()
    #expect(filtered.objects.map(\.id) == ["la", "show"])
  }

  /// ChannelController, ChannelMemberListController and ChannelMemberController: a conversation, its members, one of them.
  @Test func channelsAndMembers() throws {
    #expect(try store.conversation("ny")?.participantCount == 3)
    try store.answers(
      [Message.filter { $0.conversation == "ny" }, Query(format: "conversation = 'ny'")],
      try store.identifiers(Message.all).filter { try store.message($0)?.conversation == "ny" })
    let members = Identity.members(of: "ny").order { $0.userID }
    try store.answers([members], ["alice", "bob", "carol"])
    try store.answers(
      [
        members.filter { $0.userID == "carol" },
        members.filter(try QueryPredicate(format: "userID = %@", "carol")),
      ], ["carol"])
  }
}
