import Foundation
import Satchel
import Testing

/// Sections by the value of a key.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct SectionTests {
  let chats: ChatStore
  let bySender = Message.filter { $0.conversation == "a" }.order { ($0.sender.userID, $0.position) }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", with: ["bob", "carol"])
    for (number, sender) in ["bob", "carol", "bob", "carol"].enumerated() {
      try chats.receive("x", in: "a", from: Identity.ID(sender), id: Message.ID("\(number)"), at: number)
    }
  }

  @Test func sectionsComeAndGo() async throws {
    let controller = chats.store.controller(for: bySender, sectionKey: "sender.userID")
    let table = ModelTable<Message>()
    try await table.show(controller)
    #expect(table.sections.map { $0.map(\.id.identifier) } == [["0", "2"], ["1", "3"]])
    #expect(controller.list.sections.map(\.value) == [.text("bob"), .text("carol")])
    #expect(controller.indexPath(for: "3") == IndexPath(indexes: [1, 1]))
    try chats.receive("x", in: "a", from: "ann", id: "4", at: 4)
    await eventually("ann's section has come") { table.sections.count == 3 }
    #expect(table.batches[0].insertedSections == [0])
    try chats.write { try $0.delete("1" as Message.ID) }
    await eventually("carol has one message left") { table.ids == ["4", "0", "2", "3"] }
    try chats.write { try $0.delete("3" as Message.ID) }
    await eventually("carol's section is gone") { table.sections.count == 2 }
    #expect(table.batches[2].deletedSections == [2])
    try chats.write { transaction in
      for id in ["4", "0", "2"] { try transaction.delete(Message.ID(id)) }
    }
    await eventually("all are gone") { table.sections.isEmpty }
    #expect(controller.numberOfSections == 0)
    try chats.receive("x", in: "a", from: "bob", id: "5", at: 5)
    await eventually("one is back") { table.sections.count == 1 }
  }

  @Test func aRowThatChangesItsSectionMoves() async throws {
    for (id, color) in [("c", "blue"), ("d", "blue"), ("e", "red")] {
      try chats.chat(Conversation.ID(id), metadata: ["color": .text(color)], messages: 1)
    }
    let controller = chats.store.controller(
      for: Conversation.filter { $0.metadata.color != nil }.order { ($0.metadata.color, $0.createdAt) },
      sectionKey: "metadata.color")
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    #expect(table.sections.map { $0.map(\.id.identifier) } == [["c", "d"], ["e"]])
    // It stays between the same two rows.
    try chats.write { try $0.setMetadata("red", at: "color", of: .conversation("d")) }
    await eventually("d is red") { table.sections.map(\.count) == [1, 2] }
    #expect(table.changes == [.init(type: .move, id: "d", at: [0, 1], to: [1, 0])])
    // A whole section takes another value: one goes, one comes.
    try chats.write { try $0.setMetadata("green", at: "color", of: .conversation("c")) }
    await eventually("c is green") {
      controller.list.sections.map(\.value) == [.text("green"), .text("red")]
    }
    await eventually("the table knows") { table.batches.count == 2 }
    #expect(table.batches[1].deletedSections == [0])
    #expect(table.batches[1].insertedSections == [0])
    #expect(table.batches[1].changes == [.init(type: .move, id: "c", at: [0, 0], to: [0, 0])])
    // Two sections become one.
    try chats.write { transaction in
      for id in ["c", "d", "e"] {
        try transaction.setMetadata("grey", at: "color", of: .conversation(Conversation.ID(id)))
      }
    }
    await eventually("all are grey") { table.sections.map(\.count) == [3] }
  }

  @Test func sectionsTurnedRound() async throws {
    let controller = chats.store.controller(for: bySender, sectionKey: "sender.userID")
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.setQuery(
      Message.filter { $0.conversation == "a" }.order { ($0.sender.userID.descending, $0.position) })
    #expect(table.sections.map { $0.map(\.id.identifier) } == [["1", "3"], ["0", "2"]])
  }

  @Test func sectionsInAWindow() async throws {
    let controller = chats.store.controller(for: bySender, window: .first(3), sectionKey: "sender.userID")
    let table = ModelTable<Message>()
    try await table.show(controller)
    #expect(table.sections.map(\.count) == [2, 1])
    try chats.receive("x", in: "a", from: "bob", id: "4", at: 4)
    await eventually("carol's section is out of the window") { table.sections.map(\.count) == [3] }
    try await controller.loadNext(1)
    #expect(table.sections.map(\.count) == [3, 1])
  }

  @Test func valuesOfSections() async throws {
    let byFlag = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { ($0.isUnread, $0.position) },
      sectionKey: "isUnread")
    let table = ModelTable<Message>()
    try await table.show(byFlag)
    try chats.write { try $0.markAsRead("2" as Message.ID) }
    await eventually("one is read") { table.sections.map(\.count) == [1, 3] }
    #expect(byFlag.list.sections.map(\.value) == [.boolean(false), .boolean(true)])
    let byDate = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.sentAt }, window: .first(1),
      sectionKey: "sentAt")
    try await byDate.execute()
    #expect(byDate.list.sections.map(\.value) == [.date(Timestamp(ChatStore.date(0)))])
    let byTag = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.metadata.tag }, sectionKey: "metadata.tag")
    try await byTag.execute()
    #expect(byTag.list.sections.map(\.value) == [.missing])
    let plain = chats.store.controller(for: bySender)
    try await plain.execute()
    #expect(plain.list.sections.map(\.indices) == [0..<4])
  }

  @Test func aKeyThatIsNotSortedByFirstIsAnError() {
    for query in [bySender, Message.all, Message.order { $0.position }] {
      let controller = chats.store.controller(for: query, sectionKey: "sentAt")
      let error = #expect(throws: SatchelError.self) { try controller.execute() }
      #expect(error?.code == .invalidValue)
    }
  }
}
