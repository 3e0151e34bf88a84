import Foundation
import Satchel
import Testing

/// Defects of windows that other stores have found late, each by its name: Documentation/KnownDefects.md lists where the others are.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct KnownDefectTests {
  let chats: ChatStore

  init() throws { chats = try ChatStore() }

  private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "a-\($0)" } }

  /// The delegate has been told of all that there is, and of nothing else.
  private func expectRows(_ table: ModelTable<Message>, _ query: Query<Message>) async throws {
    try await chats.settled()
    let expected = try synchronously { try chats.fetch(query).map(\.id.rawValue) }
    await eventually("the rows are \(expected)") { table.ids == expected }
  }

  /// Pages that begin behind the last key skip the rows that share it.
  @Test(arguments: [false, true]) func equalSortKeysAreNeitherSkippedNorRepeated(isDescending: Bool)
    async throws
  {
    try chats.chat("a", messages: 0)
    // Three keys for forty rows, so that each page ends among equal ones.
    for number in 0..<40 {
      try chats.receive("\(number)", in: "a", id: Message.ID("m-\(number)"), at: number / 14)
    }
    let all = Message.filter { $0.conversation == "a" }
    let query = isDescending ? all.order { $0.sentAt.descending } : all.order { $0.sentAt }
    let expected = try chats.fetch(query).map(\.id)
    #expect(Set(expected).count == 40)
    let controller = chats.store.controller(for: query, window: .first(7))
    let table = ModelTable<Message>()
    try await table.show(controller)
    while controller.hasMoreAfter { try await controller.loadNext(7) }
    #expect(table.ids == expected.map(\.rawValue))
    // Page by page, as a program does that keeps the last object.
    var paged: [Message.ID] = []
    while true {
      let rest = paged.last.map { query.after($0) } ?? query
      let page = try chats.fetch(rest.limit(6)).map(\.id)
      if page.isEmpty { break }
      paged += page
    }
    #expect(paged == expected)
    // A row that comes among equal ones.
    try chats.receive("new", in: "a", id: "new", at: 1)
    try await expectRows(table, query)
  }

  /// A page that is not full is taken for the end, or its gap is filled from the wrong side.
  @Test func aDeletionOnAPartialDescendingPage() async throws {
    try chats.chat("a", messages: 10)
    let query = Message.filter { $0.conversation == "a" }.order { $0.position.descending }
    let controller = chats.store.controller(for: query, window: .first(4))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadNext(4)
    try await controller.loadNext(4)
    #expect(table.ids == names(1...10).reversed())
    // The last page has two rows: one goes, then one in front of it, then one comes behind it.
    for gone in ["a-1", "a-9", "a-2"] {
      try chats.write { try $0.delete(Message.ID(gone)) }
      try await expectRows(table, query)
      #expect(controller.totalNumberOfObjects == table.ids.count)
    }
    try chats.write { try $0.receive([.text("0")], in: "a", from: "bob", id: "zero", position: 0) }
    try await expectRows(table, query)
    #expect(!controller.hasMoreAfter)

    let limited = chats.store.controller(for: query.limit(4).offset(2))
    let window = ModelTable<Message>()
    try await window.show(limited)
    for gone in ["a-10", "a-5", "a-4"] {
      try chats.write { try $0.delete(Message.ID(gone)) }
      try await expectRows(window, query.limit(4).offset(2))
    }
  }

  /// A change that leaves the sort key, and so the row's place, as it was is taken for none.
  @Test func anUpdateUnderTheSameKeyIsTold() async throws {
    try chats.chat("a", messages: 6)
    let query = Message.filter { $0.conversation == "a" }.order { $0.position }
    let controller = chats.store.controller(for: query, window: .first(4))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.setMetadata("one", at: "mark", of: .message("a-2")) }
    await eventually("the row is drawn anew") {
      table.sections[0].first { $0.id == "a-2" }?.metadata["mark"] == "one"
    }
    // Its key is written, to the same value; and two changes in one commit that end at the same key.
    try chats.write { transaction in
      try transaction.update("a-3" as Message.ID) { $0.position = 3 }
      try transaction.setMetadata("two", at: "mark", of: .message("a-3"))
      try transaction.update("a-4" as Message.ID) { $0.position = 40 }
      try transaction.setMetadata("three", at: "mark", of: .message("a-4"))
      try transaction.update("a-4" as Message.ID) { $0.position = 4 }
    }
    await eventually("both rows are drawn anew") {
      table.sections[0].compactMap { $0.metadata["mark"] } == ["one", "two", "three"]
    }
    #expect(table.ids == names(1...4))
    #expect(Set(table.changes.map(\.type)) == [.update])
  }

  /// The limit is put on rows before the condition, so that a page has fewer than there are.
  @Test func aConditionAndALimitGiveAsManyAsThereAre() async throws {
    try chats.chat("a", messages: 40)
    // Every fifth one, by a condition that no index answers.
    try chats.write { transaction in
      for number in stride(from: 5, through: 40, by: 5) {
        try transaction.setMetadata("yes", at: "kept", of: .message(Message.ID("a-\(number)")))
      }
    }
    let kept = Message.filter { $0.conversation == "a" && $0.metadata["kept"] == "yes" }
    for (limit, offset) in [(3, 0), (5, 0), (8, 0), (20, 0), (3, 4), (3, 6), (3, 8)] {
      let query = kept.order { $0.position.descending }.limit(limit).offset(offset)
      let expected = stride(from: 40, through: 5, by: -5).map { "a-\($0)" }.dropFirst(offset).prefix(limit)
      #expect(try chats.fetch(query).map(\.id.rawValue) == Array(expected))
      #expect(try await chats.store.count(query) == expected.count)
      let controller = chats.store.controller(for: query)
      try await controller.execute()
      #expect(controller.objects.map(\.id.rawValue) == Array(expected))
    }
    // One that leaves the condition makes room for the next.
    let controller = chats.store.controller(for: kept.order { $0.position.descending }.limit(3))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.removeMetadata(at: "kept", of: .message("a-35")) }
    await eventually("the next one moves up") { table.ids == ["a-40", "a-30", "a-25"] }
  }
}
