import LMDB
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is saved of stores whose files are damaged, and what is said to be lost.
@Suite struct SalvageTests {
  static let pageSize = 4096

  /// A closed store: 4 conversations, 800 messages, some with contents of their own.
  func makeStore(_ path: String) throws {
    let store = try openStore(path)
    defer { store.close() }
    for conversation in 0..<4 {
      try store.write { writer in
        let id = Conversation.ID("c\(conversation)")
        _ = try writer.createConversation(
          ConversationDraft(
            identifier: id, participants: ["bob", Identity.ID("user\(conversation)")],
            metadata: ["title": .text("T\(conversation)")]))
        for index in 0..<200 {
          _ = try writer.insertMessage(
            MessageDraft(
              identifier: Message.ID("m\(conversation)/\(index)"), sender: "bob", position: Int64(index),
              parts: [
                .text("message \(index)"),
                .data([UInt8](repeating: 7, count: index % 10 == 0 ? 5000 : 5), mimeType: "a/b"),
              ]), in: id)
        }
      }
    }
    try store.write { writer in
      try writer.putIdentity(Identity(userID: "bob", displayName: "Bob"))
      _ = try writer.insertAnnouncement(MessageDraft(identifier: "a", sender: "bob"))
      for index in 0..<20 { try writer.deleteMessage(Message.ID("m0/\(index)")) }
    }
  }

  func bytes(_ path: String) throws -> [UInt8] {
    let file = open(path + "/data.mdb", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(description: "no \(path)") }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    guard pread(file, &bytes, bytes.count, 0) == bytes.count else {
      throw Failure(description: "cannot read")
    }
    return bytes
  }

  /// A directory with a file of these bytes.
  func write(_ bytes: [UInt8], _ path: String) throws {
    mkdir(path, 0o700)
    let file = open(path + "/data.mdb", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(description: "no \(path)") }
    defer { close(file) }
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
      throw Failure(description: "cannot write")
    }
  }

  /// The flags of a page, and how long the key of its first node is.
  func shape(_ bytes: [UInt8], _ page: Int) -> (flags: Int, keyBytes: Int) {
    let start = page * Self.pageSize
    let node = Int(bytes[start + 16]) | Int(bytes[start + 17]) << 8
    let keyBytes = node + 8 <= Self.pageSize ? Int(bytes[start + node + 6]) : 0
    return (Int(bytes[start + 10]), keyBytes)
  }

  func salvage(_ path: String, _ destination: String) throws -> SalvageReport {
    try Store.salvage(directory: path, into: destination)
  }

  func identifiers(_ path: String) throws -> Set<String> {
    let store = try openStore(path, create: false)
    defer { store.close() }
    try expectSound(store)
    return try store.read { snapshot in
      var found: Set<String> = []
      try snapshot.scanMessages { key, _ in
        let view = try snapshot.message(conversation: key.conversation, sequence: key.sequence)
        found.insert(try snapshot.identifier(of: view))
        return true
      }
      return found
    }
  }

  @Test func aSoundStoreIsSavedWhole() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let before = try bytes(path)
    let report = try salvage(path, directory.path + "/new")
    #expect(report.isComplete, "\(report.losses)")
    #expect(report.saved.messages == 780 && report.saved.conversations == 4)
    #expect(report.saved.identities == 1 && report.saved.announcements == 1)
    #expect(report.lost?.objects == 0)
    #expect(try bytes(path) == before)
    #expect(try identifiers(directory.path + "/new") == identifiers(path))
    // Contents, dates and texts are what they were.
    let (old, new) = try (openStore(path, create: false), openStore(directory.path + "/new", create: false))
    for index in stride(from: 20, to: 200, by: 30) {
      let id = "m0/\(index)"
      let messages = try [old, new].map { store in
        try store.read { snapshot in
          try snapshot.locateMessage(id).map {
            try snapshot.makeMessage(conversation: $0.conversation, sequence: $0.sequence)
          }
        }
      }
      #expect(messages[0] == messages[1] && messages[0] != nil)
    }
    old.close()
    new.close()
    #expect(code { _ = try salvage(path, directory.path + "/new") } == .io)
  }

  /// The messages that the last write of the store deleted.
  static let deleted = Set((0..<20).map { "m0/\($0)" })

  /// Pages of the tables' trees zeroed, one at a time: what was in other pages is saved, and the report says that something
  /// is lost.
  @Test func anyPageZeroed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let whole = try identifiers(path)
    let original = try bytes(path)
    let pages = (2..<original.count / Self.pageSize).filter { page in
      let shape = shape(original, page)
      return shape.flags == 1 || shape.flags == 2 && [2, 5, 6, 9, 12].contains(shape.keyBytes)
    }
    #expect(pages.count > 15)
    var losses = 0
    for (round, page) in pages.enumerated() where round % 6 == 0 || shape(original, page).flags == 1 {
      var damaged = original
      damaged.replaceSubrange(
        page * Self.pageSize..<(page + 1) * Self.pageSize, with: [UInt8](repeating: 0, count: Self.pageSize))
      try write(damaged, directory.path + "/damaged\(round)")
      let new = directory.path + "/new\(round)"
      let report: SalvageReport
      do {
        report = try salvage(directory.path + "/damaged\(round)", new)
      } catch let error as SatchelError where error.code == .notAStore {
        // The page with the header, and no user was named.
        report = try Store.salvage(directory: directory.path + "/damaged\(round)", into: new, user: "me")
        #expect(report.losses.contains { $0.contains("header") })
      }
      let saved = try identifiers(new)
      let strange = saved.subtracting(whole).subtracting(Self.deleted)
      #expect(strange.isEmpty, "page \(page): \(strange.prefix(5))")
      // Only where a stretch was lost an older version of it can hold what was deleted from it.
      if !saved.isSubset(of: whole) { #expect(report.uncertain > 0) }
      #expect(whole.subtracting(saved).count < 60, "page \(page) lost \(whole.subtracting(saved).count)")
      if saved.isStrictSubset(of: whole) {
        losses += 1
        #expect(!report.isComplete)
        #expect(
          report.lost.map { $0.messages == UInt64(whole.count - saved.count) } ?? true,
          "page \(page): \(String(describing: report.lost)), \(whole.count - saved.count)")
      }
      TemporaryDirectory.remove(directory.path + "/damaged\(round)")
      TemporaryDirectory.remove(new)
    }
    #expect(losses > 0)
  }

  /// Branch pages lost: every record is still there, and is found.
  @Test func theRootOfMessagesIsLost() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let whole = try identifiers(path)
    var damaged = try bytes(path)
    for page in 2..<damaged.count / Self.pageSize where shape(damaged, page).flags == 1 {
      for offset in 0..<64 { damaged[page * Self.pageSize + offset] ^= 0x5A }
    }
    try write(damaged, directory.path + "/damaged")
    let report = try salvage(directory.path + "/damaged", directory.path + "/new")
    let saved = try identifiers(directory.path + "/new")
    #expect(saved.isSuperset(of: whole), "\(whole.subtracting(saved).prefix(5))")
    #expect(!report.isComplete && report.uncertain > 0 && report.damagedPages > 0)
  }

  @Test func headersOfLeavesAreDestroyed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let whole = try identifiers(path)
    var damaged = try bytes(path)
    for page in 2..<damaged.count / Self.pageSize where shape(damaged, page).flags == 2 {
      for offset in 0..<18 { damaged[page * Self.pageSize + offset] = 0xEE }
    }
    try write(damaged, directory.path + "/damaged")
    let report = try Store.salvage(
      directory: directory.path + "/damaged", into: directory.path + "/new", user: "me")
    // Entries are known by their checksums.
    #expect(try identifiers(directory.path + "/new").isSuperset(of: whole))
    #expect(!report.isComplete)
  }

  @Test func aMissingConversationIsMadeUp() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let store = try openStore(path, create: false)
    try store.environment.write { transaction in
      try ObjectKey.conversation(row: 2).bytes.withUnsafeBytes {
        _ = try transaction.delete(store.environment.database("objects"), $0)
      }
    }
    store.close()
    let report = try salvage(path, directory.path + "/new")
    #expect(report.saved.messages == 780 && report.lost?.conversations == 1)
    #expect(report.losses.contains { $0.contains("lost-conversation-2") })
    let new = try openStore(directory.path + "/new", create: false)
    defer { new.close() }
    try expectSound(new)
    try new.read { snapshot in
      let row = try #require(try snapshot.locateConversation("lost-conversation-2"))
      let conversation = try snapshot.makeConversation(row)
      #expect(conversation.messageCount == 200 && conversation.participants == ["bob", "me"])
    }
  }

  @Test func lostNamesAndContents() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let store = try openStore(path, create: false)
    let (bob, key) = try store.read { snapshot in
      (try #require(try snapshot.users.number(of: "bob")), try #require(try snapshot.locateMessage("m1/10")))
    }
    try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      try ObjectKey.dictionary(.users, id: bob).bytes.withUnsafeBytes {
        _ = try transaction.delete(objects, $0)
      }
      let bodies = try store.environment.database("bodies")
      try BodyKey(message: key, part: 1, piece: 0).bytes.withUnsafeBytes {
        _ = try transaction.delete(bodies, $0)
      }
    }
    store.close()
    let report = try salvage(path, directory.path + "/new")
    #expect(!report.isComplete)
    #expect(report.losses.contains { $0.contains("m1/10") && $0.contains("5000 bytes, is lost") })
    let new = try openStore(directory.path + "/new", create: false)
    defer { new.close() }
    try new.read { snapshot in
      let key = try #require(try snapshot.locateMessage("m1/10"))
      let message = try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence)
      #expect(message.sender == Identity.ID("lost-user-\(bob)"))
      #expect(message.parts.count == 2 && message.parts[0].content == .text("message 10"))
    }
  }

  /// Random damage anywhere: nothing dies, nothing is made up.
  @Test func randomDamage() throws {
    let seed = TestEnvironment.seed(for: "randomDamage")
    var generator = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let whole = try identifiers(path)
    let original = try bytes(path)
    for round in 0..<TestEnvironment.rounds(5) {
      var damaged = original
      switch generator.draw(below: 4) {
      case 0:
        for _ in 0..<50 {
          damaged[generator.draw(below: damaged.count)] ^= 1 << UInt8(generator.draw(below: 8))
        }
      case 1:
        for _ in 0..<5 {
          let page = generator.draw(below: damaged.count / Self.pageSize) * Self.pageSize
          for offset in 0..<Self.pageSize {
            damaged[page + offset] = UInt8(truncatingIfNeeded: generator.next())
          }
        }
      case 2: damaged.removeLast(generator.draw(below: damaged.count - 2 * Self.pageSize))
      default:
        for offset in 0..<2 * Self.pageSize { damaged[offset] = UInt8(truncatingIfNeeded: generator.next()) }
      }
      try write(damaged, directory.path + "/damaged\(round)")
      let new = directory.path + "/new\(round)"
      _ = try Store.salvage(directory: directory.path + "/damaged\(round)", into: new, user: "me")
      let saved = try identifiers(new)
      #expect(saved.subtracting(whole).isSubset(of: Self.deleted), "round \(round), seed \(seed)")
      TemporaryDirectory.remove(directory.path + "/damaged\(round)")
      TemporaryDirectory.remove(new)
    }
  }
}
