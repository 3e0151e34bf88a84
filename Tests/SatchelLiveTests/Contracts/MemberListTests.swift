import Foundation
import Satchel
import Testing

/// Lists of a conversation's members: who joins is inserted, who leaves is deleted, whose identity changes is updated.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct MemberListTests {
  let chats: ChatStore
  private let members = Identity.members(of: "a").order { ($0.displayName, $0.userID) }

  init() throws {
    chats = try ChatStore()
    try chats.write { tx in
      for user in ["bob", "carol", "dave"] {
        try tx.put(Identity(userID: Identity.ID(user), displayName: user))
      }
    }
    try chats.chat("b", with: ["carol"], messages: 1)
  }

  /// What a write does to the list, in words.
  private func changes(
    of controller: QueryController<Identity>, _ table: ModelTable<Identity>,
    after write: (WriteTransaction) throws -> Void
  ) async throws -> Set<String> {
    let told = table.changes.count
    try chats.write(write)
    try await chats.settled()
    try await controller.execute()
    #expect(controller.list.objects == (try chats.fetch(members)))
    return Set(table.changes.dropFirst(told).map { "\($0.type) \($0.id)" })
  }

  @Test func joinedLeftChanged() async throws {
    let controller = chats.store.controller(for: members)
    let table = ModelTable<Identity>()
    try await table.show(controller)
    #expect(controller.list.isEmpty)
    // The conversation is made while the list waits for it, without a message.
    #expect(
      try await changes(of: controller, table) { try $0.createConversation(with: ["bob", "x"], id: "a") }
        == ["insert alice", "insert bob", "insert x"])
    #expect(
      try await changes(of: controller, table) { tx in
        try tx.addParticipants(["carol"], to: "a")
        try tx.removeParticipants(["bob"], from: "a")
        try tx.receive([.text("1")], in: "a", from: "carol", position: 1)
      } == ["insert carol", "delete bob"])
    // Who is no member, and what is said, is no change.
    #expect(
      try await changes(of: controller, table) { tx in
        try tx.put(Identity(userID: "dave", displayName: "David"))
        try tx.receive([.text("2")], in: "a", from: "carol", position: 2)
        try tx.addParticipants(["dave"], to: "b")
      } == [])
    #expect(
      try await changes(of: controller, table) {
        try $0.put(Identity(userID: "carol", displayName: "c", avatarURL: "x:1"))
      }
        == ["update carol"])
    // One who had no identity gets one, and another place with it.
    #expect(
      try await changes(of: controller, table) { try $0.put(Identity(userID: "alice", displayName: "z")) }
        == ["move alice"])
    #expect(
      try await changes(of: controller, table) { try $0.leave("a") } == [
        "delete alice", "delete carol", "delete x",
      ])
  }

  @Test func ofOtherKinds() async throws {
    try chats.chat("a", with: ["bob", "x"], messages: 1)
    let count = try await chats.store.liveCount(of: members.filter { $0.displayName != nil })
    let virtual = try await chats.store.virtualList(of: members)
    let sections = chats.store.controller(
      for: members, window: .around("bob", before: 1, after: 1), sectionKey: "displayName")
    try await sections.execute()
    #expect(count.value == 1 && virtual.total == 3)
    #expect(sections.list.map(\.id) == ["x", "bob"])
    try chats.write { tx in
      try tx.addParticipants(["carol", "dave"], to: "a")
      try tx.put(Identity(userID: "x", displayName: "aaron"))
    }
    try await chats.settled()
    #expect(count.value == 4)
    #expect(sections.list.map(\.id) == ["x", "bob", "carol"])
    let change = try #require(virtual.take())
    #expect(
      change.difference.inserts.count == 2
        && change.difference.updates.count + change.difference.moves.count == 1)
    #expect(
      try await virtual.objects(at: 0..<5).compactMap { $0?.id } == ["alice", "x", "bob", "carol", "dave"])
    try chats.write { try $0.delete(Conversation.ID("a")) }
    try await chats.settled()
    #expect(count.value == 0 && sections.list.isEmpty)
  }
}
