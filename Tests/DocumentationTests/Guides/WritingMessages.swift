import Foundation
import Satchel
import Testing

/// The code of the article "Writing messages".
@Suite struct WritingMessagesGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
  }

  @Test func sending() throws {
    let parts: [MessagePart.Draft] = [
      .text("Noon?"),
      .data([0x89, 0x50, 0x4E, 0x47], mimeType: "image/png"),
      .url("https://example.com/menu.pdf", mimeType: "application/pdf", size: 180_000),
    ]
    let (lunch, draft) = try store.write { transaction in
      let lunch = try transaction.conversation(with: ["bob"]).id
      return (lunch, try transaction.send(parts, to: lunch))
    }
    let sent = try #require(try store.first(Message.filter { $0.identifier == draft }))
    #expect(!sent.isSent && !sent.isUnread && sent.position == nil && sent.sentAt != nil)
    #expect(sent.receivedAt == sent.sentAt)
    #expect(sent.recipientStatus == ["bob": .pending])
    #expect(sent.parts.map(\.size) == [5, 4, 180_000])
    #expect(sent.sender == "alice")
    let outbox = try store.fetch(Message.filter { !$0.isSent })
    #expect(outbox.map(\.id) == [draft])
    let plan = try store.explain(Message.filter { !$0.isSent })
    #expect(plan.paths[plan.chosen].residual.isEmpty && plan.paths[plan.chosen].cardinality == 1)
    let acceptedAt = GuideStore.date(1)
    try store.write { transaction in
      try transaction.confirm(draft, as: "srv-880", position: 12, sentAt: acceptedAt)
    }
    try store.write { transaction in
      try transaction.update(draft) { $0.recipientStatus = ["bob": .read] }
    }
    let confirmed = try #require(try store.first(Message.filter { $0.identifier == draft }))
    #expect(confirmed.isSent && confirmed.position == 12 && confirmed.sentAt == acceptedAt)
    #expect(confirmed.receivedAt == sent.receivedAt && confirmed.remoteID == "srv-880")
    #expect(try store.message("srv-880") == confirmed)
    #expect(confirmed.recipientStatus == ["bob": .read])
    #expect(try store.first(Conversation.filter { $0.identifier == lunch })?.lastMessage?.id == draft)
    try store.write { transaction in
      try transaction.update(draft) { $0.sentAt = .some(nil) }
      try transaction.delete(draft)
    }
    #expect(try store.count(Message.all) == 0)
  }

  @Test func editingAndDeleting() throws {
    try chats.chat("lunch", messages: 8)
    try store.write { transaction in
      try transaction.receive(
        [.text("Sure, see you there.")], in: "lunch", from: "bob", id: "srv-881", position: 13)
      try transaction.receive([.text("Never mind.")], in: "lunch", from: "bob", id: "m7", position: 12)
    }
    let editedAt = GuideStore.date(5)
    try store.write { transaction in
      try transaction.update("srv-881") { $0.parts = [.text("Sure, at one.")] }
      try transaction.update("srv-881") { message in
        message.replacedParts[0] = .text("Sure, at half past one.")
        message.appendedParts = [.url("https://example.com/menu.pdf", mimeType: "application/pdf")]
        message.editedAt = editedAt
      }
      try transaction.update("srv-881") { $0.removedParts = [1] }
    }
    let edited = try store.fetch(Message.filter { $0.editedAt != nil })
    #expect(edited.map(\.id) == ["srv-881"] && edited.first?.text == "Sure, at half past one.")
    #expect(edited.first?.parts.count == 1)
    let before = try store.count(Message.filter { $0.conversation == "lunch" })
    try store.write { transaction in
      try transaction.delete("srv-881", for: .everyone)
      try transaction.delete("m7")
    }
    let shown = Message.filter { $0.conversation == "lunch" && $0.deletedAt == nil }
    try store.write { transaction in
      try transaction.receive(
        [.text("Sure, at one.")], in: "lunch", from: "bob", id: "m7", restoresDeleted: true)
    }
    #expect(try store.count(Message.filter { $0.conversation == "lunch" }) == before)
    #expect(try store.count(shown) == before - 1)
    let lunch = try #require(try store.conversation("lunch"))
    #expect(lunch.lastMessage?.id == "m7")
  }

  @Test func transferring() throws {
    try chats.chat("lunch", messages: 1)
    let lunch: Conversation.ID = "lunch"
    let video = try store.write { transaction in
      try transaction.send(
        [.url("file:///videos/menu.mp4", mimeType: "video/mp4", transferStatus: .awaitingUpload)], to: lunch)
    }
    let waiting = MessagePart.filter { $0.transferStatus == .awaitingUpload }
    try store.write { transaction in
      for part in try transaction.fetch(waiting) {
        try transaction.update(part.message) { $0.transferStatus[part.index] = .uploading }
      }
    }
    #expect(try store.count(waiting) == 0)
    let parts = try store.fetch(MessagePart.filter { $0.transferStatus == .uploading })
    #expect(parts.map(\.message) == [video])
  }

  @Test func contentsInPieces() throws {
    try chats.chat("lunch", messages: 1)
    let lunch: Conversation.ID = "lunch"
    let pages = [[UInt8](repeating: 0x20, count: 100_000), [UInt8](repeating: 0x0A, count: 30_000)]
    try store.write(
      contents: [.draft(.text("The menu")), .chunks(pages, mimeType: "application/pdf")], for: lunch
    ) { transaction, parts in
      try transaction.send(parts, to: lunch)
    }
    let menu = try #require(try store.first(MessagePart.filter { $0.mimeType == "application/pdf" }))
    #expect(try menu.size == 130_000 && store.data(of: menu.id, in: 99_999..<100_001) == Data([0x20, 0x0A]))
  }

  @Test func receiving() throws {
    try chats.chat("lunch", messages: 1)
    let sentAt = GuideStore.date(7)
    let arrived = try store.write { transaction in
      try transaction.receive(
        [.text("Sure, see you there.")], in: "lunch", from: "bob", id: "srv-881", position: 13,
        sentAt: sentAt, recipientStatus: ["alice": .delivered])
    }
    let message = try #require(try store.first(Message.filter { $0.identifier == arrived }))
    #expect(message.isUnread && message.isSent && message.position == 13 && message.sentAt == sentAt)
    let editedAt = GuideStore.date(20)
    try store.write { transaction in
      try transaction.receive(
        [.text("Sure, see you at one.")], in: "lunch", from: "bob", id: "srv-881",
        editedAt: editedAt, ifExists: .merge)
    }
    let merged = try #require(try store.message("srv-881"))
    #expect(merged.text == "Sure, see you at one." && merged.editedAt == editedAt)
    try store.write { transaction in
      try transaction.receive([.text("Hi")], in: "lunch", from: "bob", id: "srv-882", ifExists: .ignore)
    }
    let numberRead = try store.write { transaction in
      try transaction.markAsRead("srv-881")
      return try transaction.markAsRead(Conversation.ID("lunch"))
    }
    #expect(numberRead == 2)
    #expect(try store.count(Message.filter { $0.isUnread }) == 0)
    let notice = try store.write { transaction in
      try transaction.announce([.text("The service is down on Sunday.")], from: "operator")
    }
    #expect(try store.fetch(Announcement.filter { $0.isUnread }).map(\.id) == [notice])
    #expect(try store.count(Message.filter { $0.sender.userID == "operator" }) == 0)
  }

  @Test func conversations() throws {
    let (project, again) = try store.write { transaction in
      let project = try transaction.createConversation(
        with: ["bob", "carol"], id: "project-7", metadata: ["title": "Project 7"])
      try transaction.addParticipants(["dave"], to: project.id)
      try transaction.removeParticipants(["carol"], from: project.id)
      let bob = try transaction.conversation(with: ["bob"])
      return (project.id, try transaction.conversation(with: ["bob"]).id == bob.id)
    }
    #expect(again)
    #expect(try store.count(Conversation.all) == 0)
    try chats.receive("First", in: project, at: 1)
    #expect(
      try store.first(Conversation.filter { $0.identifier == project })?.participants
        == ["alice", "bob", "dave"])
    try store.write { transaction in
      try transaction.put(Identity(userID: "bob", displayName: "Bob", presenceStatus: .away))
      try transaction.setFollowed(true, "carol")
    }
    #expect(try store.identifiers(Identity.filter { $0.followed }) == ["carol"])
    #expect(try store.count(Message.filter { $0.sender.displayName == "Bob" }) == 1)
    try store.write { transaction in try transaction.leave("project-7") }
    #expect(try store.conversation("project-7") == nil)
  }

  @Test func metadata() throws {
    try chats.chat("lunch", metadata: ["title": "Lunch", "theme": ["color": "red"]], messages: 1)
    try store.write { transaction in
      let lunch = MetadataOwner.conversation("lunch")
      try transaction.setMetadata("blue", at: "theme.color", of: lunch)
      try transaction.setMetadata(5, at: "priority", of: lunch)
      try transaction.mergeMetadata(
        ["theme": ["size": "large"], "due": Date.now, "muted": true], into: lunch)
      try transaction.removeMetadata(at: "title", of: lunch)
    }
    let conversation = try #require(try store.first(Conversation.all))
    #expect(conversation.metadata["theme.color"] == "blue" && conversation.metadata["theme.size"] == "large")
    #expect(
      conversation.metadata.value(at: "priority") == 5 && conversation.metadata.value(at: "muted") == true)
    #expect(conversation.metadata.value(at: "title") == nil)
    let error = #expect(throws: SatchelError.self) {
      try store.write { try $0.setMetadata("x", at: "theme..color", of: .conversation("lunch")) }
    }
    #expect(error?.code == .invalidKey)
  }

  @Test func oneWrite() throws {
    try chats.chat("lunch", messages: 2)
    struct Refused: Error {}

    do {
      try store.write { transaction in
        try transaction.send([.text("Never stored")], to: "lunch")
        throw Refused()
      }
    } catch is Refused {}
    #expect(try store.count(Message.all) == 2)
    let unread = try store.write { transaction in
      try transaction.receive([.text("One more")], in: "lunch", from: "bob")
      return try transaction.count(Message.filter { $0.isUnread })
    }
    #expect(unread == 3)
    let (draft, waiting) = try store.write { transaction in
      let draft = try transaction.send([.text("On my way")], to: "lunch")
      return try transaction.read { snapshot in
        (try snapshot.message(draft), try snapshot.count(Message.filter { !$0.isSent }))
      }
    }
    #expect(draft?.text == "On my way")
    #expect(waiting == 1)
    try store.write { transaction in
      do {
        try transaction.receive([.text("Hello")], in: "unknown", from: "bob")
      } catch let error as SatchelError where error.code == .unknownConversation {
        try transaction.createConversation(with: ["bob"], id: "unknown")
        try transaction.receive([.text("Hello")], in: "unknown", from: "bob")
      }
    }
    #expect(try store.count(Message.filter { $0.conversation == "unknown" }) == 1)
  }

  @Test func asynchronously() async throws {
    try chats.chat("lunch", messages: 1)
    let ids = try await receive(["One", "Two"], in: "lunch", of: store)
    #expect(try await store.identifiers(Message.all).suffix(2) == ids[...])
  }

  func receive(
    _ texts: [String], in conversation: Conversation.ID, of store: MessageStore
  ) async throws -> [Message.ID] {
    try await store.write { transaction in
      try texts.map { text in
        try transaction.receive([.text(text)], in: conversation, from: "bob")
      }
    }
  }
}
