import Foundation
import Observation
import Satchel
import Testing

/// A table that counts its rows as a real one does, and refuses what does not add up.
@MainActor
final class CountingTable: TableView {
  weak var source: ConversationList?
  private(set) var rows: [Int] = []
  private(set) var reloaded: [IndexPath] = []
  private var isUpdating = false

  private var rowsOfSource: [Int] {
    guard let source else { return [] }
    return (0..<source.numberOfSections).map(source.numberOfRows)
  }

  func reloadData() { rows = rowsOfSource }

  func beginUpdates() {
    #expect(rows == rowsOfSource)
    isUpdating = true
  }

  func insertSections(_ sections: IndexSet) { for section in sections { rows.insert(0, at: section) } }
  func deleteSections(_ sections: IndexSet) {
    for section in sections.reversed() { rows.remove(at: section) }
  }
  func insertRows(at indexPaths: [IndexPath]) { for path in indexPaths { rows[path[0]] += 1 } }
  func deleteRows(at indexPaths: [IndexPath]) { for path in indexPaths { rows[path[0]] -= 1 } }
  func reloadRows(at indexPaths: [IndexPath]) { reloaded += indexPaths }

  func endUpdates() {
    #expect(isUpdating)
    #expect(rows == rowsOfSource)
    isUpdating = false
  }
}

actor Archivist {
  var texts: [Int] = []
  func note(_ conversations: [Conversation]) { texts.append(conversations.count) }
  /// Read by the actor: the thread sanitizer sees no order between giving up a copy of an array and changing the array
  /// in place.
  var last: Int? { texts.last }
}

/// What the article draws on.
@MainActor
final class Screen {
  private(set) var drawn: [[Conversation.ID]] = []
  private(set) var requests = 0
  private(set) var numbers: [Int] = []
  func draw(_ conversations: [Conversation]) { drawn.append(conversations.map(\.id)) }
  func needsDisplay() { requests += 1 }
  func show(_ number: Int) { numbers.append(number) }
}

/// The code of the article "Watching a query".
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct WatchingAQueryGuide {
  let chats: GuideStore
  let store: MessageStore
  let lunch: Conversation.ID = "lunch"

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", metadata: ["title": "Lunch", "color": "red"], messages: 60)
  }

  @Test func executing() async throws {
    let controller = store.controller(
      for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25))
    try await controller.execute()
    for conversation in controller.objects {
      print(conversation.metadata["title"] ?? "untitled", conversation.unreadCount)
    }
    #expect(controller.objects.map(\.unreadCount) == [60])
  }

  @Test func tableView() async throws {
    let table = CountingTable()
    let list = ConversationList(store, in: table)
    table.source = list
    try await list.load()
    #expect(table.rows == [1])
    try chats.chat("other", with: ["carol"], messages: 1)
    await eventually("two rows") { table.rows == [2] }
    try chats.receive("x", in: "other", from: "carol", at: 99)
    await eventually("the other is first") {
      list.conversation(at: IndexPath(indexes: [0, 0]))?.id == "other"
    }
    try chats.write { _ = try $0.markAsRead(lunch) }
    await eventually("lunch is read") { table.reloaded == [IndexPath(indexes: [0, 1])] }
    try chats.write { try $0.delete(lunch) }
    await eventually("one row") { table.rows == [1] }
  }

  @Test func changeSets() async throws {
    let controller = store.controller(for: Conversation.order { $0.createdAt })
    try await controller.execute()
    let archivist = Archivist()
    let observation = controller.observe(on: archivist) { archivist, set in
      archivist.note(set.after.objects)
    }
    let screen = Screen()
    let changes = controller.changes
    let loop = Task {
      await follow(changes) { rows, redrawn in
        await screen.show(rows.count * 10 + redrawn.count)
      }
    }
    try chats.chat("other", messages: 1)
    await eventually("the loop shows two") { screen.numbers.last == 20 }
    try chats.receive("x", in: "other", at: 99)
    await eventually("the loop redraws one") { screen.numbers.last == 21 }
    while await archivist.last != 2 { await Task.yield() }
    loop.cancel()
    observation.cancel()
    await loop.value
  }

  @Test func observation() async throws {
    let screen = Screen()
    let conversations = store.results(of: Conversation.order { $0.lastMessage.receivedAt.descending })
    withObservationTracking {
      screen.draw(conversations.objects)
    } onChange: {
      Task { @MainActor in screen.needsDisplay() }
    }
    await eventually("it has loaded") { screen.requests == 1 }
    screen.draw(conversations.objects)
    #expect(screen.drawn == [[], ["lunch"]])
  }

  @Test func windows() async throws {
    let firstUnread: Message.ID = "lunch-30"
    let messages = store.controller(
      for: Message.filter { $0.conversation == lunch }.order { $0.position }, window: .tail(50))
    try await messages.execute()
    if messages.hasMoreBefore {
      try await messages.loadPrevious(50)
    }
    try await messages.loadAround(firstUnread, before: 10, after: 40)
    #expect(messages.count == 41)
    #expect(messages.indexPath(for: firstUnread)?.last == 10)
    #expect(messages.totalNumberOfObjects == 60)
    #expect((messages.rowsBefore, messages.rowsAfter) == (19, 0))
    let yesterday = GuideStore.date(20)
    try await messages.loadAround(yesterday, before: 10, after: 40)
    #expect(messages.objects[10].sentAt == yesterday)
    try await messages.setWindow(.tail(50))
    #expect(messages.rowsBefore == 10)
    let byColor = store.controller(
      for: Conversation.order { ($0.metadata.color, $0.createdAt) }, sectionKey: "metadata.color")
    try await byColor.execute()
    for section in byColor.list.sections {
      print(section.value, byColor.list[section.indices].map(\.id))
    }
    #expect(byColor.list.sections.map(\.value) == [.text("red")])
    let quiet = store.controller(
      for: Message.filter { $0.conversation == lunch }.order { $0.position }, window: .tail(50),
      updatableProperties: ["recipientStatus", "isUnread", "conversation.metadata.title"])
    try await quiet.execute()
    #expect(quiet.count == 50)
    let people = store.controller(
      for: Message.filter { $0.conversation == lunch }.order { $0.position }.including(\.sender),
      window: .tail(50))
    try await people.execute()
    for message in people.list {
      print(message.included(\.sender)?.avatarURL ?? "no picture", message.preview ?? "")
    }
    try await store.write { try $0.put(Identity(userID: "bob", displayName: "Bob")) }
    try await people.execute()
    #expect(people.list.allSatisfy { $0.included(\.sender)?.displayName == "Bob" })
  }

  @Test func costs() throws {
    let plan = try store.explain(Message.filter { $0.conversation == lunch }.order { $0.position })
    let path = plan.paths[plan.chosen]
    print(path.index, path.residual.isEmpty, path.order)
    #expect(path.residual.isEmpty)
    #expect(path.order.hasPrefix("in index order"))
    let held = try store.explain(Message.order { $0.metadata.rank })
    #expect(held.paths.allSatisfy { !$0.residual.isEmpty || $0.order == "sorted" })
  }

  @Test func counts() async throws {
    let badge = Screen()
    let unread = try await store.liveCount(of: Message.filter { $0.isUnread && $0.sender.userID != "alice" })
    badge.show(unread.value)
    let following = Task {
      for await number in unread.values { badge.show(number) }
    }
    try chats.write { _ = try $0.markAsRead(lunch) }
    await eventually("none is unread") { badge.numbers.last == 0 }
    #expect(badge.numbers.first == 60)
    following.cancel()
    await following.value
  }

  @Test func oneObject() async throws {
    let done = Task {
      let observer = try await store.observe(lunch)
      for await change in observer.changes {
        switch change {
        case .created(let conversation): print("there is", conversation.id)
        case .updated(let old, let new): print(old.messageCount, "messages, now", new.messageCount)
        case .deleted(let last): print(last.id, "is gone, or its user has left it")
        }
      }
      return true
    }
    await Task.yield()
    try chats.receive("x", in: lunch, at: 99)
    try chats.write { try $0.delete(lunch) }
    let left = try await store.liveCount(of: Message.filter { $0.conversation == lunch })
    await eventually("live queries have taken in the deletion") { left.value == 0 }
    store.close()
    #expect(try await done.value)
  }
}
