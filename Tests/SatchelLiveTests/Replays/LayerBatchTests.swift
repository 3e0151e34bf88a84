import Foundation
import Satchel
import Testing

/// Layer's lessons about what one batch of changes holds.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct LayerBatchTests {
  let chats: ChatStore
  let messages: Query<Message>

  init() throws {
    chats = try ChatStore()
    messages = Message.filter { $0.conversation == "a" }.order { $0.position }
  }

  @Test("Layer 0.9.4: an object that is created or deleted in a batch is not updated in it")
  func noUpdateOfTheNew() async throws {
    try chats.chat("a", messages: 2)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.receive([.text("new")], in: "a", from: "bob", id: "new", position: 3)
      try transaction.update("new" as Message.ID) { $0.recipientStatus["carol"] = .read }
      try transaction.markAsRead("new" as Message.ID)
      try transaction.markAsRead("a-1" as Message.ID)
      try transaction.delete("a-1" as Message.ID)
    }
    await eventually("the batch is there") { table.ids == ["a-2", "new"] }
    #expect(
      table.changes == [
        .init(type: .delete, id: "a-1", at: [0, 0], to: nil),
        .init(type: .insert, id: "new", at: nil, to: [0, 1]),
      ])
  }

  @Test("Layer 0.9.6: nothing is told when the content does not change")
  func noEmptyBatches() async throws {
    try chats.chat("a", metadata: ["title": "Lunch"], messages: 2)
    try chats.chat("b", with: ["carol"], messages: 1)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.receive("elsewhere", in: "b", at: 7)
    try chats.write { try $0.setMetadata("Lunch", at: "title", of: .conversation("a")) }
    try chats.write { try $0.update("a-1" as Message.ID) { $0.position = .some(1) } }
    try chats.write { transaction in
      try transaction.receive([.text("gone at once")], in: "a", from: "bob", id: "gone", position: 9)
      try transaction.delete("gone" as Message.ID)
    }
    try await chats.settled()
    try await controller.execute()
    #expect(table.batches.isEmpty)
  }

  @Test("Layer 0.18.1: an update has no new index path")
  func updateHasNoNewIndexPath() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.markAsRead("a-2" as Message.ID) }
    await eventually("it is read") { table.sections[0][1].isUnread == false }
    #expect(table.changes == [.init(type: .update, id: "a-2", at: [0, 1], to: nil)])
  }

  @Test("Layer 0.7.5: creations are told before updates")
  func creationsFirst() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.markAsRead("a-3" as Message.ID)
      try transaction.delete("a-2" as Message.ID)
      try transaction.receive([.text("new")], in: "a", from: "bob", id: "new", position: 4)
      try transaction.update("a-1" as Message.ID) { $0.position = 5 }
    }
    await eventually("the batch is there") { table.ids == ["a-3", "new", "a-1"] }
    #expect(table.changes.map(\.type) == [.delete, .insert, .move, .update])
  }

  @Test("Layer 0.9.6: a property that changes back is told of again")
  func changingBack() async throws {
    try chats.chat("a", messages: 1)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    for isUnread in [false, true, false] {
      try chats.write { try $0.update("a-1" as Message.ID) { $0.isUnread = isUnread } }
      await eventually("isUnread is \(isUnread)") { table.sections[0][0].isUnread == isUnread }
    }
    #expect(table.changes.map(\.type) == [.update, .update, .update])
  }

  @Test("Layer 0.10.1: what a change says can be read from the store when it is told")
  func readableWhenTold() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var differing: [String] = []
    var told = 0
    table.onChange = { [chats] controller, change in
      told += 1
      let stored = try? chats.fetch(Message.filter { $0.identifier == Message.ID(change.id) }).first
      let shown = controller.objects.first { $0.id.rawValue == change.id }
      if stored != shown { differing.append(change.id) }
    }
    try chats.write { transaction in
      try transaction.markAsRead("a-1" as Message.ID)
      try transaction.delete("a-2" as Message.ID)
      try transaction.receive([.text("new")], in: "a", from: "bob", id: "new", position: 4)
    }
    await eventually("the batch is there") { table.ids == ["a-1", "a-3", "new"] }
    #expect(told == 3)
    #expect(differing.isEmpty)
  }

  @Test("Layer 0.11.0: history that comes late is inserts, and renumbers nobody")
  func lateHistory() async throws {
    try chats.chat("a")
    try chats.write { transaction in
      for position in [100, 200, 300] {
        try transaction.receive(
          [.text("\(position)")], in: "a", from: "bob", id: Message.ID("\(position)"),
          position: Int64(position))
      }
    }
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      for position in [150, 250, 50] {
        try transaction.receive(
          [.text("\(position)")], in: "a", from: "bob", id: Message.ID("\(position)"),
          position: Int64(position))
      }
    }
    await eventually("history is there") { table.ids == ["50", "100", "150", "200", "250", "300"] }
    #expect(table.changes.map(\.type) == [.insert, .insert, .insert])
    #expect(table.changes.map(\.to) == [[0, 0], [0, 2], [0, 4]])
  }

  @Test("Layer 0.7.18: a sent message does not stay at the end once it has its place")
  func sentMessageFindsItsPlace() async throws {
    try chats.chat("a", messages: 1)
    try chats.write { _ = try $0.send([.text("mine")], to: "a", id: "mine") }
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.receive("theirs", in: "a", id: "theirs", at: 3)
    await eventually("theirs is before what is not sent") { table.ids == ["a-1", "theirs", "mine"] }
    try chats.write {
      try $0.update("mine" as Message.ID) {
        $0.position = 2
        $0.isSent = true
      }
    }
    await eventually("mine is in its place") { table.ids == ["a-1", "mine", "theirs"] }
    #expect(table.changes.map(\.type) == [.insert, .move])
    #expect(table.sections[0][1].isSent)
  }
}
