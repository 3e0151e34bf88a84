import LMDB
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

@Suite struct OpeningTests {
  @Test func createsReopensAndKeeps() throws {
    let directory = try TemporaryDirectory()
    var store = try openStore(directory.path)
    #expect(try store.sequence() == 1)
    let id = try store.write { try $0.createConversation(ConversationDraft(participants: ["bob"])) }
    #expect(try store.sequence() == 2)
    store.close()
    store = try openStore(directory.path, user: nil, create: false)
    #expect(store.user == "me")
    let participants = try store.read { snapshot in
      try snapshot.makeConversation(try #require(try snapshot.locateConversation(id.rawValue))).participants
    }
    #expect(participants == ["bob", "me"])
    try expectSound(store)
  }

  @Test func refusesAnotherUser() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    #expect(code { _ = try openStore(directory.path, user: "you") } == .wrongUser)
    // "é" in its two spellings are two users.
    let other = try TemporaryDirectory()
    let accented = try openStore(other.path, user: "\u{E9}")
    #expect(code { _ = try openStore(other.path, user: "e\u{301}") } == .wrongUser)
    #expect(try store.sequence() == 1)
    #expect(try accented.sequence() == 1)
  }

  @Test func refusesWhatIsNoStore() throws {
    let directory = try TemporaryDirectory()
    #expect(code { _ = try openStore(directory.path + "/none", user: nil) } == .noSuchStore)
    #expect(code { _ = try openStore(directory.path, user: "") } == .invalidIdentifier)
    #expect(code { _ = try openStore(directory.path, user: "a\0b") } == .invalidIdentifier)
    let environment = try Environment.open(
      directory: directory.path, options: Environment.Options(databases: ["other"], create: true))
    environment.close()
    #expect(code { _ = try openStore(directory.path, create: false) } == .notAStore)
  }

  /// Writes another format into a store's header.
  private func set(format: UInt32, of store: Store) throws {
    var header = store.header
    header.versions.format = format
    header.versions.minimumReader = format
    let record = header.encode()
    try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      try ObjectKey.header.bytes.withUnsafeBytes { key in
        try record.withUnsafeBytes { try transaction.put(objects, key, $0) }
      }
    }
  }

  @Test func refusesANewerFormat() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try set(format: 99, of: store)
    store.close()
    #expect(code { _ = try openStore(directory.path) } == .newerFormat)
  }

  @Test func twoStoresInOneProcessKeepApart() throws {
    let first = try TemporaryDirectory()
    let second = try TemporaryDirectory()
    let one = try openStore(first.path)
    let two = try openStore(second.path, user: "you")
    let id = try one.write {
      try $0.createConversation(ConversationDraft(identifier: "c", participants: ["x"]))
    }
    #expect(try two.read { try $0.locateConversation(id.rawValue) } == nil)
    // A read of one store inside a write of another is nobody's nesting.
    try one.write { writer in
      try two.write { inner in
        _ = try inner.createConversation(ConversationDraft(identifier: "d", participants: ["y"]))
      }
      _ = try writer.send([.text("hello")], to: id)
    }
    try expectSound(one)
    try expectSound(two)
  }

  @Test func twoHandlesOfOneStoreSeeEachOther() throws {
    let directory = try TemporaryDirectory()
    let one = try openStore(directory.path)
    let two = try openStore(directory.path)
    try one.write { _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: ["x"])) }
    try two.write { _ = try $0.send([.text("hello")], to: "c") }
    one.close()
    #expect(code { _ = try one.sequence() } == .closed)
    #expect(code { try one.write { _ in } } == .closed)
    #expect(try two.read { try $0.makeConversation(0).messageCount } == 1)
  }

  @Test func nestingThrows() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    #expect(code { try store.write { _ in try store.write { _ in } } } == .nestedTransaction)
    #expect(code { try store.write { _ in _ = try store.sequence() } } == .nestedTransaction)
    #expect(code { try store.read { _ in _ = try store.sequence() } } == .nestedTransaction)
  }

  @Test func asynchronousWritesCommit() async throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    let id = try await store.write { writer in
      try writer.createConversation(ConversationDraft(participants: ["bob"]))
    }
    let message = try await store.write { writer in try writer.send([.text("hi")], to: id) }
    #expect(try store.read { try $0.locateMessage(message.rawValue) } != nil)
    await #expect(throws: SatchelError.self) {
      try await store.write { writer in _ = try writer.send([], to: "nowhere") }
    }
    try expectSound(store)
  }

  @Test func aTransactionWithoutChangesGetsNoSequence() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try store.write { _ in }
    #expect(try store.sequence() == 1)
  }
}
