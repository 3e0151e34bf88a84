import Foundation
import Satchel
import Testing

/// The issues of Atlas, Layer's user interface, that ended in "Invalid update".
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct AtlasUpdateTests {
  let chats: ChatStore
  let messages: Query<Message>

  init() throws {
    chats = try ChatStore()
    messages = Message.filter { $0.conversation == "a" }.order { $0.position }
  }

  /// Sends from another thread, as fast as it goes.
  private func burst(of count: Int, from start: Int = 100) -> Task<Void, any Error> {
    let chats = chats
    return Task.detached {
      for number in start..<(start + count) {
        try chats.receive("x", in: "a", id: Message.ID("m\(number)"), at: number)
        if number > start, number % 3 == 0 {
          try chats.write { try $0.markAsRead(Message.ID("m\(number - 1)")) }
        }
        if number % 5 == 4 { try chats.write { try $0.delete(Message.ID("m\(number - 2)")) } }
      }
    }
  }

  @Test("Atlas 1046, 1164, 1298, 1403: rapid messaging never makes an invalid update")
  func rapidMessaging() async throws {
    try chats.chat("a", messages: 5)
    let controller = chats.store.controller(for: messages, window: .last(30))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await burst(of: 150).value
    let expected = try chats.fetch(messages).suffix(30).map(\.id.rawValue)
    await eventually("the last thirty show") { table.ids == expected }
  }

  @Test("Atlas 1230, 1034: a screen that has gone hears nothing more, and ends nothing")
  func releasedScreen() async throws {
    try chats.chat("a", messages: 5)
    let controller = chats.store.controller(for: messages)
    weak var gone: ModelTable<Message>?
    let writer: Task<Void, any Error>
    do {
      let table = ModelTable<Message>()
      try await table.show(controller)
      gone = table
      writer = burst(of: 60)
      await eventually("some have come") { !table.batches.isEmpty }
    }
    #expect(gone == nil)
    try await writer.value
    try await controller.execute()
    let expected = try chats.fetch(messages)
    #expect(controller.objects == expected)
    let next = ModelTable<Message>()
    try await next.show(controller)
    try chats.receive("last", in: "a", id: "last", at: 999)
    await eventually("the next screen hears") { next.ids.last == "last" }
  }

  @Test("Atlas 1116, 1448: the first population does not race with messages that come meanwhile")
  func firstPopulation() async throws {
    try chats.chat("a", messages: 5)
    for round in 0..<5 {
      let writer = burst(of: 20, from: 100 + 100 * round)
      let controller = chats.store.controller(for: messages)
      let table = ModelTable<Message>()
      try await table.show(controller)
      try await writer.value
      let expected = try chats.fetch(messages).map(\.id.rawValue)
      await eventually("all show") { table.ids == expected }
    }
  }

  @Test("Atlas PR 1435: each batch comes with the lists before and after it, whatever is committed meanwhile")
  func listsOfABatch() async throws {
    try chats.chat("a", messages: 5)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var shownInDid: [[Message.ID]] = []
    table.onWill = { [chats] _ in
      // The store moves on while the table is being told.
      _ = try? chats.write { try $0.receive([.text("between")], in: "a", from: "bob", position: 50) }
    }
    table.onDid = { controller in
      shownInDid.append(controller.objects.map(\.id))
      if shownInDid.count == 5 { table.onWill = nil }
    }
    try chats.receive("first", in: "a", at: 40)
    await eventually("five batches and the last write") { table.ids.count == 11 }
    #expect(shownInDid.map(\.count) == Array(6...11))
    #expect(table.sets.map { $0.after.objects.map(\.id) } == shownInDid)
  }

  @Test("Atlas 1120: an object that moves and changes has one change")
  func moveAndUpdate() async throws {
    try chats.chat("a", messages: 4)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.update("a-1" as Message.ID) {
        $0.position = 9
        $0.isUnread = false
      }
      try transaction.markAsRead("a-2" as Message.ID)
      try transaction.delete("a-3" as Message.ID)
    }
    await eventually("the batch is there") { table.ids == ["a-2", "a-4", "a-1"] }
    #expect(
      table.changes == [
        .init(type: .delete, id: "a-3", at: [0, 2], to: nil),
        .init(type: .move, id: "a-1", at: [0, 0], to: [0, 2]),
        .init(type: .update, id: "a-2", at: [0, 1], to: nil),
      ])
    #expect(table.sections[0][2].isUnread == false)
  }

  @Test("Atlas 1314: in controllerWillChangeContent the list is still the one before a deletion")
  func oldListInWill() async throws {
    try chats.chat("a", messages: 1)
    try chats.chat("b", with: ["carol"], messages: 2)
    let controller = chats.store.controller(for: Conversation.order { $0.lastMessage.receivedAt })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    var seen: [Conversation.ID?] = []
    var paths: [IndexPath?] = []
    table.onWill = { controller in
      for row in 0..<controller.numberOfObjects(inSection: 0) {
        seen.append(try? controller.object(at: IndexPath(indexes: [0, row]))?.id)
      }
      paths = [controller.indexPath(for: "a"), controller.indexPath(for: "b")]
    }
    try chats.write { try $0.delete("b" as Conversation.ID) }
    await eventually("b is gone") { table.ids == ["a"] }
    #expect(seen == ["a", "b"])
    #expect(paths == [IndexPath(indexes: [0, 0]), IndexPath(indexes: [0, 1])])
  }

  @Test("Atlas 1259, PR 1254, PR 1401: a window of no rows is an error, an empty conversation is none")
  func windowInAnEmptyConversation() async throws {
    try chats.chat("a")
    let controller = chats.store.controller(for: messages, window: .first(30))
    try await controller.execute()
    #expect(controller.count == 0)
    let error = #expect(throws: SatchelError.self) { try controller.setPaginationWindow(0) }
    #expect(error?.code == .invalidValue)
    #expect(controller.window == .first(30))
    for window in [1, 30, .max, -1, -30, .min + 1] {
      try synchronously { try controller.setPaginationWindow(window) }
      #expect(controller.count == 0)
      #expect(controller.paginationWindow == window)
    }
  }
}
