import RecordStore
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import Synchronization
import TestSupport
import Testing

@Suite struct PurgeTests {
  @Test func aDeletedConversationLeavesTheTablesLater() throws {
    let scene = try PurgeScene()
    let store = scene.store
    try scene.fill("c", messages: 3000, withContents: 10)
    try store.write { try $0.deleteConversation("c") }
    #expect(try scene.left() == Left(messages: 3000, bodies: 900, purges: 1))
    try expectSound(store)
    #expect(try store.read { try $0.locateMessage("c5") } == nil)
    #expect(try store.read { try $0.locateConversation("c") } == nil)
    // The identifiers are free again at once.
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.send([], to: "c", identifier: "c5")
    }
    #expect(scene.counts.take().last ?? 0 <= PurgeScene.mostRecords)
    var commits = 1
    while try scene.left().purges > 0, commits < 100 {
      try store.write { _ = try $0.send([], to: "d") }
      #expect(scene.counts.take().allSatisfy { $0 <= PurgeScene.mostRecords })
      if commits % 4 == 0 { try expectSound(store) }
      commits += 1
    }
    #expect(commits == 3900 / 255 + 1)
    #expect(try scene.left() == Left(messages: UInt64(commits), bodies: 0, purges: 0))
    try expectSound(store)
  }

  /// Each has an entry in the queue, which counts as well.
  @Test func manySmallConversationsLeaveInSlicesToo() throws {
    let scene = try PurgeScene()
    let store = scene.store
    for number in 0..<400 { try scene.fill("c\(number)", messages: 1 + number % 3 / 2, withContents: 7) }
    try store.write { writer in
      for number in 0..<400 { try writer.deleteConversation(Conversation.ID("c\(number)")) }
    }
    _ = scene.counts.take()
    let before = try scene.left()
    #expect(before.purges == 400)
    var commits = 0
    while try scene.left().purges > 0, commits < 100 {
      try store.write { _ = try $0.send([], to: "d") }
      #expect(scene.counts.take().allSatisfy { $0 <= PurgeScene.mostRecords })
      try expectSound(store)
      commits += 1
    }
    let records = before.messages + before.bodies + before.purges
    #expect(commits <= (Int(records) + 252) / 253)
    #expect(try scene.left() == Left(messages: UInt64(commits), bodies: 0, purges: 0))
  }

  /// A commit that shortens the change log removes nothing else that is not its own.
  @Test func theChangeLogIsShortenedInACommitOfItsOwn() throws {
    let scene = try PurgeScene()
    let store = scene.store
    try scene.fill("c", messages: 2000, withContents: 0)
    var isFollowed = false
    while try store.read({ $0.seal.log.count }) < 1254 {
      isFollowed.toggle()
      try store.write { try $0.setFollowed(isFollowed, "ann") }
    }
    try store.write { try $0.deleteConversation("c") }
    _ = scene.counts.take()
    let entries = try store.read { $0.seal.log.count }
    for _ in 0..<3 {
      try store.write { _ = try $0.send([], to: "d") }
      #expect(scene.counts.take().allSatisfy { $0 <= PurgeScene.mostRecords })
    }
    #expect(try store.read { $0.seal.log.count } == entries + 3 - 256)
    // The two other commits.
    #expect(try scene.left().messages == 2000 - 2 * 255 + 3)
    try expectSound(store)
  }

  @Test func oneVeryLargeMessageIsPurgedToo() throws {
    let scene = try PurgeScene()
    let store = scene.store
    try store.write { writer in
      _ = try writer.send(
        [.data([UInt8](repeating: 3, count: 3 << 20), mimeType: "a/b")], to: "d", identifier: "m")
    }
    try store.write { try $0.deleteMessage("m") }
    _ = scene.counts.take()
    let pieces = try scene.left().bodies
    #expect(pieces > 700)
    try expectSound(store)
    var commits = 0
    while try scene.left().purges > 0, commits < 100 {
      try store.write { _ = try $0.send([], to: "d") }
      #expect(scene.counts.take().allSatisfy { $0 <= PurgeScene.mostRecords })
      try expectSound(store)
      commits += 1
    }
    #expect(commits == Int(pieces) / 255 + 1)
    #expect(try scene.left() == Left(messages: UInt64(commits), bodies: 0, purges: 0))
  }

  /// Removed records have no bytes, and few commits remove many.
  @Test func removedRecordsMakeACheckpointDue() throws {
    let scene = try JournaledStore(seed: 1) {
      $0.journal.checkpointChanges = 600
      $0.journal.waitsForCheckpoint = true
      $0.journal.maximumRecordBytes = 20_000
    }
    try PurgeScene.fill(scene.store, "c", messages: 2000, withContents: 0)
    // Goes to LMDB, and leaves no tail.
    try scene.store.write { try $0.deleteConversation("c") }
    let before = try scene.databaseCommits
    for name in ["ann", "bea"] { try scene.store.write { try $0.setFollowed(true, Identity.ID(name)) } }
    #expect(try scene.databaseCommits == before)
    try scene.store.write { try $0.setFollowed(true, "cid") }
    #expect(try scene.databaseCommits == before + 1)
    try expectSound(scene.store)
  }
}

/// What is in the tables, of existing objects and of deleted ones.
struct Left: Equatable {
  var messages: UInt64
  var bodies: UInt64
  var purges: UInt64
}

/// How many records each transaction has changed.
final class ChangeCounts: Sendable {
  private let counts = Mutex<[Int]>([])

  func put(_ changes: [UInt8]?) {
    guard let changes else { return }
    do {
      let none = Tail(after: Seal())
      let tail = try none.adding(CommitChanges(changes, in: none.arena))
      counts.withLock { $0.append(tail.changeCount) }
    } catch {
      Issue.record(error)
    }
  }

  /// Returns those of the transactions since the last call, except those that had passed changes to LMDB before their end.
  func take() -> [Int] {
    counts.withLock { counts in
      defer { counts = [] }
      return counts
    }
  }
}

/// A store with a conversation `d`, and others that are deleted.
struct PurgeScene {
  let directory: TemporaryDirectory
  let store: Store
  let counts = ChangeCounts()

  /// Those of a single commit, beside which it may touch 300 others.
  static let mostRecords = 300 + 4

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path) { [counts] in $0.writerEnvironment.onChanges = counts.put }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "d", participants: ["bob"]))
    }
  }

  /// - Parameter every: How many messages have one whose content is stored in three pieces; 0 for none.
  func fill(_ name: String, messages: Int, withContents every: Int) throws {
    try Self.fill(store, name, messages: messages, withContents: every)
  }

  static func fill(_ store: Store, _ name: String, messages: Int, withContents every: Int) throws {
    try store.write { writer in
      let id = Conversation.ID(name)
      _ = try writer.createConversation(ConversationDraft(identifier: id, participants: ["bob"]))
      for index in 0..<messages {
        let parts: [MessagePart.Draft] =
          every > 0 && index % every == 0
          ? [.data([UInt8](repeating: 1, count: 5000), mimeType: "a/b")] : []
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("\(name)\(index)"), sender: "bob", parts: parts), in: id)
      }
    }
  }

  func left() throws -> Left {
    try store.read {
      Left(messages: $0.seal[.messages].count, bodies: $0.seal[.bodies].count, purges: $0.seal[.purge].count)
    }
  }
}
