import Foundation
import Satchel
import Testing

/// The issues of Stream's chat client about its observers: locks, stale items, and changes of related objects.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct StreamObserverTests {
  let chats: ChatStore
  let messages: Query<Message>

  init() throws {
    chats = try ChatStore()
    messages = Message.filter { $0.conversation == "a" }.order { $0.position }
  }

  @Test(
    "Stream 2252, 2687, 2245, 2708, 796: reading lists on several threads while they change locks nobody out")
  func readingOnManyThreads() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    let count = try await chats.store.liveCount(of: messages)
    let observer = try await chats.store.observe("a" as Conversation.ID)
    let chats = chats
    let readers = (0..<3).map { _ in
      Task.detached {
        var unfit = 0
        while count.value < 63 {
          let list = controller.list
          if let last = list.last, list.indexPath(for: last.id)?.last != list.count - 1 { unfit += 1 }
          if (observer.object?.messageCount ?? 0) < 3 { unfit += 1 }
          await Task.yield()
        }
        return unfit
      }
    }
    let writer = Task.detached { for number in 4...63 { try chats.receive("x", in: "a", at: number) } }
    // The main thread reads, too, and so is in everybody's way.
    while count.value < 63 {
      _ = controller.objects
      await Task.yield()
    }
    try await writer.value
    for reader in readers { #expect(await reader.value == 0) }
    await eventually("all show") { table.ids.count == 63 }
  }

  @Test("Stream 3042, 3373, 3305: when execute returns, the list shows what was written before")
  func freshWhenExecuted() async throws {
    try chats.chat("a")
    for number in 1...50 {
      let controller = chats.store.controller(for: messages)
      try chats.receive("\(number)", in: "a", at: number)
      if number.isMultiple(of: 2) {
        try await controller.execute()
      } else {
        try synchronously { try controller.execute() }
      }
      #expect(controller.count == number)
    }
  }

  @Test("Stream 3508: asking again in a callback is no change, and comes to an end")
  func askingInACallback() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    table.onDid = { [chats, messages] controller in
      _ = try? chats.fetch(messages)
      try? controller.execute()
    }
    try chats.receive("4", in: "a", at: 4)
    await eventually("it has come") { table.ids.count == 4 }
    try await chats.settled()
    try await controller.execute()
    #expect(table.batches.count == 1)
  }

  @Test("Stream 2738, 2822: another name of its sender is an update of a message")
  func senderName() async throws {
    try chats.chat("a", messages: 2)
    try chats.receive("of carol", in: "a", from: "carol", id: "carol", at: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.put(Identity(userID: "bob", displayName: "Bob")) }
    await eventually("bob's messages are drawn anew") { table.changes.count == 2 }
    #expect(table.changes.map(\.id) == ["a-1", "a-2"])
    #expect(table.changes.allSatisfy { $0.type == .update })
  }

  @Test("Stream 2810, 2742: what does not change a sender's name is no change of the messages")
  func sameSenderName() async throws {
    try chats.write { try $0.put(Identity(userID: "bob", displayName: "Bob")) }
    try chats.chat("a", messages: 2)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.put(Identity(userID: "bob", displayName: "Bob")) }
    try chats.write {
      try $0.put(Identity(userID: "bob", displayName: "Bob", avatarURL: "x", metadata: ["seen": "now"]))
    }
    try chats.write { try $0.put(Identity(userID: "carol", displayName: "Carol")) }
    try chats.write { try $0.setFollowed(true, "bob") }
    try await chats.settled()
    try await controller.execute()
    #expect(table.batches.isEmpty)
  }
}
