import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Every kind of damage is found, and named where it is.
@Suite struct VerifierTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path, journaled: false)
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"], metadata: ["title": "x"]))
      for index in 0..<50 {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob", position: Int64(index),
            isUnread: index % 2 == 0,
            parts: [.text("text"), .data([UInt8](repeating: 9, count: 2000), mimeType: "a/b")]), in: "c")
      }
      try writer.putIdentity(Identity(userID: "bob", displayName: "Bob"))
      _ = try writer.insertAnnouncement(MessageDraft(identifier: "a", sender: "bob"))
    }
    try expectSound(store)
  }

  private func faults() throws -> [VerificationReport.Fault] {
    try store.read { try Verifier.verify($0) }.faults
  }

  private func alter(_ database: String, _ key: KeyBytes, _ change: ([UInt8]) -> [UInt8]?) throws {
    try store.environment.write { transaction in
      let database = try store.environment.database(database)
      try key.withUnsafeBytes { key in
        let old = try [UInt8](#require(try transaction.get(database, key)))
        if let new = change(old) {
          try new.withUnsafeBytes { try transaction.put(database, key, $0) }
        } else {
          _ = try transaction.delete(database, key)
        }
      }
    }
  }

  private func flipping(_ index: Int) -> ([UInt8]) -> [UInt8]? {
    { bytes in
      var copy = bytes
      copy[index] ^= 4
      return copy
    }
  }

  @Test func aFlippedBitInAnyRecord() throws {
    let keys: [(String, KeyBytes, String)] = [
      ("messages", MessageKey(conversation: 0, sequence: 7).bytes, "messages"),
      ("objects", ObjectKey.conversation(row: 0).bytes, "conversations"),
      ("objects", ObjectKey.identity(row: 0).bytes, "identities"),
      ("objects", MessageKey(announcement: 51).bytes, "announcements"),
      ("objects", ObjectKey.dictionary(.users, id: 1).bytes, "dictionaries"),
      ("objects", ObjectKey.changeLog(commit: 2).bytes, "changeLog"),
      (
        "bodies", BodyKey(message: MessageKey(conversation: 0, sequence: 7), part: 1, piece: 1).bytes,
        "bodies"
      ),
    ]
    for (database, key, place) in keys {
      try alter(database, key, flipping(5))
      let found = try faults()
      #expect(found.contains { $0.location == place }, "\(database) \(key.array): \(found)")
      try alter(database, key, flipping(5))
      try expectSound(store)
    }
  }

  /// No checksum of a record shows it: every record is there, and a look-up goes the wrong way.
  @Test func pagesThatHaveChangedPlaces() throws {
    let copy = try TemporaryDirectory()
    let file = open(copy.path + "/data.mdb", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    try store.environment.copy(to: file, compact: true)
    let size = 4096
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    try #require(pread(file, &bytes, bytes.count, 0) == bytes.count)
    // Leaves of the database of bodies: its keys have 18 bytes. A node begins where the page's first slot says.
    let leaves = stride(from: 2 * size, to: bytes.count, by: size).filter { page in
      let node = page + Int(bytes[page + 16]) + Int(bytes[page + 17]) << 8
      return bytes[page + 10] == 2 && node + 7 < page + size && bytes[node + 6] == 18
    }
    try #require(leaves.count > 2)
    try #require(pwrite(file, Array(bytes[leaves[0]..<leaves[0] + size]), size, off_t(leaves[1])) == size)
    try #require(pwrite(file, Array(bytes[leaves[1]..<leaves[1] + size]), size, off_t(leaves[0])) == size)
    let damaged = try openStore(copy.path, create: false)
    defer { damaged.close() }
    let faults = try damaged.read { try Verifier.verify($0) }.faults
    #expect(faults.contains { $0.location == "bodies" && $0.finding.hasSuffix("another page's number") })
  }

  @Test func aMissingRecord() throws {
    for (database, key) in [
      ("messages", MessageKey(conversation: 0, sequence: 50).bytes),
      ("bodies", BodyKey(message: MessageKey(conversation: 0, sequence: 7), part: 1, piece: 0).bytes),
      ("objects", ObjectKey.identity(row: 0).bytes), ("objects", MessageKey(announcement: 51).bytes),
      ("objects", ObjectKey.changeLog(commit: 2).bytes),
      ("objects", ObjectKey.dictionary(.metadataPaths, id: 0).bytes),
    ] {
      var kept: [UInt8] = []
      try alter(database, key) { bytes in
        kept = bytes
        return nil
      }
      #expect(try !faults().isEmpty, "\(database) \(key.array)")
      try store.environment.write { transaction in
        try key.withUnsafeBytes { key in
          try kept.withUnsafeBytes { try transaction.put(try store.environment.database(database), key, $0) }
        }
      }
      try expectSound(store)
    }
  }

  @Test func aMissingRecordThatAnIndexNamesIsNoEmptyResult() throws {
    try alter("messages", MessageKey(conversation: 0, sequence: 7).bytes) { _ in nil }
    #expect(code { try store.read { _ = try $0.message(conversation: 0, sequence: 7) } } == .corrupted)
    #expect(code { try store.read { _ = try $0.locateMessage("m6") } } == .corrupted)
  }

  @Test func damageThatAClosureSwallowsDoesNotCommit() throws {
    let sequence = try store.sequence()
    let key = ObjectKey.conversation(row: 0).bytes
    try alter("objects", key, flipping(5))
    #expect(
      code {
        try store.write { writer in
          var update = MessageUpdate()
          update.position = .set(-1)
          // The message changes, and then its conversation's derived values cannot.
          try? writer.updateMessage("m0", update)
        }
      } == .corrupted)
    try alter("objects", key, flipping(5))
    #expect(try store.sequence() == sequence)
    try expectSound(store)
  }

  @Test func aRecordThatSaysSomethingElseThanItsIndexes() throws {
    // A sound record with another position: its checksum is right, and the seal and the index of places disagree.
    let key = MessageKey(conversation: 0, sequence: 7)
    try alter("messages", key.bytes) { bytes in
      try? bytes.withUnsafeBytes { bytes in
        var fields = try MessageView(bytes, key: key).fields()
        fields.position = 999
        return fields.encode(key: key)
      }
    }
    let found = try faults()
    #expect(found.contains { $0.location == "messages" && $0.finding.contains("message.place") })
    #expect(found.contains { $0.location == "seal" })
    #expect(found.contains { $0.location == "conversations" && $0.finding.contains("last message") })
  }

  @Test func derivedValuesThatAreWrong() throws {
    try alter("objects", ObjectKey.conversation(row: 0).bytes) { bytes in
      try? bytes.withUnsafeBytes { bytes in
        var fields = try ConversationView(bytes, row: 0).fields()
        fields.unreadCount += 1
        fields.messageCount -= 1
        return fields.encode(row: 0)
      }
    }
    let found = try faults().filter { $0.location == "conversations" }
    #expect(found.contains { $0.finding.contains("50 messages") })
    #expect(found.contains { $0.finding.contains("unread") })
  }

  @Test func damagedNodesOfEveryIndex() throws {
    let nodes = try store.environment.database("nodes")
    var numbers: [UInt64] = []
    try store.read { try $0.forest.forEachNode { numbers.append($0.number) } }
    #expect(numbers.count >= 20)
    for number in numbers {
      var original: [UInt8] = []
      try store.environment.write { transaction in
        original = try [UInt8](#require(try transaction.get(nodes, number: number)))
        var bytes = original
        bytes[bytes.count / 2] ^= 1
        try bytes.withUnsafeBytes { try transaction.put(nodes, number: number, $0) }
      }
      #expect(try !faults().isEmpty)
      try store.environment.write { transaction in
        try original.withUnsafeBytes { try transaction.put(nodes, number: number, $0) }
      }
    }
    try expectSound(store)
  }

  @Test func statisticsCountEverything() throws {
    let statistics = try store.statistics()
    func entries(_ name: String) -> Int? {
      (statistics.tables + statistics.indexes).first { $0.name == name }?.entries
    }
    #expect(entries("messages") == 50 && entries("conversations") == 1 && entries("identities") == 1)
    #expect(
      entries("announcements") == 1 && entries("message.created") == 50 && entries("message.unread") == 25)
    #expect(entries("part.type") == 100 && entries("bodies") == 150)
    #expect(entries("message.identifier") == 0 && entries("message.identifierRecent") == 51)
    #expect(statistics.indexes.count == 43)
    #expect(try statistics.sequence == store.sequence())
    #expect(statistics.fileBytes > 100_000)
  }
}
