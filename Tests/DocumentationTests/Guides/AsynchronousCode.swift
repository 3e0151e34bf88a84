import Foundation
import Satchel
import Testing

/// The code of the article "Asynchronous code".
@Suite struct AsynchronousCodeGuide {
  let chats: GuideStore
  var store: MessageStore { chats.store }

  init() throws {
    chats = try GuideStore()
    try chats.chat("lunch", metadata: ["title": "Lunch"], messages: 12)
  }

  @Test func fromSynchronousToAsynchronous() async throws {
    let before = try store.synchronously { try summary(of: $0) }
    #expect(before == "15 bytes, 12 unread, 12 of them read now")
    #expect(try await summary(of: store) == "15 bytes, 0 unread, 0 of them read now")
  }

  @Test @MainActor func onTheMainActor() async throws {
    try chats.receive("Is it lunch time?", in: "lunch", at: 13)
    let inbox = Inbox(store)
    try await inbox.load()
    #expect(inbox.title(of: 0) == "Lunch")
    #expect(inbox.unread?.value == 1)
  }

  @Test func synchronouslyOnAnActor() async throws {
    #expect(try await Outbox().add("Noon?", to: "lunch", of: store) == 1)
  }

  @Test func opening() async throws {
    store.close()
    #expect(try await open(chats.directory).count(Message.all) == 12)
  }

  @Test func whatStandsBeforeAndBehind() async throws {
    #expect(try await needsReminder(false, store))
    let isAtDesk = try await needsReminder(true, store)
    #expect(!isAtDesk)
    var shown: [Message.ID] = []
    try await show(store) { shown.append($0.id) }
    #expect(shown.count == 12)
  }

  func needsReminder(_ isAtDesk: Bool, _ store: MessageStore) async throws -> Bool {
    let hasUnread = try await store.hasAny(Message.filter { $0.isUnread })
    return !isAtDesk && hasUnread
  }

  func show(_ store: MessageStore, _ body: (Message) -> Void) async throws {
    var found: [Message] = []
    try await store.forEach(Message.filter { $0.isUnread }) { found.append($0) }
    found.forEach(body)
  }

  func summary(of store: MessageStore) throws -> String {
    var bytes = 0
    try store.forEachRecord(of: Message.all.unordered()) { bytes += try $0.textSize ?? 0 }
    let unread = try store.count(Message.filter { $0.isUnread })
    let read = try store.write { transaction in try transaction.markAsRead("lunch" as Conversation.ID) }
    return "\(bytes) bytes, \(unread) unread, \(read) of them read now"
  }

  func summary(of store: MessageStore) async throws -> String {
    var bytes = 0
    try await store.forEachRecord(of: Message.all.unordered()) { bytes += try $0.textSize ?? 0 }
    let unread = try await store.count(Message.filter { $0.isUnread })
    let read = try await store.write { transaction in try transaction.markAsRead("lunch" as Conversation.ID) }
    return "\(bytes) bytes, \(unread) unread, \(read) of them read now"
  }

  func open(_ directory: URL) async throws -> MessageStore {
    try await Task.detached { try MessageStore(at: directory, user: "alice") }.value
  }
}

@MainActor
final class Inbox {
  private let store: MessageStore
  private let list: QueryController<Conversation>
  private(set) var unread: LiveCount<Message>?

  init(_ store: MessageStore) {
    self.store = store
    list = store.controller(
      for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25))
  }

  func load() async throws {
    try await list.execute()
    unread = try await store.liveCount(of: Message.filter { $0.parts.any { $0.text.contains("lunch") } })
  }

  func title(of row: Int) -> String { list.objects[row].metadata["title"] ?? "untitled" }
}

actor Outbox {
  private var waiting: [Message.ID] = []

  func add(_ text: String, to conversation: Conversation.ID, of store: MessageStore) async throws -> Int {
    let message = try store.synchronously { store in
      try store.write { try $0.send([.text(text)], to: conversation) }
    }
    waiting.append(message)
    return try await store.count(Message.filter { !$0.isSent })
  }
}
