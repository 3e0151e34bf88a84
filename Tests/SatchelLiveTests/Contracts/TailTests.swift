import Foundation
import Satchel
import Testing

/// A window that grows with the rows that arrive, beside one that keeps its size.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct TailTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 20)
  }

  private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "a-\($0)" } }

  private func shown(_ query: Query<Message>, _ window: ListWindow) async throws -> (
    QueryController<Message>, ModelTable<Message>
  ) {
    let controller = chats.store.controller(for: query, window: window)
    let table = ModelTable<Message>()
    try await table.show(controller)
    return (controller, table)
  }

  /// Brings what was written to the table.
  private func settle(_ controller: QueryController<Message>) async throws {
    try await chats.settled()
    try await controller.execute()
  }

  @Test func bothKinds() async throws {
    let (tail, growing) = try await shown(messages, .tail(5))
    let (last, fixed) = try await shown(messages, .last(5))
    #expect(growing.ids == names(16...20) && fixed.ids == names(16...20))
    for number in 21...26 {
      try chats.receive("\(number)", in: "a", id: Message.ID("a-\(number)"), at: number)
    }
    await eventually("six more, and six others") {
      growing.ids == names(16...26) && fixed.ids == names(22...26)
    }
    #expect(growing.changes.allSatisfy { $0.type == .insert })
    #expect((tail.rowsBefore, tail.rowsAfter, tail.window) == (15, 0, .tail(5)))
    #expect((last.rowsBefore, last.rowsAfter) == (21, 0))
    #expect(tail.hasMoreBefore && !tail.hasMoreAfter)
    // A reader at the bottom may have it small again.
    try await tail.setWindow(.tail(5))
    #expect(growing.ids == names(22...26))
  }

  @Test func deletionsPullNothingIn() async throws {
    let (controller, table) = try await shown(messages, .tail(5))
    try chats.write { try $0.delete("a-18" as Message.ID) }
    await eventually("one less") { table.ids == ["a-16", "a-17", "a-19", "a-20"] }
    // The oldest one is gone, and its place is still the beginning.
    try chats.write { try $0.delete("a-16" as Message.ID) }
    await eventually("three are left") { table.ids == ["a-17", "a-19", "a-20"] }
    try chats.write { tx in
      try tx.receive([], in: "a", from: "bob", id: "old", position: 15)
      try tx.receive([], in: "a", from: "bob", id: "inside", position: 18)
    }
    await eventually("one more in the window") { table.ids == ["a-17", "inside", "a-19", "a-20"] }
    await eventually("and one before it") { controller.totalNumberOfObjects == 20 }
    #expect(controller.rowsBefore == 16)
    try chats.write { tx in
      for id in ["a-17", "inside", "a-19", "a-20"] as [Message.ID] { try tx.delete(id) }
    }
    await eventually("it begins anew") { table.ids == names(12...15) + ["old"] }
  }

  @Test func aConversationThatBegins() async throws {
    let new = Message.filter { $0.conversation == "new" }.order { $0.position }
    let (controller, table) = try await shown(new, .tail(3))
    #expect(table.ids.isEmpty && controller.rowsBefore == 0)
    try chats.chat("new")
    try chats.receive("5", in: "new", id: "5", at: 5)
    await eventually("one") { table.ids == ["5"] }
    // Fewer than the window takes: older ones that are still on their way belong to it.
    try chats.receive("4", in: "new", id: "4", at: 4)
    await eventually("two") { table.ids == ["4", "5"] }
    try chats.write { tx in
      for number in 1...3 {
        try tx.receive([], in: "new", from: "bob", id: Message.ID("\(number)"), position: Int64(number))
      }
    }
    await eventually("three at first") { table.ids == ["3", "4", "5"] }
    try chats.receive("6", in: "new", id: "6", at: 6)
    await eventually("then as many as come") { table.ids == ["3", "4", "5", "6"] }
    #expect(controller.rowsBefore == 2)
    // What shows stays when many arrive at both ends at once.
    let (other, rows) = try await shown(
      Message.filter { $0.conversation == "b" }.order { $0.position }, .tail(3))
    try chats.chat("b")
    try chats.receive("5", in: "b", id: "b5", at: 5)
    await eventually("b5 shows") { rows.ids == ["b5"] }
    try chats.write { tx in
      for number in [1, 2, 3, 6, 7, 8, 9] {
        try tx.receive([], in: "b", from: "bob", id: Message.ID("b\(number)"), position: Int64(number))
      }
    }
    await eventually("b5 still shows") { rows.ids == ["b5", "b6", "b7", "b8", "b9"] }
    #expect(other.rowsBefore == 3)
  }

  @Test func olderRowsAreLoaded() async throws {
    let (controller, table) = try await shown(messages, .tail(5))
    try chats.receive("21", in: "a", id: "a-21", at: 21)
    await eventually("one more") { table.ids == names(16...21) }
    try await controller.loadPrevious(4)
    #expect(table.ids == names(12...21))
    try await controller.loadNext(4)
    #expect(table.ids == names(12...21))
    // Executing again, or watching something else, moves nothing.
    try await controller.execute()
    try await controller.setUpdatableProperties([])
    #expect(table.ids == names(12...21) && controller.rowsBefore == 11)
    for rows in [-2, .min] {
      await #expect(throws: SatchelError.self) { try await controller.loadPrevious(rows) }
    }
    #expect(table.ids == names(12...21))
    try await controller.loadPrevious(.max)
    #expect(table.ids == names(1...21) && !controller.hasMoreBefore)
    try await controller.setQuery(messages.filter { $0.isUnread })
    #expect(table.ids == names(17...21))
    try await controller.loadAround("a-3", before: 1, after: 1)
    #expect(table.ids == names(2...4))
    try await controller.setWindow(.tail(2))
    #expect(table.ids == names(20...21))
  }

  @Test func aMessageThatIsConfirmedStays() async throws {
    try chats.write { tx in
      for id in ["x", "y"] as [Message.ID] { try tx.send([.text("mine")], to: "a", id: id) }
    }
    let (controller, table) = try await shown(messages, .tail(2))
    #expect(table.ids == ["x", "y"])
    try chats.write { try $0.update("x" as Message.ID) { $0.position = 21 } }
    try await settle(controller)
    #expect(table.ids == ["x", "y"])
    try chats.write { try $0.update("y" as Message.ID) { $0.position = 22 } }
    try await settle(controller)
    #expect(table.ids == ["x", "y"])
    // One that goes far back takes no others into the window.
    try chats.write { try $0.update("x" as Message.ID) { $0.position = 3 } }
    try await settle(controller)
    #expect(table.ids == ["y"] && controller.rowsBefore == 21)
  }

  @Test func otherOrders() async throws {
    // Newest first: the last rows are the oldest ones.
    let (first, down) = try await shown(messages.order { $0.position.descending }, .tail(3))
    // Merged of several runs, held in memory, and by a condition of the program's own.
    let (second, merged) = try await shown(
      Message.filter { $0.conversation.in(["a", "b"]) }.order { $0.position }, .tail(3))
    let (third, held) = try await shown(
      messages.filter { $0.parts.any { $0.text != "" } }.order { ($0.sentAt, $0.identifier) }, .tail(3))
    let odd = chats.store.controller(for: messages, window: .tail(3), where: { ($0.position ?? 0) % 2 == 1 })
    let oddTable = ModelTable<Message>()
    try await oddTable.show(odd)
    #expect(down.ids == ["a-3", "a-2", "a-1"])
    #expect(merged.ids == names(18...20) && held.ids == names(18...20))
    #expect(oddTable.ids == ["a-15", "a-17", "a-19"])
    for number in 21...23 {
      try chats.receive("\(number)", in: "a", id: Message.ID("a-\(number)"), at: number)
    }
    await eventually("what is merged grows") { merged.ids == names(18...23) }
    await eventually("what is held grows") { held.ids == names(18...23) }
    await eventually("what the program leaves grows") {
      oddTable.ids == ["a-15", "a-17", "a-19", "a-21", "a-23"]
    }
    await eventually("three more come before") { first.rowsBefore == 20 }
    #expect(down.ids == ["a-3", "a-2", "a-1"])
    #expect([first, second, third, odd].map(\.rowsBefore) == [20, 17, 17, 7])
    #expect([first, second, third, odd].allSatisfy { !$0.hasMoreAfter })
  }

  @Test func noLimitAndNoOffset() throws {
    for query in [messages.limit(5), messages.offset(1)] {
      let controller = chats.store.controller(for: query, window: .tail(3))
      let error = #expect(throws: SatchelError.self) { try controller.execute() }
      #expect(error?.code == .invalidValue)
    }
  }
}
