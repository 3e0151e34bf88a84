import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

/// Many edits of one object in one write, as a stranger's file may have them. Each edit costs its own size; where it
/// cost the object's, these tests would take hours.
@Suite struct ManyEditsTests {
  private static let count = 20_000

  private static func user(_ number: Int) -> Identity.ID { Identity.ID("user \(number)") }

  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
    try store.write { writer in
      _ = try writer.insertConversation(ConversationDraft(identifier: "c", participants: ["me", "bob"]))
      _ = try writer.insertMessage(MessageDraft(identifier: "m", sender: "bob", isUnread: true), in: "c")
      try writer.insertIdentity(Identity(userID: "bob"))
    }
  }

  @Test func ofMetadata() throws {
    try store.write { writer in
      for number in 0..<Self.count {
        let edit = MetadataEdit.set(.text("\(number)"), at: MetadataPath(dotted: "k\(number)"))
        var message = MessageUpdate()
        message.metadata = [edit]
        try writer.updateMessage("m", message)
        var conversation = ConversationUpdate()
        conversation.metadata = [edit]
        try writer.updateConversation("c", conversation)
        var identity = IdentityUpdate()
        identity.metadata = [edit]
        try writer.updateIdentity("bob", identity)
        // What is derived from messages changes the conversation, too.
        if number.isMultiple(of: 1000) {
          _ = try writer.insertMessage(MessageDraft(sender: "bob", isUnread: true), in: "c")
        }
      }
    }
    try store.read { snapshot in
      let key = try #require(try snapshot.locateMessage("m"))
      let message = try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence)
      let conversation = try snapshot.makeConversation(try #require(try snapshot.locateConversation("c")))
      let user = try #require(try snapshot.users.number(of: "bob"))
      let identity = try snapshot.makeIdentity(try #require(try snapshot.locateIdentity(user: user)))
      for metadata in [message.metadata, conversation.metadata, identity.metadata] {
        #expect(metadata.entries.count == Self.count)
        #expect(metadata["k\(Self.count - 1)"] == "\(Self.count - 1)")
      }
      #expect(conversation.messageCount == 1 + Self.count / 1000)
    }
    try expectSound(store)
  }

  @Test func ofRecipients() throws {
    try store.write { writer in
      for number in 1...Self.count {
        var update = MessageUpdate()
        update.recipientStatus = [Self.user(number): .delivered, Self.user(number / 2): nil]
        try writer.updateMessage("m", update)
      }
    }
    try store.read { snapshot in
      let key = try #require(try snapshot.locateMessage("m"))
      let message = try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence)
      // Each edit has removed the user of half its number.
      #expect(message.recipientStatus.count == Self.count - Self.count / 2)
      #expect(message.recipientStatus[Self.user(Self.count / 2 + 1)] == .delivered)
      #expect(message.recipientStatus[Self.user(Self.count / 2)] == nil)
    }
    try expectSound(store)
  }

  /// Of the sets between the first and the last one, none is stored.
  @Test func ofParticipants() throws {
    let sets = { [store] in try store.read { $0.seal[nextID: .participantSets] } }
    let before = try sets()
    try store.write { writer in
      for number in 0..<Self.count {
        var update = ConversationUpdate()
        update.participants = .add([Self.user(number)])
        try writer.updateConversation("c", update)
      }
      var update = ConversationUpdate()
      update.participants = .remove(["user 7", "nobody"])
      try writer.updateConversation("c", update)
    }
    #expect(try sets() == before + 1)
    try store.read { snapshot in
      let conversation = try snapshot.makeConversation(try #require(try snapshot.locateConversation("c")))
      #expect(conversation.participants.count == 2 + Self.count - 1)
      #expect(!conversation.participants.contains("user 7"))
    }
    try expectSound(store)
  }

  /// An edit that changes nothing makes no commit, and one that is undone leaves the object as it was.
  @Test func thatChangeNothing() throws {
    func edit(_ steps: [MetadataEdit], _ participants: ConversationUpdate.Participants = .keep) throws -> Bool
    {
      let before = try store.read { $0.seal.commit }
      try store.write { writer in
        var message = MessageUpdate()
        message.metadata = steps
        try writer.updateMessage("m", message)
        var conversation = ConversationUpdate()
        conversation.metadata = steps
        conversation.participants = participants
        try writer.updateConversation("c", conversation)
      }
      return try store.read { $0.seal.commit } != before
    }
    #expect(try edit([.set("1", at: MetadataPath(dotted: "a.b"))]))
    #expect(try !edit([.set("1", at: MetadataPath(dotted: "a.b"))]))
    #expect(
      try !edit([
        .merge(["a": ["b": "1"]]), .remove(at: MetadataPath(dotted: "a.c")), .replace(["a": ["b": "1"]]),
      ]))
    #expect(try !edit([], .add(["bob"])))
    #expect(try !edit([], .remove(["nobody"])))
    #expect(try !edit([], .replace(["bob", "me"])))
    #expect(try edit([], .add(["carol"])))
  }
}
