import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Messages and conversations to which a service has given an identifier of its own.
@Suite struct ConfirmationTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.createConversation(with: ["bob", "carol"], id: "other")
      try tx.receive([.text("Hello")], in: "room", from: "bob", id: "first", position: 1)
      try tx.send([.text("Noon?")], to: "room", id: "draft", metadata: ["a": "b"])
    }
  }

  func message(_ id: Message.ID) throws -> Message? { try store.read { try $0.message(id) } }

  @Test func aConfirmationSetsAllAtOnce() throws {
    let commits = try store.lastSequence()
    try store.write { tx in
      try tx.confirm("draft", as: "srv-2", position: 2, sentAt: date(5), receivedAt: date(6))
    }
    #expect(try store.lastSequence() == commits + 1)
    let found = try #require(try message("draft"))
    #expect(found.remoteID == "srv-2" && found.isSent && found.position == 2)
    #expect(found.sentAt == date(5) && found.receivedAt == date(6) && found.text == "Noon?")
    #expect(try message("srv-2") == found)
    #expect(try store.conversation("room")?.lastMessage == found)
    // The identifier and what the service calls it are two properties.
    let asked: [(String, [Message.ID])] = [
      ("remoteID = 'srv-2'", ["draft"]), ("identifier = 'srv-2'", []), ("remoteID = 'draft'", []),
      ("identifier = 'draft'", ["draft"]), ("remoteID = nil", ["first"]), ("remoteID LIKE 'srv%'", ["draft"]),
      ("remoteID IN {'srv-2', 'first'} AND isSent = true", ["draft"]),
    ]
    for (query, ids) in asked {
      #expect(try store.fetch(Message.filter(QueryPredicate(format: query))).map(\.id) == ids, "\(query)")
    }
    #expect(try store.fetch(Message.filter { $0.remoteID == "srv-2" }).map(\.id) == ["draft"])
    let plan = try store.explain(Message.filter { $0.remoteID == "srv-2" })
    #expect(plan.paths[plan.chosen].cardinality == 1)
    // Again: nothing changes.
    try store.write { tx in try tx.confirm("srv-2", as: "srv-2", position: 2) }
    #expect(try store.lastSequence() == commits + 1)
    try expectSound(store)
  }

  @Test func bothNamesAreTaken() throws {
    try store.write { tx in try tx.confirm("draft", as: "srv-2", position: 2) }
    failure(.identifierExists) { _ = try store.write { tx in try tx.send([], to: "room", id: "srv-2") } }
    failure(.identifierExists) {
      _ = try store.write { tx in try tx.receive([], in: "room", from: "bob", id: "srv-2") }
    }
    failure(.invalidValue) { try store.write { tx in try tx.confirm("draft", as: "srv-3") } }
    failure(.invalidIdentifier) { try store.write { tx in try tx.confirm("draft", as: "") } }
    failure(.unknownMessage) { try store.write { tx in try tx.confirm("none", as: "srv-3") } }
    // A message of somebody else, or of another conversation, is no delivery of the draft.
    try store.write { tx in
      try tx.send([.text("x")], to: "room", id: "second")
      try tx.receive([.text("x")], in: "other", from: "alice", id: "srv-4")
    }
    failure(.identifierExists) { try store.write { tx in try tx.confirm("second", as: "first") } }
    failure(.identifierExists) { try store.write { tx in try tx.confirm("second", as: "srv-4") } }
    #expect(try message("second")?.isSent == false)
    // In one write, too, and after the message that had the names is gone.
    try store.write { tx in
      try tx.delete("srv-2")
      try tx.send([.text("y")], to: "room", id: "srv-2")
      try tx.confirm("srv-2", as: "srv-2", position: 9)
      try tx.send([.text("z")], to: "room", id: "draft")
      try tx.confirm("draft", as: "srv-9")
    }
    #expect(try message("srv-2")?.position == 9 && message("srv-2")?.remoteID == nil)
    #expect(try message("srv-9")?.text == "z")
    try expectSound(store)
  }

  /// What the service calls a message is as good as its identifier.
  @Test func everyOperationFindsIt() throws {
    try store.write { tx in
      try tx.confirm("draft", as: "srv-2", position: 2)
      try tx.confirm("room" as Conversation.ID, as: "srv-room")
    }
    let delivered = try store.write { tx in
      try tx.receive(
        [.text("One?")], in: "srv-room", from: "alice", id: "srv-2", position: 3, editedAt: date(9),
        ifExists: .merge)
    }
    #expect(try delivered == "draft" && message("draft")?.text == "One?" && message("draft")?.position == 3)
    try store.write { tx in
      try tx.setMetadata("d", at: "c", of: .message("srv-2"))
      try tx.markAsRead(Conversation.ID("srv-room"))
    }
    #expect(try message("draft")?.metadata == ["a": "b", "c": "d"])
    let room = try #require(try store.conversation("srv-room"))
    #expect(room.id == "room" && room.remoteID == "srv-room" && room.unreadCount == 0)
    #expect(try store.fetch(Conversation.filter { $0.remoteID == "srv-room" }).map(\.id) == ["room"])
    #expect(try store.fetch(Message.filter { $0.conversation == "srv-room" }).isEmpty)
    failure(.identifierExists) {
      _ = try store.write { tx in try tx.createConversation(with: ["eve"], id: "srv-room") }
    }
    failure(.identifierExists) {
      try store.write { tx in try tx.confirm("other" as Conversation.ID, as: "srv-room") }
    }
    try store.write { tx in try tx.delete("srv-2") }
    #expect(try message("draft") == nil && message("srv-2") == nil)
    try store.write { tx in try tx.delete(Conversation.ID("srv-room")) }
    #expect(try store.conversation("room") == nil)
    try store.write { tx in _ = try tx.createConversation(with: ["eve"], id: "srv-room") }
    try expectSound(store)
  }

  @Test func conversationsKnowWhenTheyChanged() throws {
    let before = try #require(try store.conversation("room"))
    #expect(before.updatedAt == before.createdAt)
    try store.write { tx in
      try tx.receive([.text("x")], in: "room", from: "bob")
      try tx.markAsRead(Conversation.ID("room"))
      try tx.setParticipants(before.participants, of: "room")
    }
    #expect(try store.conversation("room")?.updatedAt == before.createdAt)
    try store.write { tx in try tx.setMetadata("Room", at: "title", of: .conversation("room")) }
    let after = try #require(try store.conversation("room")?.updatedAt)
    #expect(try after > #require(before.createdAt))
    let sorted = try store.fetch(Conversation.order { $0.updatedAt.descending })
    #expect(sorted.map(\.id) == ["room"])
    #expect(try store.count(Conversation.filter { $0.updatedAt > before.createdAt! }) == 1)
    #expect(try store.count(Message.filter { $0.conversation.updatedAt == after }) == 3)
  }

  /// The delivery comes before the confirmation: the two become one.
  @Test func aDeliveryThatOvertakesItsConfirmation() throws {
    let long = String(repeating: "é", count: 4000)
    try store.write { tx in
      try tx.receive(
        [.text(long), .data([1, 2], mimeType: "a/b"), .url("https://e.org", mimeType: "c/d", size: 7)],
        in: "room", from: "alice", id: "srv-2", position: 2, sentAt: date(7), receivedAt: date(8),
        isUnread: false, recipientStatus: ["bob": .read], metadata: ["c": "d"])
    }
    #expect(try store.count(Message.filter { $0.conversation == "room" }) == 3)
    try store.write { tx in try tx.confirm("draft", as: "srv-2", position: 4) }
    #expect(try store.count(Message.filter { $0.conversation == "room" }) == 2)
    let joined = try #require(try message("srv-2"))
    #expect(joined.id == "draft" && joined.remoteID == "srv-2" && joined.isSent && !joined.isUnread)
    #expect(joined.position == 4 && joined.sentAt == date(7) && joined.receivedAt == date(8))
    #expect(try store.text(of: joined.parts[0].id) == long && joined.parts.map(\.size) == [8000, 2, 7])
    #expect(joined.metadata == ["a": "b", "c": "d"] && joined.recipientStatus == ["bob": .read])
    #expect(try store.conversation("room")?.lastMessage?.id == "draft")
    #expect(try store.conversation("room")?.messageCount == 2)
    // Deleted for everyone elsewhere, it is deleted for everyone here.
    try store.write { tx in
      try tx.send([.text("Late")], to: "room", id: "late")
      try tx.receive([.text("Late")], in: "room", from: "alice", id: "srv-3", position: 5)
      try tx.delete("srv-3", for: .everyone, at: date(20))
      try tx.confirm("late", as: "srv-3")
    }
    let late = try #require(try message("late"))
    #expect(late.deletedAt == date(20) && late.parts.isEmpty && late.position == 5 && late.isSent)
    try expectSound(store)
  }

  /// What is no delivery of the message stays: another draft, and what is known as something else already.
  @Test func noOtherMessageIsTakenForADelivery() throws {
    try store.write { tx in try tx.send([.text("second")], to: "room", id: "draft-2") }
    failure(.identifierExists) { try store.write { tx in try tx.confirm("draft-2", as: "draft") } }
    try store.write { tx in try tx.confirm("draft", as: "srv-2", position: 2) }
    failure(.identifierExists) { try store.write { tx in try tx.confirm("draft-2", as: "srv-2") } }
    failure(.identifierExists) { try store.write { tx in try tx.confirm("draft-2", as: "draft") } }
    #expect(try message("draft")?.text == "Noon?" && message("draft-2")?.text == "second")
    #expect(try message("draft-2")?.isSent == false && message("srv-2")?.id == "draft")
    try expectSound(store)
  }

  @Test func theFeedTellsOfBoth() async throws {
    let commits = try store.lastSequence()
    try store.writing { tx in
      _ = try tx.receive([.text("Noon?")], in: "room", from: "alice", id: "srv-2", position: 2)
    }
    try store.writing { tx in try tx.confirm("draft", as: "srv-2") }
    var followed = store.commits(after: commits + 1).makeAsyncIterator()
    let changes = try #require(await followed.next()).changes
    #expect(changes.contains { $0.object == .message("draft") && $0.action == .updated })
    #expect(changes.contains { $0.object == .message("srv-2") && $0.action == .deleted })
    let told = changes.first { $0.object == .message("draft") }?["remoteID"]
    #expect(told?.before == .missing && told?.after == .text("srv-2"))
  }

  /// An edit that was made here while the message was on its way is newer than what the service delivers.
  @Test func anEditOfTheDraftStays() throws {
    try store.write { tx in
      try tx.update("draft") { $0.parts = [.text("One?")] }
      try tx.receive([.text("Noon?")], in: "room", from: "alice", id: "srv-2", position: 2)
      try tx.confirm("draft", as: "srv-2")
    }
    #expect(try message("draft")?.text == "One?" && message("draft")?.position == 2)
    #expect(try store.count(Message.filter { $0.conversation == "room" }) == 2)
  }

  @Test func listsAreToldOfOneUpdate() async throws {
    let list = store.controller(for: Message.filter { $0.conversation == "room" }.order { $0.position })
    try await list.execute()
    var changes = list.changes.makeAsyncIterator()
    try store.writing { tx in try tx.confirm("draft", as: "srv-2", position: 2) }
    let told = try #require(await changes.next()).changes
    #expect(told.map(\.type) == [.update] && told.first?.object.remoteID == "srv-2")
    #expect(list.objects.last?.remoteID == "srv-2")
  }
}
