import Foundation
import Satchel
import Testing

/// Windows around an object or a date.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct WindowJumpTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 20)
  }

  private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "a-\($0)" } }

  @Test func aJumpToWhatTheListDoesNotHoldIsAnError() async throws {
    try chats.chat("b", messages: 3)
    try chats.write { try $0.markAsRead(["a-7"]) }
    let unread = Message.filter { $0.conversation == "a" && $0.isUnread }.order { $0.position }
    for query in [messages, unread] {
      let controller = chats.store.controller(for: query, window: .first(4))
      try await controller.execute()
      let before = controller.objects
      for id in ["b-2", query == unread ? "a-7" : "nobody"] as [Message.ID] {
        let error = await #expect(throws: SatchelError.self) {
          try await controller.loadAround(id, before: 1, after: 1)
        }
        #expect(error?.code == .invalidValue && error?.context["identifier"] == id.rawValue)
        if id == "b-2" { #expect(error?.context["conversation"] == "b") }
      }
      #expect(controller.window == .first(4) && controller.objects == before)
    }
    // A condition of the program's own leaves objects out, too.
    let odd = chats.store.controller(for: messages, where: { ($0.position ?? 0) % 2 == 1 })
    try await odd.execute()
    await #expect(throws: SatchelError.self) { try await odd.loadAround("a-4", before: 1, after: 1) }
    try await odd.loadAround("a-5", before: 1, after: 1)
    #expect(odd.objects.map(\.id) == ["a-3", "a-5", "a-7"])
  }

  @Test func aWindowStaysAroundWhatHasLeftTheList() async throws {
    let unread = Message.filter { $0.conversation == "a" && $0.isUnread }.order { $0.position }
    let controller = chats.store.controller(for: unread, window: .around("a-10", before: 1, after: 1))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.markAsRead(["a-10"]) }
    await eventually("a-10 has left") { table.ids == ["a-9", "a-11"] }
    try await controller.loadNext(1)
    #expect(table.ids == ["a-9", "a-11", "a-12"])
    #expect((controller.rowsBefore, controller.rowsAfter) == (8, 8))
    // In another list there is no such place; both are set at once.
    await #expect(throws: SatchelError.self) {
      try await controller.setQuery(unread.order { $0.position.descending })
    }
    #expect(table.ids == ["a-9", "a-11", "a-12"])
    try await controller.setQuery(unread.order { $0.position.descending }, window: .first(2))
    #expect(table.ids == ["a-20", "a-19"])
  }

  @Test func aroundADateAmongPositions() async throws {
    for query in [messages, messages.filter { $0.parts.any { $0.text != "" } }] {
      let controller = chats.store.controller(for: query)
      try await controller.execute()
      try await controller.loadAround(ChatStore.date(10), before: 2, after: 3)
      #expect(controller.objects.map(\.id.rawValue) == names(8...12))
      #expect((controller.rowsBefore, controller.rowsAfter) == (7, 8))
      try await controller.loadPrevious(1)
      try await controller.loadNext(1)
      #expect(controller.objects.map(\.id.rawValue) == names(7...13))
      try await controller.setQuery(query.order { $0.position.descending })
      #expect(controller.objects.map(\.id.rawValue) == names(7...13).reversed())
      try await controller.setQuery(query)
      try await controller.loadAround(ChatStore.date(-3), before: 2, after: 3)
      #expect(controller.objects.map(\.id.rawValue) == names(1...3))
    }
    // The window stays with its row.
    let controller = chats.store.controller(
      for: messages, window: .aroundDate(Timestamp(ChatStore.date(10)), before: 1, after: 2))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.delete("a-10" as Message.ID) }
    await eventually("a-10 is gone") { table.ids == ["a-9", "a-11", "a-12"] }
    // While no row is that late, the window is at the end; the first one that is has it.
    try await controller.loadAround(ChatStore.date(30), before: 2, after: 2)
    #expect(table.ids == ["a-19", "a-20"])
    try chats.receive("early", in: "a", id: "early", at: 21)
    await eventually("the end goes on") { table.ids == ["a-20", "early"] }
    try chats.receive("late", in: "a", id: "late", at: 31)
    await eventually("the late one shows") { table.ids == ["a-20", "early", "late"] }
    try chats.write { tx in
      for number in 32...40 {
        try tx.receive([], in: "a", from: "bob", id: Message.ID("x\(number)"), position: Int64(number))
      }
    }
    await eventually("two from the late one on") { table.ids == ["a-20", "early", "late", "x32"] }
    let empty = chats.store.controller(
      for: Message.filter { $0.conversation == "new" }.order { $0.position },
      window: .aroundDate(Timestamp(ChatStore.date(3)), before: 1, after: 1))
    let list = ModelTable<Message>()
    try await list.show(empty)
    #expect(list.ids.isEmpty && empty.rowsBefore == 0)
    try chats.chat("new", messages: 5)
    await eventually("they have come") { list.ids == ["new-2", "new-3"] }
  }

  @Test func aroundAnObject() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadAround("a-10", before: 2, after: 1)
    #expect(table.ids == names(8...11))
    try await controller.loadPrevious(2)
    try await controller.loadNext(1)
    #expect(table.ids == names(6...12))
    // What comes and goes elsewhere is none of its business, but for the total.
    try chats.receive("21", in: "a", at: 21)
    try chats.write { try $0.delete("a-1" as Message.ID) }
    try await chats.settled()
    try await controller.execute()
    #expect(table.ids == names(6...12))
    #expect(controller.totalNumberOfObjects == 20)
    // What comes in the middle pushes out what is farthest.
    try chats.write { try $0.receive([.text("x")], in: "a", from: "bob", id: "x", position: 9) }
    await eventually("x has come") { table.ids.contains("x") }
    #expect(table.ids == ["a-7", "a-8", "a-9", "x", "a-10", "a-11", "a-12"])
    // The window stays where its object was.
    try chats.write { try $0.delete("a-10" as Message.ID) }
    await eventually("a-10 is gone") { !table.ids.contains("a-10") }
    #expect(table.ids.prefix(4) == ["a-7", "a-8", "a-9", "x"])
    await #expect(throws: SatchelError.self) {
      try await controller.loadAround("nobody", before: 1, after: 1)
    }
    #expect(controller.window == .around("a-10", before: 4, after: 2))
  }

  @Test func aroundADate() async throws {
    let dated = Message.filter { $0.conversation == "a" }.order { $0.sentAt }
    let controller = chats.store.controller(for: dated)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadAround(ChatStore.date(10), before: 2, after: 3)
    #expect(table.ids == names(8...12))
    try await controller.loadAround(ChatStore.date(100), before: 2, after: 3)
    #expect(table.ids == names(19...20))
    try chats.receive("late", in: "a", id: "late", at: 100)
    await eventually("the late one shows") { table.ids == names(19...20) + ["late"] }
    try await controller.loadAround(ChatStore.date(-5), before: 2, after: 3)
    #expect(table.ids == names(1...3))
    let error = await #expect(throws: SatchelError.self) {
      try await controller.setQuery(dated.order { $0.identifier })
    }
    #expect(error?.code == .invalidValue)
  }
}
