import Foundation
import Satchel
import Testing

/// The code of the article "Start here".
@Suite struct GettingStartedGuide {
  @Test func fromTheFirstLineToTheLast() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "satchel-start-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try MessageStore(at: directory, user: "alice")
    let lunch = try store.write { transaction in
      let lunch = try transaction.conversation(with: ["bob"], metadata: ["title": "Lunch"])
      try transaction.send([.text("Noon?")], to: lunch.id)
      try transaction.receive([.text("Sure, see you there.")], in: lunch.id, from: "bob", position: 1)
      return lunch.id
    }
    let latest = Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20)
    for message in try store.fetch(latest) {
      print(message.sender, message.text ?? "")
    }
    let unread = try store.count(Message.filter { $0.isUnread })
    #expect(try store.fetch(latest).map(\.text) == ["Noon?", "Sure, see you there."])
    #expect(unread == 1)
    let noon = try store.message("noon")
    let conversation = try store.conversation(lunch)
    #expect(noon == nil && conversation?.messageCount == 2)
    let (titles, total) = try store.read { snapshot in
      let list = Conversation.order { $0.lastMessage.receivedAt.descending }.limit(25)
      let titles = try snapshot.fetch(list).map { $0.metadata["title"] ?? "untitled" }
      return (titles, try snapshot.totalCount(list))
    }
    #expect(titles == ["Lunch"])
    #expect(total == 1)
    try store.write { transaction in try transaction.markAsRead(lunch) }
    #expect(try store.count(Message.filter { $0.isUnread }) == 0)
    store.close()
    #expect(throws: SatchelError.self) { try store.count(Message.all) }
  }

  @Test func asynchronously() async throws {
    let chats = try GuideStore()
    try chats.chat("lunch", messages: 3)
    #expect(try await unreadCount(of: chats.store) == 3)
    try await read(chats.store, "lunch")
    #expect(try await unreadCount(of: chats.store) == 0)
  }

  func unreadCount(of store: MessageStore) async throws -> Int {
    try await store.count(Message.filter { $0.isUnread })
  }

  func read(_ store: MessageStore, _ conversation: Conversation.ID) async throws {
    try await store.write { transaction in _ = try transaction.markAsRead(conversation) }
  }
}
