import Foundation
import Satchel
import Testing

/// A search index, as the article imagines one: texts by message.
private struct SearchIndex {
  var texts: [Message.ID: String] = [:]
  var rebuilds = 0

  mutating func apply(_ commit: StoreCommit, of store: MessageStore) throws {
    for change in commit.changes {
      guard case .message(let id) = change.object else { continue }
      if change.action == .deleted {
        texts[id] = nil
      } else {
        texts[id] = try store.message(id)?.text
      }
    }
  }

  mutating func rebuild(from store: MessageStore) throws {
    rebuilds += 1
    texts = [:]
    for message in try store.fetch(Message.all) { texts[message.id] = message.text }
  }
}

/// The code of the article "Following commits".
@Suite(.timeLimit(.minutes(2)))
struct FollowingCommitsGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", messages: 2)
  }

  @Test func reading() async throws {
    let isRead = Task { try await untilRead("lunch-2", in: store, after: store.read { $0.sequence }) }
    await Task.yield()
    try chats.write { try $0.update("lunch-1" as Message.ID) { $0.position = 7 } }
    try chats.write { try $0.markAsRead("lunch-2" as Message.ID) }
    #expect(try await isRead.value == .boolean(true))
  }

  func untilRead(
    _ message: Message.ID, in store: MessageStore, after sequence: UInt64
  ) async throws -> ChangedValue? {
    for try await commit in store.commits(after: sequence) {
      for change in commit.changes where change.object == .message(message) {
        if let isUnread = change["isUnread"], isUnread.after == .boolean(false) { return isUnread.before }
      }
    }
    return nil
  }

  @Test func waiting() async throws {
    let id: Message.ID = "notified"
    async let arrived = text(of: id)
    try chats.receive("Arrived", in: "lunch", id: id, at: 3)
    #expect(try await arrived == "Arrived")
  }

  func text(of id: Message.ID) async throws -> String? {
    var shown: String?
    func show(_ message: Message) { shown = message.text }
    if let message = try await store.message(id, waitingUpTo: .seconds(30)) { show(message) }
    return shown
  }

  @Test func changesSince() throws {
    let known = try store.read { $0.sequence }
    try store.write { try $0.send([.text("Late")], to: "lunch", id: "late") }
    for commit in try store.changes(since: known) {
      for change in commit.changes { print(commit.sequence, change.action, change.object) }
    }
    let commits = try store.changes(since: known)
    #expect(commits.map(\.sequence) == [known + 1])
    #expect(commits[0].isComplete)
    #expect(commits[0].changes.contains { $0.object == .message("late") && $0.action == .created })
    let conversation = try #require(commits[0].changes.first { $0.object == .conversation("lunch") })
    #expect(conversation["messageCount"]?.before == .number(2))
    #expect(conversation["messageCount"]?.after == .number(3))
  }

  @Test func consuming() async throws {
    var index = SearchIndex()
    let consumer = try await store.consumer(named: "search")
    try chats.receive("Indexed", in: "lunch", id: "new", at: 3)
    let last = try store.synchronously { try $0.read { $0.sequence } }
    let reader = try await store.consumer(named: "search")
    for try await event in reader {
      switch event {
      case .commit(let commit): try index.apply(commit, of: store)
      case .snapshot: try index.rebuild(from: store)
      }
      try await reader.acknowledge(event.sequence)
      if event.sequence >= last { break }
    }
    #expect(index.texts == ["new": "Indexed"])
    #expect(index.rebuilds == 0)
    #expect(try consumer.acknowledged >= last)
    #expect(try await store.consumers().map(\.name) == ["search"])
    try await reader.unregister()
    #expect(try await store.consumers().isEmpty)
  }

  @Test func acknowledgingInAWrite() throws {
    let consumer = try store.consumer(named: "unread per sender")
    try chats.receive("One", in: "lunch", at: 3)
    let handled = try store.read { $0.sequence }
    try store.write { transaction in
      try transaction.setMetadata("3", at: "unread.bob", of: .conversation("lunch"))
      try transaction.acknowledge(handled, consumer: "unread per sender")
    }
    #expect(try consumer.acknowledged == handled)
  }

  @Test func logTrimmed() async throws {
    let future = store.commits(after: 1_000_000)
    let error = await #expect(throws: SatchelError.self) {
      for try await _ in future {}
    }
    #expect(error?.code == .invalidValue)
  }
}
