import Foundation
import Satchel
import Testing

/// Layer's lessons about what a change behind a relation does to a list.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct LayerRelationTests {
  let chats: ChatStore

  init() throws { chats = try ChatStore() }

  @Test("Layer 0.9.3: a change of the sort key behind a relation is a move")
  func sortKeyBehindARelation() async throws {
    for (place, id) in ["a", "b", "c"].enumerated() {
      try chats.chat(Conversation.ID(id))
      try chats.receive("hello", in: Conversation.ID(id), at: place)
    }
    let controller = chats.store.controller(for: Conversation.order { $0.lastMessage.receivedAt.descending })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    #expect(table.ids == ["c", "b", "a"])
    try chats.receive("again", in: "a", at: 9)
    await eventually("a is first") { table.ids == ["a", "c", "b"] }
    #expect(table.changes == [.init(type: .move, id: "a", at: [0, 2], to: [0, 0])])
  }

  @Test("Layer 0.20.0: another last message is an update of its conversation")
  func lastMessage() async throws {
    try chats.chat("a", messages: 1)
    let controller = chats.store.controller(for: Conversation.order { $0.createdAt })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    let new = try chats.receive("new", in: "a", at: 2)
    await eventually("the new message shows") { table.sections[0].first?.lastMessage?.id == new }
    try chats.write { try $0.markAsRead(new) }
    await eventually("it has been read") { table.sections[0].first?.lastMessage?.isUnread == false }
    try chats.write { try $0.delete(new) }
    await eventually("the old one shows") { table.sections[0].first?.lastMessage?.id == "a-1" }
    #expect(table.changes == Array(repeating: .init(type: .update, id: "a", at: [0, 0], to: nil), count: 3))
  }

  @Test("Layer 0.9.1, 0.7.9: a conversation comes with its last message, in results and in notifications")
  func lastMessageIsThere() async throws {
    try chats.chat("a", messages: 2)
    let controller = chats.store.controller(for: Conversation.order { $0.lastMessage.receivedAt.descending })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    var told: [Message.ID?] = []
    table.onChange = { controller, change in
      told.append(change.to.flatMap { controller.list.object(at: IndexPath(indexes: $0))?.lastMessage?.id })
    }
    #expect(controller.objects.map { $0.lastMessage?.id } == ["a-2"])
    try chats.chat("b", messages: 3)
    await eventually("b has come") { table.ids == ["b", "a"] }
    #expect(told == ["b-3"])
  }

  @Test("Layer 0.9.6: what is set with a conversation comes with it, not before and not as an update")
  func creationIsOneChange() async throws {
    let controller = chats.store.controller(for: Conversation.all)
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "a")
      try transaction.setMetadata("Lunch", at: "title", of: .conversation("a"))
      try transaction.send([.text("Noon?")], to: "a")
      try transaction.addParticipants(["carol"], to: "a")
    }
    await eventually("a has come") { table.ids == ["a"] }
    #expect(table.changes == [.init(type: .insert, id: "a", at: nil, to: [0, 0])])
    #expect(table.sections[0][0].metadata["title"] == "Lunch")
    #expect(table.sections[0][0].participants == ["alice", "bob", "carol"])
  }

  @Test(
    "Layer 0.12.0, 0.8.7, 0.8.5: user ids are opaque",
    arguments: [
      "with/slash", "123456789012345678901234567890", "00042", "é", "e\u{301}", "a b", "nil", "🙂",
    ])
  func userIDs(_ user: String) async throws {
    let friend = Identity.ID(user)
    let controller = chats.store.controller(for: Conversation.filter { $0.participants.contains(friend) })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    try chats.chat("mine", with: [friend], messages: 1)
    try chats.chat("other", with: ["bob"], messages: 1)
    await eventually("the conversation shows") { table.ids == ["mine"] }
    try chats.write { try $0.removeParticipants([friend], from: "mine") }
    await eventually("0.9.6: without the user it does not") { table.ids.isEmpty }
    try chats.write { try $0.addParticipants([friend], to: "other") }
    await eventually("the other one does") { table.ids == ["other"] }
    #expect(table.changes.map(\.type) == [.insert, .delete, .insert])
  }

  @Test("Layer 0.9.1: unread flags follow the messages; 0.9.5: deleted messages do not count")
  func unreadFlags() async throws {
    try chats.chat("a", messages: 2)
    let unread = chats.store.controller(for: Conversation.filter { $0.hasUnreadMessages })
    let table = ModelTable<Conversation>()
    try await table.show(unread)
    let count = try await chats.store.liveCount(of: Message.filter { $0.isUnread })
    #expect(count.value == 2)
    try chats.write { try $0.markAsRead(["a-1"]) }
    await eventually("one is unread") { count.value == 1 && table.sections[0].first?.unreadCount == 1 }
    try chats.write { try $0.delete("a-2" as Message.ID) }
    await eventually("none is") { count.value == 0 && table.ids.isEmpty }
    try chats.receive("new", in: "a", at: 3)
    await eventually("the new one is") { count.value == 1 && table.ids == ["a"] }
    try chats.write { try $0.delete("a" as Conversation.ID) }
    await eventually("the conversation is gone") { count.value == 0 && table.ids.isEmpty }
  }

  @Test("Layer 0.20.3: totals are as new as the rows")
  func totals() async throws {
    try chats.chat("a", messages: 10)
    let controller = chats.store.controller(for: Message.filter { $0.conversation == "a" }, window: .first(2))
    let table = ModelTable<Message>()
    try await table.show(controller)
    #expect(controller.totalNumberOfObjects == 10)
    try chats.write { try $0.delete("a-9" as Message.ID) }
    await eventually("one less") { controller.totalNumberOfObjects == 9 }
    #expect(table.sets.map(\.totalNumberOfObjects) == [9])
    #expect(table.changes.isEmpty)
  }
}
