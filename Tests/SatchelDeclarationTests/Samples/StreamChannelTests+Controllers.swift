import Foundation
import Satchel
import SatchelDialects
import SatchelResponses
import Testing

/// The samples of the page's controllers, in its order: what `synchronize` loads, what a delegate is told, and what the closures find that
/// the SDK needs for extra data.
///
/// Not here, because a store has none of it: who is typing.
extension StreamChannelTests {
  private static let compound: Filter<ChannelListFilterScope> = .and([
    .containMembers(userIds: ["alice"]), .equal(.type, to: .messaging),
    .equal("myCustomBooleanKey", to: true),
  ])

  /// What a program gives the SDK besides, which evaluates the whole filter once more.
  @Sendable private static func isInList(_ channel: Conversation) -> Bool {
    channel.participants.contains("alice") && channel.metadata["type"] == "messaging"
      && channel.metadata.value(at: "myCustomBooleanKey")?.booleanValue == true
  }

  private func createChannel(_ id: Conversation.ID, _ metadata: Metadata, in tx: WriteTransaction) throws {
    try tx.createConversation(with: ["dave"], id: id, metadata: metadata)
    try tx.receive([.text("hello")], in: id, from: "dave")
  }

  /// The page's first sample: 1. the query, 2. the controller with its closure, 3. the delegate, 4. `synchronize`. Channels that start to match
  /// are linked, those that stop to are unlinked.
  @MainActor @Test func aListWithItsDelegate() async throws {
    let query = ChannelListQuery(filter: .containMembers(userIds: [store.user]))
    let controller = store.controller(for: try query.query()) { $0.participants.contains("alice") }
    let delegate = ListDelegate<Conversation>()
    controller.delegate = delegate
    try await controller.execute()
    #expect(Set(controller.objects.map(\.id)) == ["la", "ny", "show", "mine", "not"])
    #expect(controller.totalNumberOfObjects == 5 && delegate.told.isEmpty)
    try await store.write { tx in
      try createChannel("new", [:], in: tx)
      try tx.removeParticipants(["alice"], from: "la")
      try tx.addParticipants(["alice"], to: "other")
    }
    // Returns when the delegate has been told.
    try await controller.execute()
    #expect(delegate.told == ["delete la", "insert new", "insert other"])
    #expect(delegate.shown == controller.objects.map(\.id.rawValue))
  }

  /// "An integrator should make sure to keep a strong reference to the delegate."
  @MainActor @Test func theDelegateIsNotKept() async throws {
    let controller = store.controller(for: Conversation.all)
    var delegate: ListDelegate<Conversation>? = ListDelegate()
    controller.delegate = delegate
    try await controller.execute()
    #expect(controller.delegate === delegate)
    delegate = nil
    #expect(controller.delegate == nil)
  }

  /// `loadNextChannels`: at first only the first page is there.
  @Test func pages() async throws {
    let state = Sorting(key: ChannelListSortingKey.custom(key: "state"), isAscending: true)
    let query = ChannelListQuery(filter: .containMembers(userIds: [store.user]), sort: [state])
    let controller = store.controller(for: try query.query(), window: .first(2))
    try await controller.execute()
    #expect(controller.objects.map(\.id) == ["mine", "not"] && controller.hasMoreAfter)
    try await controller.loadNext(2)
    #expect(controller.objects.map(\.id) == ["mine", "not", "la", "show"])
  }

  /// `custom(keyPath: \.myCustomValue, key: "custom_score.value")`: the key is enough. The computed property gives the same order.
  @Test func customSorting() throws {
    let key = ChannelListSortingKey.custom(key: "custom_score.value")
    let sorting = Sorting(key: key, isAscending: false)
    let query = ChannelListQuery(filter: .containMembers(userIds: [store.user]), sort: [sorting])
    let channels = try store.fetch(query.query())
    #expect(channels.prefix(2).map(\.id) == ["ny", "la"])
    #expect(channels.map(\.myCustomValue) == [12.5, 7, 0, 0, 0])
  }

  /// "Whenever there is an event that a channel has been created, the SDK will only insert it in the channel list if it matches the query",
  /// by extra data too.
  @Test func createdChannelsAreInserted() async throws {
    let controller = store.controller(for: try ChannelListQuery(filter: Self.compound).query())
    try await controller.execute()
    #expect(controller.objects.map(\.id) == ["mine"])
    var sets = controller.changes.makeAsyncIterator()
    try await store.write { tx in
      try createChannel("yes", ["type": "messaging", "myCustomBooleanKey": true], in: tx)
      try createChannel("no", ["type": "messaging", "myCustomBooleanKey": false], in: tx)
      try createChannel("live", ["type": "livestream", "myCustomBooleanKey": true], in: tx)
    }
    let created = try #require(await sets.next())
    #expect(created.changes.map { "\($0.type) \($0.object.id)" } == ["insert yes"])
    // Extra data that changes links and unlinks channels in the same change set.
    try await store.write { tx in
      try tx.setMetadata(true, at: "myCustomBooleanKey", of: .conversation("not"))
      try tx.setMetadata(false, at: "myCustomBooleanKey", of: .conversation("mine"))
    }
    let changed = try #require(await sets.next())
    #expect(Set(changed.changes.map { "\($0.type) \($0.object.id)" }) == ["delete mine", "insert not"])
    #expect(Set(changed.after.map(\.id)) == ["yes", "not"])
  }

  /// "Filtering with extra data" and "Manual Filtering": a closure of all or a part of the filter finds what the filter finds, before and after
  /// a commit.
  @Test func closures() async throws {
    let partial = Filter<ChannelListFilterScope>.and([
      .containMembers(userIds: ["alice"]), .equal(.type, to: .messaging),
    ])
    let lists = [
      store.controller(for: Conversation.filter(try Self.compound.predicate())),
      store.controller(for: Conversation.filter(try partial.predicate())) {
        $0.metadata.value(at: "myCustomBooleanKey")?.booleanValue == true
      },
      store.controller(for: Conversation.all, where: Self.isInList),
    ]
    for list in lists { try await list.execute() }
    #expect(lists.map { $0.objects.map(\.id) } == [["mine"], ["mine"], ["mine"]])
    try await store.write { tx in
      try createChannel("yes", ["type": "messaging", "myCustomBooleanKey": true], in: tx)
      try tx.setMetadata("livestream", at: "type", of: .conversation("mine"))
      try tx.setMetadata(true, at: "myCustomBooleanKey", of: .conversation("not"))
    }
    for list in lists { try await list.execute() }
    #expect(lists.map { $0.objects.map(\.id) } == [["not", "yes"], ["not", "yes"], ["not", "yes"]])
  }

  /// ChatChannelControllerDelegate: `didUpdateChannel`, `didUpdateMessages` and `didReceiveMemberEvent`.
  @Test func oneChannel() async throws {
    let channel = try await store.observe("ny" as Conversation.ID)
    let messages = store.controller(
      for: Message.filter { $0.conversation == "ny" }.order { $0.position }, window: .tail(25),
      updatableProperties: ["editedAt", "parts.text"])
    let members = store.controller(for: Identity.members(of: "ny").order { $0.userID })
    try await messages.execute()
    try await members.execute()
    var channels = channel.changes.makeAsyncIterator()
    var lists = messages.changes.makeAsyncIterator()
    var events = members.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.setMetadata("Albany", at: "state", of: .conversation("ny"))
      try tx.send([.text("Who is there?")], to: "ny", id: "who")
      try tx.addParticipants(["eve"], to: "ny")
    }
    guard case .updated(let old, let new)? = await channels.next() else {
      Issue.record("no update")
      return
    }
    #expect(old.metadata["state"] == "NY" && new.metadata["state"] == "Albany" && new.messageCount == 2)
    let sent = try #require(await lists.next())
    #expect(sent.changes.map { "\($0.type) \($0.object.id)" } == ["insert who"])
    let joined = try #require(await events.next())
    #expect(joined.changes.map { "\($0.type) \($0.object.id)" } == ["insert eve"])
  }

  /// ChatChannelMemberListControllerDelegate `didChangeMembers`: who came, who left, who has another name.
  @MainActor @Test func aListOfMembers() async throws {
    let controller = store.controller(for: try ChannelMemberListQuery(cid: "ny").query())
    let delegate = ListDelegate<Identity>()
    controller.delegate = delegate
    try await controller.execute()
    #expect(Set(controller.objects.map(\.id)) == ["alice", "bob", "carol"])
    try await store.write { tx in
      try tx.removeParticipants(["bob"], from: "ny")
      try tx.addParticipants(["eve"], to: "ny")
      try tx.put(Identity(userID: "carol", displayName: "Carol"))
    }
    try await controller.execute()
    #expect(Set(delegate.told) == ["delete bob", "insert eve", "update carol"])
  }

  /// ChatChannelMemberControllerDelegate `didUpdateMember`: what a member is in the channel is a record, who it is an identity.
  @Test func oneMember() async throws {
    try await store.enable(.participations)
    try await store.write { try $0.put(Identity(userID: "carol")) }
    let id = Participation(conversation: "ny", user: "carol").id
    let member = try await store.observe(Record.ID(type: Participation.recordType.name, name: id))
    let user = try await store.observe("carol" as Identity.ID)
    var members = member.changes.makeAsyncIterator()
    var users = user.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.setRole("admin", of: "carol", in: "ny")
      try tx.put(Identity(userID: "carol", displayName: "Carol"))
    }
    guard case .created(let record)? = await members.next(), case .updated(_, let carol)? = await users.next()
    else {
      Issue.record("no change")
      return
    }
    #expect(try record.value(as: Participation.self).role == "admin" && carol.displayName == "Carol")
    try await store.write { try $0.setRole("member", of: "carol", in: "ny") }
    guard case .updated(_, let changed)? = await members.next() else {
      Issue.record("no update")
      return
    }
    #expect(try changed.value(as: Participation.self).role == "member")
  }
}

extension Conversation {
  /// The page's computed property.
  fileprivate var myCustomValue: Double { metadata.value(at: "custom_score.value")?.numberValue ?? 0 }
}

/// What a delegate is told of a list: of each change what it is and of which object, deletes first.
@MainActor
private final class ListDelegate<Object: StoredObject>: QueryControllerDelegate {
  private(set) var told: [String] = []
  /// The list after the last changes.
  private(set) var shown: [String] = []

  func controllerDidChangeContent(_ controller: QueryController<Object>, with changes: ChangeSet<Object>) {
    told += changes.changes.map { "\($0.type) \($0.object.id)" }.sorted()
    shown = changes.after.map { "\($0.id)" }
  }
}
