import LMDB
import RankedIndex
import SatchelCoding
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// One distinct conversation of the same participants, however it comes into the store.
@Suite struct DistinctConversationTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
  }

  private static func draft(_ id: Conversation.ID, _ others: [Identity.ID] = ["bob"]) -> ConversationDraft {
    ConversationDraft(identifier: id, participants: ["me"] + others, isDistinct: true)
  }

  private func expectRefused(
    _ draft: ConversationDraft, for existing: Conversation.ID, _ writer: Writer,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SatchelError.self, sourceLocation: location) {
      try writer.insertConversation(draft)
    }
    #expect(error?.code == .distinctConversationExists, sourceLocation: location)
    #expect(error?.existingConversation == existing, sourceLocation: location)
  }

  @Test func aSecondOneThatComesFromElsewhereIsRefused() throws {
    try store.write { writer in
      _ = try writer.insertConversation(Self.draft("a"))
      // In the same transaction, before anything is in an index.
      expectRefused(Self.draft("b"), for: "a", writer)
      expectRefused(Self.draft("b", ["bob", "me", "bob"]), for: "a", writer)
      _ = try writer.insertConversation(Self.draft("c", ["bob", "carol"]))
      _ = try writer.insertConversation(ConversationDraft(identifier: "d", participants: ["me", "bob"]))
    }
    try store.write { writer in
      expectRefused(Self.draft("b"), for: "a", writer)
      #expect(try writer.conversation(with: ["bob"]) == "a")
      // What made it distinct is gone: with it, and with its participants.
      try writer.deleteConversation("a")
      _ = try writer.insertConversation(Self.draft("e"))
      expectRefused(Self.draft("f"), for: "e", writer)
      var update = ConversationUpdate()
      update.participants = .add(["dave"])
      try writer.updateConversation("e", update)
      _ = try writer.insertConversation(Self.draft("f"))
      expectRefused(Self.draft("g"), for: "f", writer)
    }
    try expectSound(store)
  }

  /// Several writes that share a transaction, and random ones against a model.
  @Test func randomWritesKeepOne() throws {
    var random = SeededGenerator(for: "randomWritesKeepOne")
    var distinct: [Set<Identity.ID>: Conversation.ID] = [:]
    var participants: [Conversation.ID: Set<Identity.ID>] = [:]
    let users: [Identity.ID] = ["u", "v", "w"]
    var refused = 0
    for round in 0..<120 {
      try store.write { writer in
        for step in 0..<Int.random(in: 1...8, using: &random) {
          let set = Set(users.filter { _ in Bool.random(using: &random) }).union(["me"])
          let id = Conversation.ID("\(round)-\(step)")
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<6:
            let draft = ConversationDraft(identifier: id, participants: Array(set), isDistinct: true)
            if let existing = distinct[set] {
              expectRefused(draft, for: existing, writer)
              refused += 1
            } else {
              _ = try writer.insertConversation(draft)
              distinct[set] = id
              participants[id] = set
            }
          case 6:
            _ = try writer.insertConversation(ConversationDraft(identifier: id, participants: Array(set)))
            participants[id] = set
          case 7:
            guard let gone = participants.keys.sorted().randomElement(using: &random) else { break }
            try writer.deleteConversation(gone)
            distinct = distinct.filter { $0.value != gone }
            participants[gone] = nil
          default:
            guard let changed = participants.keys.sorted().randomElement(using: &random),
              participants[changed] != set
            else { break }
            var update = ConversationUpdate()
            update.participants = .replace(Array(set))
            try writer.updateConversation(changed, update)
            distinct = distinct.filter { $0.value != changed }
            participants[changed] = set
          }
        }
      }
    }
    #expect(refused > 50)
    try expectSound(store)
  }

  /// Another writer makes the conversation while a file is staged: the last commit finds it.
  @Test func oneThatOthersHaveMadeMeanwhileCounts() throws {
    let path = directory.path
    let other = OtherThread()
    var index = 0
    var rejected: [UInt64] = []
    var options = Store.Options()
    options.durability = .temporaryImport
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    let counts = try ImportSession.run(
      into: path, user: "me", options: options,
      next: { session in
        defer { index += 1 }
        switch index {
        case 0: try session.addConversation(Self.draft("a"), line: 1)
        case 1:
          // It waits for its turn from here on, and gets it after this batch.
          other.start {
            let store = try openStore(path)
            try store.write { _ = try $0.insertConversation(Self.draft("b")) }
          }
          try session.addConversation(Self.draft("c", ["carol"]), line: 2)
        case 2..<7000: try session.addAnnouncement(MessageDraft(sender: "bob"), line: UInt64(index + 1))
        default: return false
        }
        return true
      }, apply: { _, _, _ in },
      conflicts: ImportSession.Conflicts(reject: { line, error in
        #expect((error as? SatchelError)?.existingConversation == "b")
        rejected.append(line)
      }))
    try other.finish()
    #expect(rejected == [1])
    #expect(counts.conversations == 1)
    try expectSound(store)
    #expect(try store.read { try $0.locateConversation("a") } == nil)
  }

  /// Earlier versions took what an import said: such stores stay as they are.
  @Test func doublesOfOlderStoresStay() throws {
    try store.write { writer in
      _ = try writer.insertConversation(Self.draft("a"))
      _ = try writer.insertConversation(ConversationDraft(identifier: "b", participants: ["me", "bob"]))
      for id in ["a", "b"] as [Conversation.ID] {
        _ = try writer.insertMessage(MessageDraft(identifier: Message.ID(id.rawValue), sender: "bob"), in: id)
      }
    }
    try makeDistinct("b")
    try expectSound(store)
    let reopened = try openStore(directory.path, create: false)
    defer { reopened.close() }
    try expectSound(reopened)
    try reopened.write { writer in
      let found = try writer.conversation(with: ["bob"])
      #expect(found == "a" || found == "b")
      // Both are there, and with one of them gone the other one counts.
      try writer.deleteConversation(found)
      let other: Conversation.ID = found == "a" ? "b" : "a"
      #expect(try writer.conversation(with: ["bob"]) == other)
      expectRefused(Self.draft("c"), for: other, writer)
      var update = ConversationUpdate()
      update.metadata = [.set("x", at: MetadataPath(dotted: "title"))]
      try writer.updateConversation(other, update)
    }
    try expectSound(reopened)
  }

  /// Writes a conversation's record with the mark set, and the seal that goes with it.
  private func makeDistinct(_ id: Conversation.ID) throws {
    let (row, fields) = try store.read { snapshot in
      let row = try #require(try snapshot.locateConversation(id.rawValue))
      var fields = try snapshot.conversation(row).fields()
      fields.isDistinct = true
      return (row, fields)
    }
    try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      func replace(
        _ key: KeyBytes, _ make: (UnsafeRawBufferPointer) throws -> [UInt8]
      ) throws -> (old: UInt64, new: UInt64) {
        try key.withUnsafeBytes { key in
          let old = try #require(try transaction.get(objects, key))
          let sum = RecordFrame.storedChecksum(old)
          let new = try make(old)
          try new.withUnsafeBytes { try transaction.put(objects, key, $0) }
          return (sum, RecordFrame.storedChecksum(new))
        }
      }
      let sums = try replace(ObjectKey.conversation(row: row).bytes) { _ in fields.encode(row: row) }
      _ = try replace(ObjectKey.seal.bytes) { bytes in
        var seal = try Seal(bytes)
        seal[.conversations].remove(sums.old)
        seal[.conversations].add(sums.new)
        seal.commit += 1
        var directory = try Directory(seal.trees)
        directory.sequence = seal.commit
        seal.trees = directory.encode()
        return seal.encode()
      }
    }
  }
}
