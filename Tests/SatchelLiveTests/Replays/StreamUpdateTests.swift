import Foundation
import Satchel
import Testing

/// The issues of Stream's chat client about its change lists.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct StreamUpdateTests {
  let chats: ChatStore
  let messages: Query<Message>
  let channels: Query<Conversation>

  init() throws {
    chats = try ChatStore()
    messages = Message.filter { $0.conversation == "a" }.order { $0.position }
    channels = Conversation.order { $0.lastMessage.receivedAt.descending }
  }

  @Test("Stream 768: a row that moves with new content has no update beside the move, and shows it")
  func movedRowIsRedrawn() async throws {
    for (number, id) in ["a", "b", "c"].enumerated() {
      try chats.chat(Conversation.ID(id))
      try chats.receive("hello", in: Conversation.ID(id), at: number)
    }
    let controller = chats.store.controller(for: channels)
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    try chats.receive("again", in: "a", at: 9)
    await eventually("a is first") { table.ids == ["a", "c", "b"] }
    #expect(table.changes.map(\.type) == [.move])
    #expect(table.sections[0][0].lastMessage?.text == "again")
  }

  @Test("Stream 765, 1842: a move and updates of others in one batch")
  func moveAndUpdatesOfOthers() async throws {
    for (number, id) in ["f", "e", "d", "c", "b", "a"].enumerated() {
      try chats.chat(Conversation.ID(id))
      try chats.receive("hello", in: Conversation.ID(id), at: number)
    }
    let controller = chats.store.controller(for: channels)
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.receive([.text("again")], in: "c", from: "bob", receivedAt: ChatStore.date(9))
      for id: Conversation.ID in ["b", "d", "e", "f"] { try transaction.markAsRead(id) }
    }
    await eventually("c is first") { table.ids == ["c", "a", "b", "d", "e", "f"] }
    #expect(table.changes.map(\.type) == [.move] + Array(repeating: .update, count: 4))
    #expect(table.changes.map(\.at) == [[0, 2], [0, 1], [0, 3], [0, 4], [0, 5]])
  }

  @Test("Stream 2076, 2044: an update's index is that of the list before, also beside an insert before it")
  func updateBesideAnInsert() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.receive([.text("0")], in: "a", from: "bob", id: "zero", position: 0)
      try transaction.markAsRead("a-2" as Message.ID)
    }
    await eventually("zero has come") { table.ids.first == "zero" }
    #expect(
      table.changes == [
        .init(type: .insert, id: "zero", at: nil, to: [0, 0]),
        .init(type: .update, id: "a-2", at: [0, 1], to: nil),
      ])
  }

  @Test("Stream swiftui 663: [.insert, .update] with the update at the last index is in range")
  func insertAndUpdateOfTheLast() async throws {
    try chats.chat("a", messages: 1)
    let controller = chats.store.controller(for: messages, window: .last(1))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.setWindow(.last(2))
    try chats.write { transaction in
      try transaction.receive([.text("2")], in: "a", from: "bob", id: "two", position: 2)
      try transaction.markAsRead("a-1" as Message.ID)
    }
    await eventually("two has come") { table.ids == ["a-1", "two"] }
    #expect(table.changes.map(\.type) == [.insert, .update])
  }

  @Test("Stream 2848, 1295: a jump to another stretch is one consistent batch of deletes and inserts")
  func jump() async throws {
    try chats.chat("a", messages: 200)
    let controller = chats.store.controller(for: messages, window: .last(21))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadAround("a-100", before: 10, after: 9)
    #expect(table.ids == (90...109).map { "a-\($0)" })
    try await controller.loadAround("a-105", before: 10, after: 9)
    #expect(table.ids == (95...114).map { "a-\($0)" })
    #expect(table.batches.map { $0.count(.delete) } == [21, 5])
    #expect(table.batches.map { $0.count(.insert) } == [20, 5])
    try await controller.setWindow(.last(21))
    #expect(table.ids == (180...200).map { "a-\($0)" })
  }

  @Test("Stream 171, 1283, 1286, 1097: rows that come together with a message of one's own fit the batch")
  func ownMessageAmongOthers() async throws {
    try chats.chat("a", messages: 88)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    let chats = chats
    let other = Task.detached { for number in 89...128 { try chats.receive("x", in: "a", at: number) } }
    for number in 0..<20 {
      let id = Message.ID("mine-\(number)")
      try synchronously {
        _ = try chats.write { try $0.send([.text("mine")], to: "a", id: id) }
        try chats.write {
          try $0.update(id) {
            $0.position = .some(Int64(1_000 + number))
            $0.isSent = true
          }
        }
      }
      await Task.yield()
    }
    try await other.value
    await eventually("all show") { table.ids.count == 148 && table.sections[0].allSatisfy(\.isSent) }
  }

  @Test("Stream 1752, 33: messages that come while nobody looks are told of as one batch")
  func returning() async throws {
    try chats.chat("a", messages: 28)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    // The main actor does not come to deliver in between.
    try synchronously {
      for number in 29...60 { try chats.receive("x", in: "a", at: number) }
      try chats.write { try $0.delete("a-28" as Message.ID) }
    }
    await eventually("all show") { table.ids.count == 59 && !table.ids.contains("a-28") }
    #expect(table.changes.count { $0.type == .insert } == 32)
    #expect(table.changes.count { $0.type == .delete } == 1)
  }

  @Test("Stream 2280: the changes are those of the list that is shown, however it is sorted")
  func changesAreOfTheShownOrder() async throws {
    for (number, id) in ["a", "b", "c"].enumerated() {
      try chats.chat(Conversation.ID(id), metadata: ["rank": .text("\(number)")], messages: 1)
    }
    let controller = chats.store.controller(for: Conversation.order { $0.metadata.rank })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    try chats.receive("new", in: "c", at: 9)
    await eventually("the update") { table.sections[0][2].messageCount == 2 }
    try chats.write { try $0.setMetadata("/", at: "rank", of: .conversation("c")) }
    await eventually("c is first") { table.ids == ["c", "a", "b"] }
    #expect(
      table.changes == [
        .init(type: .update, id: "c", at: [0, 2], to: nil),
        .init(type: .move, id: "c", at: [0, 2], to: [0, 0]),
      ])
  }
}
