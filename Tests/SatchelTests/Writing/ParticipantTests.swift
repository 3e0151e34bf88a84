import Satchel
import SatchelScenes
import Testing

@Suite struct ParticipantTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      for room: Conversation.ID in ["other", "room"] {
        try tx.createConversation(with: ["bob"], id: room, metadata: ["name": .text(room.rawValue)])
        for place in 1...40 {
          try tx.receive(
            [.text("\(room) \(place)"), .data([0], mimeType: "image/png")], in: room, from: "bob",
            id: Message.ID("\(room) \(place)"), position: Int64(place), sentAt: date(Double(place)),
            metadata: ["tag": "x"])
        }
      }
    }
  }

  @Test func membership() throws {
    func participants() throws -> [Identity.ID]? {
      try store.read { try $0.conversation("room")?.participants }
    }
    try store.write { tx in try tx.addParticipants(["dora", "carol", "bob", "carol"], to: "room") }
    #expect(try participants() == ["alice", "bob", "carol", "dora"])
    #expect(try store.identifiers(Conversation.filter { $0.participants.contains("dora") }) == ["room"])
    try store.write { tx in try tx.removeParticipants(["dora", "nobody"], from: "room") }
    #expect(try participants() == ["alice", "bob", "carol"])
    #expect(try store.count(Conversation.filter { $0.participants.contains("dora") }) == 0)
    try store.write { tx in try tx.setParticipants(["alice", "eve"], of: "room") }
    #expect(try participants() == ["alice", "eve"])
    #expect(try store.count(Conversation.filter { $0.participants == ["eve"] }) == 1)
    #expect(try store.count(Conversation.filter { $0.participantCount == 2 }) == 2)
    try store.write { tx in
      failure(.unknownConversation) { try tx.addParticipants(["x"], to: "none") }
      failure(.unknownConversation) { try tx.removeParticipants(["x"], from: "none") }
      failure(.unknownConversation) { try tx.setParticipants(["x"], of: "none") }
      failure(.invalidIdentifier) { try tx.addParticipants(["good", ""], to: "room") }
      failure(.invalidIdentifier) { try tx.setParticipants(["a\0b"], of: "room") }
    }
    #expect(try participants() == ["alice", "eve"])
    try expectSound(store)
  }

  @Test func leaving() throws {
    try store.write { tx in try tx.leave("room") }
    #expect(try store.identifiers(Conversation.all) == ["other"])
    #expect(try store.count(Message.all) == 40)
    #expect(try store.conversation("room") == nil)
    try store.write { tx in
      // Who is no participant cannot leave, whether that was so before or is so since this write.
      let error = failure(.unknownConversation) { try tx.leave("room") }
      #expect(error?.context["conversation"] == "room" && error?.context["user"] == "alice")
      failure(.unknownConversation) { try tx.leave("none") }
      try tx.leave("other")
      failure(.unknownConversation) { try tx.leave("other") }
      try tx.addParticipants(["alice", "carol"], to: "room")
      try tx.leave("room")
      try tx.addParticipants(["alice"], to: "room")
      // One that is made and left in the same write.
      let distinct = try tx.conversation(with: ["dora"])
      try tx.leave(distinct.id)
      failure(.unknownConversation) { try tx.leave(distinct.id) }
      #expect(try tx.conversation(with: ["dora"]).id != distinct.id)
    }
    #expect(try store.conversation("room")?.participants == ["alice", "bob", "carol"])
    #expect(try store.identifiers(Conversation.all) == ["room"])
    try expectSound(store)
  }

  /// How many of the room's objects the queries of all kinds find, on all sorts of paths.
  func found(_ snapshot: StoreSnapshot) throws -> [Int] {
    var found: [Int] = []
    func add<Object>(_ query: Query<Object>) throws where Object: StoredObject {
      let results = try snapshot.identifiers(query).filter { $0.identifier.hasPrefix("room") }
      found.append(results.count)
      #expect(try snapshot.count(query) == snapshot.identifiers(query).count, "\(query)")
    }
    try add(Conversation.all)
    try add(Conversation.filter { $0.identifier == "room" })
    try add(Conversation.filter { $0.participants.contains("bob") })
    try add(Conversation.filter { $0.metadata.name == "room" })
    try add(Conversation.filter { $0.hasUnreadMessages })
    try add(Conversation.order { $0.lastMessage.receivedAt })
    try add(Conversation.order { $0.metadata.name.descending })
    try add(Message.all)
    try add(Message.filter { $0.identifier == "room 7" })
    try add(Message.filter { $0.conversation == "room" })
    try add(Message.filter { $0.conversation == "room" }.order { $0.position.descending })
    try add(Message.filter { $0.conversation == "room" && $0.isUnread })
    try add(Message.filter { $0.conversation.metadata.name == "room" })
    try add(Message.filter { $0.isUnread })
    try add(Message.filter { $0.sender.userID == "bob" })
    try add(Message.filter { $0.sentAt > date(0) }.order { $0.sentAt })
    try add(Message.filter { $0.parts.any { $0.mimeType == "image/png" } })
    try add(Message.filter { $0.metadata.tag == "x" })
    try add(MessagePart.all)
    try add(MessagePart.filter { $0.mimeType == "image/png" })
    try add(MessagePart.filter { $0.message == "room 7" })
    try add(MessagePart.filter { $0.message.conversation == "room" })
    try add(MessagePart.filter { $0.identifier == "room 7/parts/1" })
    return found
  }

  @Test func leavingAndComingBack() throws {
    let all = [1, 1, 1, 1, 1, 1, 1] + [40, 1, 40, 40, 40, 40, 40, 40, 40, 40, 40] + [80, 40, 2, 80, 1]
    let none = [Int](repeating: 0, count: all.count)
    #expect(try store.read(found) == all)
    try store.write { tx in
      try tx.removeParticipants(["alice"], from: "room")
      #expect(try tx.read(found) == none, "inside the write already")
    }
    #expect(try store.read(found) == none)
    #expect(try store.count(Message.all) == 40)
    failure(.unknownMessage) { _ = try store.content(of: "room 7/parts/0") }
    try expectSound(store)
    // Those who are outside may still be told, and what comes meanwhile is there afterwards.
    try store.write { tx in
      try tx.receive([.text("unseen")], in: "room", from: "bob", id: "room 41", position: 41)
      try tx.delete(Message.ID("room 7"))
      try tx.markAsRead([Message.ID("room 8")])
    }
    #expect(try store.read(found) == none)
    try expectSound(store)
    try store.write { tx in try tx.addParticipants(["alice"], to: "room") }
    let room = try #require(try store.read { try $0.conversation("room") })
    #expect(room.messageCount == 40 && room.unreadCount == 39 && room.lastMessage?.id == "room 41")
    #expect(try store.count(Message.all) == 80)
    #expect(try store.content(of: "room 41/parts/0") == Array("unseen".utf8))
    try expectSound(store)
    try store.write { tx in
      try tx.setParticipants(["bob"], of: "room")
      try tx.setParticipants(["bob", "alice"], of: "room")
    }
    #expect(try store.count(Message.all) == 80)
    try store.write { tx in try tx.setParticipants([], of: "room") }
    #expect(try store.count(Message.all) == 40)
    try expectSound(store)
  }
}
