import Foundation
import Satchel
import Testing

/// Which stretch of the results a controller holds.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct WindowTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 20)
  }

  private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "a-\($0)" } }

  @Test(arguments: [
    ListWindow.first(0), .first(-1), .last(0), .last(.min), .tail(0), .tail(.min),
    .around("a-5", before: -1, after: 0),
    .aroundDate(Timestamp(microseconds: 0), before: 0, after: -1),
  ])
  func noRows(_ window: ListWindow) throws {
    let controller = chats.store.controller(for: messages, window: window)
    let error = #expect(throws: SatchelError.self) { try controller.execute() }
    #expect(error?.code == .invalidValue)
    #expect(!controller.isExecuted)
    try controller.setWindow(.first(5))
    #expect(controller.count == 5)
    #expect(throws: SatchelError.self) { try controller.setWindow(window) }
    #expect(controller.window == .first(5))
    #expect(controller.count == 5)
    // No error of its own, and no overflow.
    _ = window.paginationWindow
  }

  /// As `around` and `limit` do, they take no negative number; 0 is no growth.
  @Test(arguments: [-1, .min]) func aWindowDoesNotGrowBackwards(_ rows: Int) async throws {
    for window in [ListWindow.first(5), .tail(5), .last(5), .around("a-9", before: 2, after: 2)] {
      let controller = chats.store.controller(for: messages, window: window)
      try await controller.execute()
      let shown = controller.objects.map(\.id)
      for grow: (QueryController<Message>) throws -> Void in [
        { try $0.loadNext(rows) }, { try $0.loadPrevious(rows) },
      ] {
        let error = #expect(throws: SatchelError.self) { try grow(controller) }
        #expect(error?.code == .invalidValue && error?.context["rows"] == String(rows))
      }
      let error = await #expect(throws: SatchelError.self) { try await controller.loadPrevious(rows) }
      #expect(error?.code == .invalidValue)
      await #expect(throws: SatchelError.self) { try await controller.loadNext(rows) }
      try await controller.loadNext(0)
      try await controller.loadPrevious(0)
      #expect(controller.objects.map(\.id) == shown && controller.window == window)
      try await controller.loadPrevious(.max)
      try await controller.loadNext(.max)
      #expect(controller.count == 20)
    }
  }

  @Test(arguments: [
    (3, 1...3), (20, 1...20), (21, 1...20), (Int.max, 1...20), (-3, 18...20), (-20, 1...20),
    (-21, 1...20), (-Int.max, 1...20), (Int.min, 1...20),
  ])
  func paginationWindow(_ window: Int, _ shown: ClosedRange<Int>) throws {
    let controller = chats.store.controller(for: messages)
    try controller.setPaginationWindow(window)
    #expect(controller.objects.map(\.id.rawValue) == names(shown))
    #expect(controller.totalNumberOfObjects == 20)
    #expect(controller.hasMoreBefore == (shown.lowerBound > 1))
    #expect(controller.hasMoreAfter == (shown.upperBound < 20))
    try controller.setPaginationWindow(nil)
    #expect(controller.count == 20)
    #expect(controller.paginationWindow == nil)
  }

  @Test func aWindowFromTheTopKeepsItsSize() async throws {
    let controller = chats.store.controller(for: messages, window: .first(3))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.receive([.text("0")], in: "a", from: "bob", id: "zero", position: 0) }
    await eventually("zero has come") { table.ids == ["zero", "a-1", "a-2"] }
    #expect(
      table.changes == [
        .init(type: .delete, id: "a-3", at: [0, 2], to: nil),
        .init(type: .insert, id: "zero", at: nil, to: [0, 0]),
      ])
    try chats.write { try $0.delete("a-1" as Message.ID) }
    await eventually("the next one has come") { table.ids == ["zero", "a-2", "a-3"] }
  }

  @Test func aWindowFromTheBottomFollowsTheEnd() async throws {
    let controller = chats.store.controller(for: messages, window: .last(3))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.receive("21", in: "a", id: "new", at: 21)
    await eventually("the new one shows") { table.ids == ["a-19", "a-20", "new"] }
    #expect(table.changes.map(\.type) == [.delete, .insert])
  }

  @Test func growing() async throws {
    let controller = chats.store.controller(for: messages, window: .first(5))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadNext(10)
    #expect(table.ids == names(1...15))
    try await controller.loadPrevious(10)
    #expect(table.ids == names(1...15))
    try await controller.loadNext(.max)
    #expect(table.ids == names(1...20))
    try await controller.loadNext(5)
    #expect(table.batches.count == 2)
    try await controller.setWindow(.last(5))
    try await controller.loadPrevious(3)
    #expect(table.ids == names(13...20))
    // After the last row there is nothing.
    try await controller.loadNext(2)
    #expect(table.ids == names(13...20))
    #expect(controller.window == .last(8))
  }

  @Test func limitAndOffsetSayWhichResultsThereAre() async throws {
    for (limit, offset, window, shown) in [
      (5, 0, ListWindow.all, 1...5), (5, 3, .all, 4...8), (nil, 15, .all, 16...20), (10, 5, .first(2), 6...7),
      (10, 5, .last(2), 14...15), (100, 18, .last(5), 19...20),
    ] as [(Int?, Int, ListWindow, ClosedRange<Int>)] {
      let query = messages.limit(limit).offset(offset)
      let controller = chats.store.controller(for: query, window: window)
      let table = ModelTable<Message>()
      try await table.show(controller)
      #expect(table.ids == names(shown))
      let expected = try chats.fetch(query)
      #expect(controller.totalNumberOfObjects == expected.count)
      // Outside of the window, but not outside of limit and offset.
      #expect(try await controller.object(at: IndexPath(indexes: [0, 50])) == nil)
    }
    let controller = chats.store.controller(for: messages.limit(3).offset(2))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.delete("a-1" as Message.ID) }
    await eventually("all move up") { table.ids == names(4...6) }
    #expect(table.changes.map(\.type) == [.delete, .insert])
    let nothing = chats.store.controller(for: messages.limit(0))
    try await nothing.execute()
    #expect(nothing.totalNumberOfObjects == 0)
    #expect(throws: SatchelError.self) { try controller.setQuery(self.messages.limit(-1)) }
    #expect(throws: SatchelError.self) { try controller.setQuery(self.messages.after("a-3")) }
  }
}
