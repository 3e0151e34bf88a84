import Foundation
import Satchel
import Testing

/// Which changes are updates.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct UpdatablePropertiesTests {
  let chats: ChatStore

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", metadata: ["title": "Lunch"], messages: 2)
  }

  private func updates<Object: StoredObject>(
    of query: Query<Object>, _ properties: Set<String>?, after write: (WriteTransaction) throws -> Void
  ) async throws -> [ModelTable<Object>.Change] {
    let controller = chats.store.controller(for: query, updatableProperties: properties)
    let table = ModelTable<Object>()
    table.isDrawnAnew = properties == nil
    try await table.show(controller)
    try chats.write(write)
    try await chats.settled()
    try await controller.execute()
    return table.changes
  }

  private let messages = Message.filter { $0.conversation == "a" }.order { $0.position }
  private let conversations = Conversation.order { $0.createdAt }

  @Test func withoutASetEveryChangeIsOne() async throws {
    let read = try await updates(of: messages, nil) { try $0.markAsRead("a-1" as Message.ID) }
    #expect(read.map(\.id) == ["a-1"])
    let status = try await updates(of: messages, nil) {
      try $0.update("a-2" as Message.ID) { $0.recipientStatus["carol"] = .read }
    }
    #expect(status.map(\.id) == ["a-2"])
    let title = try await updates(of: conversations, nil) {
      try $0.setMetadata("Dinner", at: "title", of: .conversation("a"))
    }
    #expect(title.map(\.id) == ["a"])
  }

  /// A list without contents still shows the beginnings of texts: where one changes, its row does.
  @Test func thePreviewIsShownWithoutContents() async throws {
    let beginning = String(repeating: "a", count: 300)
    try chats.write { transaction in
      try transaction.receive(
        [.text(beginning + String(repeating: "b", count: 2000))], in: "a", from: "bob", id: "long",
        position: 3)
    }
    func edited(_ text: String) -> (WriteTransaction) throws -> Void {
      {
        try $0.update("long" as Message.ID) { $0.parts = [.text(text + String(repeating: "c", count: 2000))] }
      }
    }
    let listed = try await updates(
      of: messages.withoutContents(), nil, after: edited("Z" + beginning.dropLast()))
    #expect(listed.map(\.id) == ["long"])
    let last = try await updates(
      of: conversations.withoutContents(), nil, after: edited("Y" + beginning.dropLast()))
    #expect(last.map(\.id) == ["a"])
    let named = try await updates(
      of: messages.withoutContents(), ["preview"], after: edited("X" + beginning.dropLast()))
    #expect(named.map(\.id) == ["long"])
    let lastNamed = try await updates(
      of: conversations.withoutContents(), ["lastMessage.preview"], after: edited(beginning))
    #expect(lastNamed.map(\.id) == ["a"])
    // What lies behind the preview is no change of it.
    let behind = try await updates(
      of: messages.withoutContents(), ["preview"], after: edited(beginning + "behind"))
    #expect(behind.isEmpty)
  }

  @Test func anEmptySetIsForNone() async throws {
    let none = try await updates(of: messages, []) { transaction in
      try transaction.markAsRead("a-1" as Message.ID)
      try transaction.update("a-2" as Message.ID) { $0.recipientStatus["carol"] = .read }
    }
    #expect(none.isEmpty)
    // The others come always.
    let others = try await updates(of: messages, []) { transaction in
      try transaction.update("a-1" as Message.ID) { $0.position = 9 }
      try transaction.receive([], in: "a", from: "bob", id: "new", position: 1)
    }
    #expect(others.map(\.type) == [.insert, .move])
  }

  @Test func aSetIsForItsPropertiesAlone() async throws {
    let other = try await updates(of: messages, ["isUnread"]) {
      try $0.update("a-1" as Message.ID) { $0.recipientStatus["carol"] = .read }
    }
    #expect(other.isEmpty)
    let named = try await updates(of: messages, ["isUnread"]) { try $0.markAsRead("a-1" as Message.ID) }
    #expect(named.map(\.id) == ["a-1"])
    let statuses = try await updates(of: messages, ["recipientStatus"]) {
      try $0.update("a-1" as Message.ID) { $0.recipientStatus["dave"] = .sent }
    }
    #expect(statuses.map(\.id) == ["a-1"])
    let oneStatus = try await updates(of: messages, ["recipientStatus.carol"]) {
      try $0.update("a-1" as Message.ID) { $0.recipientStatus["dave"] = .read }
    }
    #expect(oneStatus.isEmpty)
    for (name, count) in [("parts", 1), ("parts.transferStatus", 1), ("parts.mimeType", 0), ("isUnread", 0)] {
      let transfers = try await updates(of: messages, [name]) {
        try $0.receive([.text("a")], in: "a", from: "bob", id: Message.ID(name), position: 0)
        try $0.update(Message.ID(name)) { $0.transferStatus[0] = .uploading }
      }
      #expect(transfers.map(\.type) == [.insert])
      let again = try await updates(of: messages, [name]) {
        try $0.update(Message.ID(name)) { $0.transferStatus[0] = .downloading }
      }
      #expect(again.map(\.id) == Array(repeating: name, count: count), "\(name)")
    }
  }

  @Test func aTextThatMovesToAnotherWatchedPropertyIsAChange() async throws {
    let watched: Set = ["lastMessage.conversation.metadata.title", "lastMessage.metadata.title"]
    let moved = try await updates(of: conversations, watched) {
      try $0.removeMetadata(at: "title", of: .conversation("a"))
      try $0.setMetadata("Lunch", at: "title", of: .message("a-2"))
    }
    #expect(moved.map(\.id) == ["a"])
  }

  @Test func dottedNamesLeadAcrossRelations() async throws {
    let read = try await updates(of: conversations, ["lastMessage.isUnread"]) {
      try $0.markAsRead("a-1" as Message.ID)
    }
    #expect(read.isEmpty)
    let last = try await updates(of: conversations, ["lastMessage.isUnread"]) {
      try $0.markAsRead("a-2" as Message.ID)
    }
    #expect(last.map(\.id) == ["a"])
    let title = try await updates(of: messages, ["conversation.metadata.title"]) {
      try $0.setMetadata("Dinner", at: "title", of: .conversation("a"))
    }
    #expect(title.map(\.id) == ["a-1", "a-2"])
    let tag = try await updates(of: messages, ["conversation.metadata.title"]) {
      try $0.setMetadata("red", at: "color", of: .conversation("a"))
    }
    #expect(tag.isEmpty)
    let name = try await updates(of: messages, ["sender.displayName"]) {
      try $0.put(Identity(userID: "bob", displayName: "Bob"))
    }
    #expect(name.count == 2)
    let unread = try await updates(of: messages, ["conversation.unreadCount"]) {
      try $0.receive([], in: "a", from: "bob", id: "new", position: 7)
    }
    #expect(unread.map(\.type) == [.insert, .update, .update])
  }

  @Test func whatMayNotBeNamedIsAnError() async throws {
    let controller = chats.store.controller(for: messages, updatableProperties: ["isUnred"])
    let error = #expect(throws: SatchelError.self) { try controller.execute() }
    #expect(error?.code == .unqueryableProperty)
    #expect(error?.context["property"] == "isUnred")
    for name in ["parts.nonsense", "parts.mimeType.x", "parts.transferStatus.x"] {
      let controller = chats.store.controller(for: messages, updatableProperties: [name])
      let error = #expect(throws: SatchelError.self) { try controller.execute() }
      #expect(error?.code == .unqueryableProperty)
      #expect(error?.context["property"] == name)
    }
    try synchronously { try controller.setUpdatableProperties(["isUnread"]) }
    #expect(controller.count == 2)
    #expect(controller.updatableProperties == ["isUnread"])
  }

  @Test func whatIsNotToldIsShownNevertheless() async throws {
    let controller = chats.store.controller(for: messages, updatableProperties: [])
    try await controller.execute()
    try chats.write { try $0.markAsRead("a-1" as Message.ID) }
    await eventually("it shows") { controller.objects.first?.isUnread == false }
  }

  @Test func theSetCanChange() async throws {
    let controller = chats.store.controller(for: messages, updatableProperties: [])
    let table = ModelTable<Message>()
    table.isDrawnAnew = false
    try await table.show(controller)
    try synchronously { try controller.setUpdatableProperties(["isUnread"]) }
    try chats.write { try $0.markAsRead("a-2" as Message.ID) }
    await eventually("now it is told") { table.changes.map(\.id) == ["a-2"] }
    try await controller.setUpdatableProperties([])
    #expect(controller.updatableProperties == [])
    let error = await #expect(throws: SatchelError.self) {
      try await controller.setUpdatableProperties(["isUnred"])
    }
    #expect(error?.code == .unqueryableProperty && controller.updatableProperties == [])
  }
}
