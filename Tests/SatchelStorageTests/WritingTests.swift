import RankedIndex
import SatchelCoding
import SatchelImport
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

@Suite struct WritingTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
  }

  private func conversation(_ id: Conversation.ID) throws -> Conversation {
    try store.read { snapshot in
      try snapshot.makeConversation(try #require(try snapshot.locateConversation(id.rawValue)))
    }
  }

  private func message(_ id: Message.ID) throws -> Message {
    try store.read { snapshot in
      let key = try #require(try snapshot.locateMessage(id.rawValue))
      return try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence)
    }
  }

  @Test func sendsAMessage() throws {
    let (conversation, sent) = try store.write { writer in
      let id = try writer.createConversation(ConversationDraft(participants: ["bob", "carol"]))
      return (id, try writer.send([.text("Noon?"), .data([1, 2], mimeType: "image/png")], to: id))
    }
    let message = try message(sent)
    #expect(message.sender == "me")
    #expect(message.conversation == conversation)
    #expect(message.position == nil)
    #expect(message.sentTimestamp != nil && message.sentTimestamp == message.receivedTimestamp)
    #expect(!message.isSent && !message.isUnread)
    #expect(message.recipientStatus == ["bob": .pending, "carol": .pending])
    #expect(message.parts.map(\.mimeType) == ["text/plain", "image/png"])
    #expect(message.parts.map(\.size) == [5, 2])
    #expect(try self.conversation(conversation).lastMessage == message)
    try expectSound(store)
  }

  /// A record keeps contents of at most 512 bytes, and of at most 1,024 in all, whichever way the message comes.
  @Test func aRecordKeepsAThousandBytesOfContents() throws {
    let sizes = [513, 500, 500, 25, 24, 1]
    let isInBodies = [true, false, false, true, false, true]
    func parts(_ message: Int) -> [MessagePart.Draft] {
      sizes.enumerated().map { index, size in
        let bytes = [UInt8](repeating: UInt8(ascii: "a") + UInt8(message * 6 + index), count: size)
        switch index % 3 {
        case 0: return .data(bytes, mimeType: "a/b")
        case 1: return .text(String(decoding: bytes, as: UTF8.self))
        default: return .url(String(decoding: bytes, as: UTF8.self), mimeType: "a/b")
        }
      }
    }
    func draft(_ identifier: Message.ID, _ message: Int) -> MessageDraft {
      MessageDraft(identifier: identifier, sender: "bob", parts: parts(message))
    }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: []))
      _ = try writer.insertMessage(draft("added", 0), in: "c")
      _ = try writer.insertAnnouncement(draft("announced", 1))
    }
    store.close()
    var lines = 0
    _ = try ImportSession.run(
      into: directory.path, user: "me", options: Store.Options(),
      next: { session in
        guard lines == 0 else { return false }
        lines += 1
        try session.addMessage(draft("staged", 2), in: "c", line: 1)
        return true
      }, apply: { _, _, _ in })
    let store = try openStore(directory.path)
    try store.read { snapshot in
      for (message, identifier) in ["added", "announced", "staged"].enumerated() {
        let key = try #require(try snapshot.locateMessage(identifier))
        let view = try #require(try snapshot.message(key))
        var stored: [Bool] = []
        view.forEachPart { stored.append($0.isStored) }
        #expect(stored == isInBodies, "\(identifier)")
        for (index, size) in sizes.enumerated() {
          let byte = UInt8(ascii: "a") + UInt8(message * 6 + index)
          let content = try snapshot.content(ofPart: index, message: identifier)
          #expect(content == [UInt8](repeating: byte, count: size), "\(identifier), part \(index)")
        }
      }
    }
    try expectSound(store)
  }

  @Test func contentsOfEverySizeComeBack() throws {
    let sizes = [0, 1, 511, 512, 513, 699, 700, 2047, 2048, 2049, 4072, 4073, 9000, 65_536, 65_537, 200_000]
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: []))
      let parts = sizes.map { size in
        MessagePart.Draft.data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, mimeType: "a/b")
      }
      let texts = sizes.map { MessagePart.Draft.text(String(repeating: "x", count: $0)) }
      _ = try writer.insertMessage(
        MessageDraft(identifier: "m", sender: "bob", parts: parts + texts), in: "c")
      _ = try writer.insertMessage(
        MessageDraft(
          identifier: "u", sender: "bob",
          parts: [.url("https://e.org/" + String(repeating: "y", count: 5000), mimeType: "a/b", size: 7)]),
        in: "c")
    }
    let message = try message("m")
    for (index, size) in sizes.enumerated() {
      let expected = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let text = String(repeating: "x", count: size)
      #expect(message.parts[index].content == (size <= 65_536 ? .data(expected) : .storedData))
      #expect(message.parts[sizes.count + index].content == (size <= 65_536 ? .text(text) : .storedText))
      #expect(message.parts[index].size == Int64(size))
      let range = UInt64(size / 3)..<UInt64(size - size / 4)
      let contents = try store.read { snapshot in
        (
          data: try snapshot.content(ofPart: index, message: "m"),
          text: try snapshot.content(ofPart: sizes.count + index, message: "m"),
          range: try snapshot.content(ofPart: index, message: "m", range: range)
        )
      }
      #expect(contents.data == expected)
      #expect(contents.text == Array(text.utf8))
      #expect(contents.range == Array(expected[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    let link = try self.message("u").parts[0]
    #expect(link.size == 7)
    guard case .url(let url) = link.content else {
      Issue.record("not a link")
      return
    }
    #expect(url.utf8.count == 5014)
    #expect(code { try store.read { _ = try $0.content(ofPart: 99, message: "m") } } == .unknownMessage)
    try expectSound(store)
    try store.write { try $0.deleteMessage("m") }
    try expectSound(store)
  }

  @Test func throwingDiscardsEverything() throws {
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.insertMessage(MessageDraft(identifier: "m", sender: "bob", isUnread: true), in: "c")
    }
    let before = try conversation("c")
    #expect(throws: Failure.self) {
      try store.write { writer in
        _ = try writer.send([.text("new words, new types", mimeType: "x/new")], to: "c")
        try writer.markRead(["m"])
        try writer.putIdentity(Identity(userID: "new user", displayName: "N"))
        _ = try writer.read { try $0.makeConversation(0) }
        try writer.deleteMessage("m")
        throw Failure(description: "on purpose")
      }
    }
    #expect(try conversation("c") == before)
    #expect(try store.read { try $0.users.number(of: "new user") } == nil)
    #expect(try store.read { try $0.mimeTypes.number(of: "x/new") } == nil)
    try expectSound(store)
    try store.write { _ = try $0.send([.text("other", mimeType: "x/other")], to: "c") }
    try expectSound(store)
  }

  @Test func refusesWhatIsWrongAndChangesNothing() throws {
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.insertMessage(MessageDraft(identifier: "m", sender: "bob"), in: "c")
      _ = try writer.insertAnnouncement(MessageDraft(identifier: "a", sender: "bob"))
      try writer.insertIdentity(Identity(userID: "bob"))
    }
    let sequence = try store.sequence()
    let bad: Metadata = ["a": ["": "x"]]
    let cases: [(SatchelError.Code, (Writer) throws -> Void)] = [
      (.unknownConversation, { _ = try $0.send([], to: "x") }),
      (.identifierExists, { _ = try $0.send([], to: "c", identifier: "m") }),
      (.identifierExists, { _ = try $0.send([], to: "c", identifier: "a") }),
      (.identifierExists, { _ = try $0.insertAnnouncement(MessageDraft(identifier: "m", sender: "x")) }),
      (.invalidIdentifier, { _ = try $0.send([], to: "c", identifier: "") }),
      (.invalidIdentifier, { _ = try $0.send([], to: "c", identifier: "a\0") }),
      (.invalidIdentifier, { _ = try $0.insertMessage(MessageDraft(sender: ""), in: "c") }),
      (.invalidValue, { _ = try $0.send([.text("", mimeType: "")], to: "c") }),
      (.invalidKey, { _ = try $0.send([], to: "c", metadata: bad) }),
      (
        .identifierExists,
        { _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: [])) }
      ),
      (.invalidIdentifier, { _ = try $0.createConversation(ConversationDraft(participants: [""])) }),
      (.invalidKey, { _ = try $0.createConversation(ConversationDraft(participants: [], metadata: bad)) }),
      (.identifierExists, { try $0.insertIdentity(Identity(userID: "bob")) }),
      (.invalidKey, { try $0.putIdentity(Identity(userID: "eve", metadata: bad)) }),
      (.unknownMessage, { try $0.updateMessage("x", MessageUpdate()) }),
      (.unknownMessage, { try $0.markRead(["m", "x"]) }),
      (.unknownMessage, { try $0.deleteMessage("x") }),
      (.unknownConversation, { try $0.deleteConversation("x") }),
      (.unknownConversation, { try $0.markAllRead(in: "x") }),
      (.unknownConversation, { try $0.updateConversation("x", ConversationUpdate()) }),
      (.unknownIdentity, { try $0.updateIdentity("eve", IdentityUpdate()) }),
      (
        .invalidValue,
        {
          _ = try $0.send(
            Array(repeating: .text("x"), count: 65_536), to: "c")
        }
      ),
      (
        .invalidKey,
        {
          var update = MessageUpdate()
          update.position = .set(3)
          update.metadata = [.set("x", at: MetadataPath(dotted: "a..b"))]
          try $0.updateMessage("m", update)
        }
      ),
    ]
    // Each alone, and all in one transaction that goes on: nothing is left of any of them.
    for (expected, body) in cases { #expect(code { try store.write(body) } == expected) }
    try store.write { writer in
      for (expected, body) in cases { #expect(code { try body(writer) } == expected) }
    }
    #expect(try store.sequence() <= sequence + 1)
    #expect(try conversation("c").messageCount == 1)
    #expect(try message("m").position == nil)
    try expectSound(store)
  }

  @Test func distinctConversationsAreFoundAgain() throws {
    let first = try store.write { try $0.conversation(with: ["bob", "carol"], metadata: ["title": "Lunch"]) }
    let second = try store.write { writer in
      let again = try writer.conversation(with: ["carol", "bob", "me", "bob"])
      let other = try writer.conversation(with: ["carol"])
      #expect(try writer.conversation(with: ["carol"]) == other)
      #expect(again != other)
      return again
    }
    #expect(first == second)
    var thrown: SatchelError?
    do {
      try store.write {
        _ = try $0.createConversation(ConversationDraft(participants: ["bob", "carol"], isDistinct: true))
      }
    } catch let error as SatchelError { thrown = error }
    #expect(thrown?.code == .distinctConversationExists)
    #expect(thrown?.existingConversation == first)
    // Other participants end distinctness.
    try store.write { writer in
      var update = ConversationUpdate()
      update.participants = .add(["dave"])
      try writer.updateConversation(first, update)
      update.participants = .remove(["dave", "nobody"])
      try writer.updateConversation(first, update)
    }
    #expect(try !conversation(first).isDistinct)
    #expect(try store.write { try $0.conversation(with: ["bob", "carol"]) } != first)
    try expectSound(store)
  }

  @Test func visibilityFollowsParticipantsAndMessages() throws {
    func visible() throws -> (conversations: Int, messages: Int) {
      try store.read { snapshot in
        (
          try snapshot.forest.count(IndexCatalog.conversationRows.tree),
          try snapshot.forest.count(IndexCatalog.messageCreated.tree)
        )
      }
    }
    try store.write {
      _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
    }
    #expect(try visible() == (0, 0))
    try store.write { writer in
      for index in 0..<30 {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob", isUnread: index % 3 == 0, parts: [.text("x")]),
          in: "c")
      }
    }
    #expect(try visible() == (1, 30))
    try store.write { writer in
      var update = ConversationUpdate()
      update.participants = .remove(["me"])
      try writer.updateConversation("c", update)
      _ = try writer.insertMessage(MessageDraft(identifier: "new", sender: "bob", isUnread: true), in: "c")
      try writer.deleteMessage("m3")
    }
    #expect(try visible() == (0, 0))
    try expectSound(store)
    try store.write { writer in
      var update = ConversationUpdate()
      update.participants = .replace(["bob", "me"])
      try writer.updateConversation("c", update)
    }
    #expect(try visible() == (1, 30))
    try expectSound(store)
    try store.write { writer in
      for id in ["new"] + (0..<30).filter({ $0 != 3 }).map({ "m\($0)" }) {
        try writer.deleteMessage(Message.ID(id))
      }
    }
    #expect(try visible() == (0, 0))
    #expect(try conversation("c").lastMessage == nil)
    try expectSound(store)
  }

  @Test func lastMessageFollowsPositions() throws {
    func last() throws -> String? { try conversation("c").lastMessage?.id.rawValue }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for (id, position) in [("a", 5), ("b", 9), ("c", 7)] as [(String, Int64)] {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID(id), sender: "bob", position: position), in: "c")
      }
    }
    #expect(try last() == "b")
    try store.write { _ = try $0.send([], to: "c", identifier: "unsent") }
    #expect(try last() == "unsent")
    func move(_ id: Message.ID, _ position: Change<Int64>) throws {
      try store.write { writer in
        var update = MessageUpdate()
        update.position = position
        try writer.updateMessage(id, update)
      }
    }
    try move("unsent", .set(8))
    #expect(try last() == "b")
    try move("b", .set(1))
    #expect(try last() == "unsent")
    try move("a", .clear)
    #expect(try last() == "a")
    try store.write { try $0.deleteMessage("a") }
    #expect(try last() == "unsent")
    // Equal positions: the one created later.
    try move("c", .set(8))
    #expect(try last() == "unsent")
    try move("b", .set(8))
    #expect(try last() == "unsent")
    try store.write { try $0.deleteMessage("unsent") }
    #expect(try last() == "c")
    try expectSound(store)
  }

  @Test func recordsGiveBackTheBytesTheyWereGiven() throws {
    let decomposed = "e\u{301}"
    let composed = "\u{E9}"
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"], metadata: ["t": .text(decomposed)]))
      _ = try writer.send([.text(decomposed)], to: "c", identifier: "m")
      try writer.putIdentity(Identity(userID: "bob", displayName: decomposed))
    }
    func title() throws -> [UInt8] { Array((try conversation("c").metadata["t"] ?? "").utf8) }
    #expect(try title() == Array(decomposed.utf8))
    let text = try message("m").text ?? ""
    #expect(Array(text.utf8) == Array(decomposed.utf8))
    try store.write { writer in
      var update = ConversationUpdate()
      update.metadata = [.set(.text(composed), at: MetadataPath(dotted: "t"))]
      try writer.updateConversation("c", update)
      try writer.putIdentity(Identity(userID: "bob", displayName: composed))
    }
    #expect(try title() == Array(composed.utf8))
    let name = try store.read { try $0.makeIdentity(0).displayName }
    #expect(Array((name ?? "").utf8) == Array(composed.utf8))
    try expectSound(store)
  }
}
