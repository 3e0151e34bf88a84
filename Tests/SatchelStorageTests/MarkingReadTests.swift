import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

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

  /// The copies of the marked records fill the write's memory, so that it is given to the file and freed between two messages
  /// of the conversation: the messages of which the write has just added.
  @Test func recordsThatAreMarkedMayLeaveTheMemoryOfTheWrite() throws {
    // Whoever still reads what was freed, reads something else.
    Self.overwriteFreedMemory(with: 0xA5)
    defer { Self.overwriteFreedMemory(with: 0) }
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    // Metadata is in the record, whatever its length.
    let metadata: Metadata = ["note": .text(String(repeating: "t", count: 1000))]
    try store.write { writer in
      for name in ["first", "second"] {
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID(name), participants: ["bob"]))
      }
      func insert(_ count: Int, in conversation: Conversation.ID) throws {
        for number in 0..<count {
          _ = try writer.insertMessage(
            MessageDraft(
              sender: "bob", position: Int64(number), sentAt: Timestamp(microseconds: Int64(number)),
              isUnread: true, metadata: metadata), in: conversation)
        }
      }
      // More than the memory holds, a megabyte. What comes after it is in memory that nothing but this write keeps.
      try insert(1000, in: "first")
      try insert(600, in: "second")
      #expect(try writer.markAllRead(in: "second") == 600)
    }
    try expectSound(store)
    let unread = try store.read { snapshot in
      try (0..<2).map { try snapshot.conversation(UInt32($0)).fields().unreadCount }
    }
    #expect(unread == [1000, 0])
  }

  /// Lets `free` overwrite the memory that it is given, where the system's can; 0 for no longer.
  private static func overwriteFreedMemory(with byte: Int32) {
    #if canImport(Glibc)
      // Glibc's module lacks this call.
      guard let address = dlsym(nil, "mallopt") else { return }
      let perturbation: Int32 = -6
      _ = unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)(perturbation, byte)
    #endif
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
