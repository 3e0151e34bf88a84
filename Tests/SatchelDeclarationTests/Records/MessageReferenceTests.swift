import Satchel
import SatchelScenes
import Testing

/// What becomes of records when conversations and messages are deleted to which they refer.
@Suite struct MessageReferenceTests {
  private static let note = RecordType("note") {
    $0.reference("about")
    $0.reference("message", to: Reference.messages, onDelete: .cascade)
    $0.reference("chat", to: Reference.conversations)
    $0.reference("user", to: Reference.identities)
  }

  private static func id(_ name: String) -> Record.ID { Record.ID(type: "note", name: name) }

  /// A store with two conversations of messages `c0`, `c1`, … and `d0`, `d1`, ….
  private static func store(messages: Int) throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(note)
    try store.write { tx in
      for chat in ["c", "d"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(chat))
        for number in 0..<messages {
          try tx.receive(
            [.text("x")], in: Conversation.ID(chat), from: "bob", id: Message.ID("\(chat)\(number)"),
            position: Int64(number))
        }
      }
      try tx.announce([.text("x")], from: "bob", id: Announcement.ID("news"))
    }
    return store
  }

  /// More references than messages, and more messages than references; with more than are listed in the log, and with those that leave
  /// the indexes later.
  @Test(arguments: [(3, 20), (40, 4), (1200, 4), (5000, 4)])
  func aConversationGoesWithItsMessages(messages: Int, records: Int) throws {
    let store = try Self.store(messages: messages)
    try store.write { tx in
      for number in 0..<records {
        let name = "\(number % messages)"
        try tx.save(Record(id: Self.id("c\(number)"), ["message": .reference(Message.ID("c" + name))]))
        try tx.save(Record(id: Self.id("d\(number)"), ["message": .reference(Message.ID("d" + name))]))
      }
      try tx.save(Record(id: Self.id("chat"), ["chat": .reference(Conversation.ID("c")), "n": 1]))
      try tx.save(Record(id: Self.id("any"), ["about": .reference(Message.ID("c1"))]))
      try tx.save(Record(id: Self.id("other"), ["about": .reference(Conversation.ID("d"))]))
      // These lead to nothing, and did so before.
      try tx.save(Record(id: Self.id("never"), ["message": .reference(Message.ID("none"))]))
      try tx.save(Record(id: Self.id("free"), ["free": .reference(Message.ID("c1"))]))
    }
    try store.write { try $0.delete(Conversation.ID("c")) }
    for number in 0..<records {
      #expect(try store.record(Self.id("c\(number)")) == nil)
      #expect(try store.record(Self.id("d\(number)")) != nil)
    }
    #expect(try store.record(Self.id("chat"))?.fields == ["n": 1])
    #expect(try store.record(Self.id("any"))?.fields.isEmpty == true)
    #expect(try store.record(Self.id("other"))?["about"] == .reference(Conversation.ID("d")))
    #expect(try store.record(Self.id("never"))?["message"] != nil)
    #expect(try store.record(Self.id("free"))?["free"] != nil)
    try expectSound(store)
    // A reference that comes later is to what is not there.
    try store.write { try $0.save(Record(id: Self.id("late"), ["message": .reference(Message.ID("c0"))])) }
    #expect(try store.record(Self.id("late")) != nil)
  }

  /// Also if the write saves the reference when the conversation is gone already.
  @Test(arguments: [3, 40]) func theOrderWithinAWriteDoesNotMatter(messages: Int) throws {
    let store = try Self.store(messages: messages)
    let record = Record(id: Self.id("r"), ["message": .reference(Message.ID("c2"))])
    for isFirst in [true, false] {
      try store.write { tx in
        let chat = Conversation.ID(isFirst ? "c" : "d")
        let record = Record(id: record.id, ["message": .reference(Message.ID(isFirst ? "c2" : "d2"))])
        if isFirst { try tx.save(record) }
        try tx.delete(chat)
        if !isFirst { try tx.save(record) }
      }
      #expect(try store.record(record.id) == nil)
    }
    try expectSound(store)
  }

  @Test func messagesAndAnnouncementsAreFoundByEachOfTheirNames() throws {
    let store = try Self.store(messages: 4)
    try store.write { tx in
      let sent = try tx.send([.text("x")], to: "c", id: "own")
      try tx.confirm(sent, as: "srv", position: 10)
      for name in ["own", "srv", "c0", "c1", "news"] {
        try tx.save(Record(id: Self.id(name), ["message": .reference(Message.ID(name))]))
      }
    }
    try store.write { tx in
      try tx.delete("own")
      try tx.delete(Announcement.ID("news"))
      // One that is deleted for everyone is still a message.
      try tx.delete("c0", for: .everyone)
    }
    #expect(
      try store.records(["own", "srv", "c0", "c1", "news"].map(Self.id)).map(\.id.name) == ["c0", "c1"])
    // A message that comes back in the same write was not gone.
    try store.write { tx in
      try tx.delete("c1")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "c1", position: 1, restoresDeleted: true)
    }
    #expect(try store.record(Self.id("c1")) != nil)
    try expectSound(store)
  }

  @Test func whatIsUsualFollowsWhatIsReferredTo() throws {
    #expect(ReferenceAction.standard(for: "note") == .restrict)
    for type in [Reference.conversations, Reference.messages, Reference.identities] {
      #expect(ReferenceAction.standard(for: type) == .nullify)
    }
    #expect(Self.note.field(named: "about")?.onDelete == nil)
    #expect(Self.note.field(named: "message")?.onDelete == .cascade)
    #expect(Self.note.field(named: "chat")?.onDelete == .nullify)
    let store = try Self.store(messages: 1)
    try store.write { tx in
      try tx.save(Record(id: Self.id("a"), ["about": .reference(Message.ID("c0"))]))
      try tx.save(Record(id: Self.id("b"), ["about": .reference(Self.id("a"))]))
    }
    let error = failure(.referenced) { try store.write { try $0.delete(Self.id("a")) } }
    #expect(error?.context["record"] == "b" && error?.context["object"] == "note/a")
    try store.write { try $0.delete("c0") }
    #expect(try store.record(Self.id("a"))?.fields.isEmpty == true)
    // A message that another one restricts stays, with all else that the write has done.
    try store.declare(RecordType("note") { $0.reference("about", onDelete: .restrict) })
    try store.write { try $0.save(Record(id: Self.id("c"), ["about": .reference(Message.ID("d0"))])) }
    failure(.referenced) { try store.write { try $0.delete(Conversation.ID("d")) } }
    #expect(try store.message("d0") != nil)
    try expectSound(store)
  }
}
