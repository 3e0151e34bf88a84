import SatchelCoding
import SatchelModel
import SatchelStorage
import TestSupport
import Testing

/// Marking a whole conversation goes another way than marking messages, and comes to the same bytes.
@Suite struct MarkingReadTests {
  @Test(arguments: [1, 40, 1200]) func aConversationIsMarkedAsItsMessagesAre(_ count: Int) throws {
    let seed = TestEnvironment.seed()
    let first = try TemporaryDirectory()
    let second = try TemporaryDirectory()
    let unread = try Self.fill(first.path, count: count, seed: seed)
    try TemporaryDirectory.copyStore(first.path, to: second.path)
    // A journal's chain depends on the order of changes in a commit.
    let whole = try openStore(first.path, journaled: false)
    let single = try openStore(second.path, journaled: false)
    for (conversation, ids) in unread {
      #expect(try whole.write { try $0.markAllRead(in: conversation) } == ids.count, "seed \(seed)")
      #expect(try whole.write { try $0.markAllRead(in: conversation) } == 0)
      try single.write { try $0.markRead(ids) }
      try single.write { try $0.markRead(ids) }
    }
    #expect(try whole.read { try $0.conversation(of: [99])?.unreadCount } == 0)
    try whole.read(StoreContents.init).expectSame(as: single.read(StoreContents.init))
    try expectSound(whole)
  }

  @Test func whatTheSameWriteHasAddedIsMarked() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for number in 0..<3 {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("m\(number)"), sender: "bob", isUnread: true), in: "c")
      }
      #expect(try writer.markAllRead(in: "c") == 3)
      var update = MessageUpdate()
      update.isUnread = true
      try writer.updateMessage("m1", update)
      #expect(try writer.markAllRead(in: "c") == 1)
      try writer.updateMessage("m1", update)
    }
    try expectSound(store)
    #expect(try store.read { try $0.conversation(of: [99])?.unreadCount } == 1)
  }

  /// Makes conversations with `count` unread messages among others, one that the user sees and one that she does not.
  /// Returns the identifiers of the unread messages, in the order of their conversation.
  private static func fill(_ path: String, count: Int, seed: UInt64) throws
    -> [(Conversation.ID, [Message.ID])]
  {
    var random = SeededGenerator(seed: seed)
    var unread: [(Conversation.ID, [Message.ID])] = []
    let store = try openStore(path)
    for name in ["c", "hidden"] {
      var ids: [(place: [Int64], Message.ID)] = []
      try store.write { writer in
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID(name), participants: ["bob", "carol"]))
        var update = ConversationUpdate()
        if name == "hidden" { update.participants = .remove(["me"]) }
        try writer.updateConversation(Conversation.ID(name), update)
        for number in 0..<count + 20 {
          let isUnread = number < count
          let draft = MessageDraft(
            identifier: Message.ID("\(name) \(number)"), sender: random.percent(50) ? "bob" : "carol",
            position: random.percent(80) ? Int64(random.below(100)) : nil,
            sentAt: random.percent(80) ? Timestamp(microseconds: Int64(random.below(1000))) : nil,
            isUnread: isUnread, parts: random.percent(50) ? [.text("x")] : [])
          let id = try writer.insertMessage(draft, in: Conversation.ID(name))
          if isUnread { ids.append(([draft.position ?? .max, Int64(number)], id)) }
        }
      }
      ids.sort { $0.place.lexicographicallyPrecedes($1.place) }
      unread.append((Conversation.ID(name), ids.map(\.1)))
    }
    store.close()
    return unread
  }
}
