import LMDB
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// A file that may grow no further, with a journal beside it.
@Suite struct FullFileTests {
  /// What was acknowledged fits the file: when its last process closes the store, it is the file alone.
  @Test func whatTheJournalTakesFitsTheFile() throws {
    var scene = try JournaledStore(seed: 41) {
      $0.maximumFileBytes = 4 << 20
      $0.durability = .relaxed
      $0.journal.limits.segmentSize = 64 << 10
    }
    func write(_ body: (Writer) throws -> Void) throws -> Bool {
      do {
        try scene.store.write(body)
        return true
      } catch let error as SatchelError where error.code == .storeFull { return false }
    }
    func add(_ id: String) throws -> Bool {
      try write {
        _ = try $0.insertMessage(
          MessageDraft(
            identifier: Message.ID(id), sender: "bob",
            parts: [.data([UInt8](repeating: 1, count: 10_000), mimeType: "a/b")]), in: "c")
      }
    }
    try scene.store.write {
      _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
    }
    let before = try scene.databaseCommits
    for number in 0..<4 { #expect(try add("first\(number)")) }
    #expect(try scene.databaseCommits == before, "the journal is in use while there is room")

    var count = 4
    while count < 1000, try add("m\(count)") { count += 1 }
    #expect((50..<400).contains(count))
    #expect(try scene.store.read { $0.seal[.messages].count } == UInt64(count))
    scene.store.close()
    #expect(scene.journalSize == 0)

    // Deletions need some room themselves, which is kept for them, and give more of it.
    try scene.reopen()
    for number in 4..<count / 2 { #expect(try write { try $0.deleteMessage(Message.ID("m\(number)")) }) }
    var added = 0
    while added < count / 4, try add("again\(added)") { added += 1 }
    #expect(added == count / 4)
    #expect(try scene.store.read { $0.seal[.messages].count } == UInt64(count - (count / 2 - 4) + added))
    try expectSound(scene.store)
    scene.store.close()
    #expect(scene.journalSize == 0)
  }

  /// Entries that the change log has kept from before leave it when room becomes short. What a write copies for that is not what
  /// it is refused for: otherwise it would be refused for ever, in a file that is half empty.
  @Test func aLongChangeLogFillsNoFile() throws {
    let limit = 2 << 20
    let scene = try JournaledStore(seed: 42) {
      $0.maximumFileBytes = limit
      $0.durability = .relaxed
      $0.journal.use = .never
    }
    try scene.store.write {
      _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
    }
    var (count, refused) = (0, 0)
    while refused < 3 {
      do {
        try scene.store.write {
          _ = try $0.insertMessage(
            MessageDraft(
              identifier: Message.ID("m\(count)"), sender: "bob",
              parts: [.text(String(repeating: "text \(count) ", count: 40))]), in: "c")
        }
        count += 1
      } catch let error as SatchelError where error.code == .storeFull { refused += 1 }
      try #require(count < 10_000)
    }
    try #expect(scene.store.read { $0.seal.log.count } < 64)
    let used = try #require(scene.store.environment.usedBytes)
    // Some forty pages more are what a write changes.
    let taken = used + Environment.reserve(besideUsed: used)
    #expect(taken > limit - (320 << 10), "\(count) messages, \(used) bytes")
    try expectSound(scene.store)
  }
}
