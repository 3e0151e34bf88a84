import LMDB
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

/// What was deleted in bulk leaves in commits of its own, beside the others.
@Suite struct PurgingBesideTests {
  /// A store with a conversation `d`, and with `c`, whose messages go to LMDB.
  private func scene(
    messages: Int, pause: Double?, _ change: (inout Store.Options) -> Void = { _ in }
  ) throws -> JournaledStore {
    let scene = try JournaledStore(seed: 1) {
      $0.purgePause = pause
      change(&$0)
    }
    try scene.store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "d", participants: ["bob"]))
    }
    try PurgeScene.fill(scene.store, "c", messages: messages, withContents: 10)
    return scene
  }

  /// Deletes `c`, and returns the commit.
  private func delete(_ store: Store) throws -> UInt64 {
    try store.write { writer in
      try writer.deleteConversation("c")
      return writer.commit
    }
  }

  private func queued(_ store: Store) throws -> UInt64 { try store.read { $0.seal[.purge].count } }

  /// Waits for the thread: for as long as the test may take.
  private func waitForEmptyQueue(_ store: Store, _ body: () throws -> Void = {}) throws {
    for _ in 0..<60_000 where try queued(store) > 0 {
      try body()
      usleep(1000)
    }
    #expect(try queued(store) == 0)
  }

  @Test func theQueueEmptiesWithoutAnotherWrite() throws {
    let scene = try scene(messages: 1500, pause: 0.001)
    let commit = try delete(scene.store)
    let log = try scene.store.read { $0.seal.log }
    try waitForEmptyQueue(scene.store) { try expectSound(scene.store) }
    let last = try scene.store.read { $0.seal }
    #expect(last[.messages].count == 0 && last[.bodies].count == 0)
    #expect(last.commit == commit + 1950 / 255 + 1)
    // Nobody is told of a change.
    #expect(last.log == log)
    #expect(try scene.store.read { try $0.changes(after: commit) }?.isEmpty == true)
    try expectSound(scene.store)
  }

  /// The other commits have records of their own alone. Theirs are few, and so are those of a slice.
  @Test(arguments: [true, false]) func theOtherCommitsHaveNoPartInIt(isJournaled: Bool) throws {
    let counts = ChangeCounts()
    let scene = try scene(messages: 3000, pause: 0.001) {
      $0.writerEnvironment.onChanges = counts.put
      $0.journal.checkpointChanges = 700
      if !isJournaled { $0.journal.use = .never }
    }
    _ = counts.take()
    let commit = try delete(scene.store)
    var sent = 0
    var transactions: [Int] = []
    try waitForEmptyQueue(scene.store) {
      try scene.store.write { _ = try $0.send([], to: "d") }
      transactions += counts.take()
      sent += 1
      if sent % 50 == 0 { try expectSound(scene.store) }
    }
    transactions += counts.take()
    let slices = transactions.filter { $0 > 10 }
    #expect(slices.allSatisfy { $0 <= 256 })
    // As many commits as come with 255 records each: none has taken any along.
    #expect(slices.count == 3900 / 255 + 1)
    #expect(try scene.store.sequence() == commit + UInt64(sent + slices.count))
    #expect(try scene.store.read { $0.seal[.messages].count } == UInt64(sent))
    try expectSound(scene.store)
  }

  /// The thread sleeps for longer than the test may take.
  @Test func closingDoesNotWaitForTheQueue() throws {
    var scene = try scene(messages: 1000, pause: 1e6)
    _ = try delete(scene.store)
    try scene.store.write { try $0.setFollowed(true, "ann") }
    #expect(try scene.store.read { $0.seal[.messages].count } == 1000)
    try scene.reopen()
    #expect(try scene.store.read { $0.seal[.messages].count } == 1000)
    try expectSound(scene.store)
    // A process whose thread has not begun yet takes a slice along: each may write but once.
    for process in 1...3 {
      try scene.store.write { try $0.setFollowed(true, Identity.ID("\(process)")) }
      #expect(
        try scene.store.read { $0.seal[.messages].count + $0.seal[.bodies].count } == 1300 - 255
          * UInt64(process))
      try scene.reopen()
      try expectSound(scene.store)
    }
  }

  @Test func theNextWriterGoesOn() throws {
    let scene = try scene(messages: 3000, pause: 1e6)
    _ = try delete(scene.store)
    scene.store.close()
    var options = Store.Options()
    options.purgePause = 0.001
    options.readOnly = true
    let reader = try Store.open(directory: scene.path, user: nil, options: options)
    #expect(try queued(reader) == 1)
    reader.close()
    options.readOnly = false
    let store = try Store.open(directory: scene.path, user: "me", options: options)
    defer { store.close() }
    #expect(try queued(store) == 1)
    try store.write { try $0.setFollowed(true, "ann") }
    try waitForEmptyQueue(store)
    try expectSound(store)
  }

  /// What a process leaves that is killed after any slice.
  @Test func aKilledProcessLeavesTheQueue() throws {
    let scene = try scene(messages: 1500, pause: nil) {
      $0.journal.checkpointChanges = 600
      $0.journal.waitsForCheckpoint = true
    }
    _ = try delete(scene.store)
    var round = 0
    while try queued(scene.store) > 0 {
      let left = try scene.left(name: "left \(round)")
      try expectSound(left)
      #expect(try queued(left) == 1)
      try left.write { try $0.setFollowed(true, "ann") }
      try expectSound(left)
      left.close()
      try scene.store.write { try $0.setFollowed(true, Identity.ID("\(round)")) }
      round += 1
    }
    #expect(round == 1950 / 255 + 1)
  }

  /// A store is closed when nobody refers to it any more, also while its thread sleeps or is at a slice.
  @Test(arguments: [0.0001, 1e6]) func theThreadKeepsNoStoreOpen(pause: Double) throws {
    weak var store: Store?
    do {
      let scene = try scene(messages: 1000, pause: pause)
      _ = try delete(scene.store)
      store = scene.store
    }
    for _ in 0..<60_000 where store != nil { usleep(1000) }
    #expect(store == nil)
  }
}
