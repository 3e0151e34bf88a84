import Dispatch
import Journal
import LMDB
import SatchelCare
import SatchelModel
import SatchelStorage
import StoreFiles
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Everything that a store can be used for, while a checkpoint beside commits is in the middle: it has LMDB's write transaction and has
/// written the trees.
@Suite struct HeldCheckpointTests {
  @Test(arguments: [Environment.Durability.full, .relaxed])
  func hindersNobody(_ durability: Environment.Durability) async throws {
    let seed = TestEnvironment.seed(for: "hindersNobody")
    let hold = HeldCheckpoint()
    let scene = try JournaledStore(seed: seed) {
      $0.durability = durability
      $0.journal.limits.segmentSize = 64 << 10
      $0.writerEnvironment.journalStorage = hold.interposer
    }
    let store = scene.store
    try scene.write(20)
    let last = try scene.databaseCommits
    let checkpoint = OtherThread()
    hold.begin()
    checkpoint.start { try store.checkpointBeside() }
    hold.waitUntilHeld()
    defer { hold.end() }

    try scene.write(5)
    try scene.expectHolds()
    try scene.expectHolds(scene.left(name: "left"))
    try scene.expectHolds(scene.left(name: "left to readers", readOnly: true))
    // A backup, which is verified.
    let backup = scene.directory.path + "/backup"
    let sequence = try store.sequence()
    try #expect(store.backup(to: backup).sequence == sequence)
    var options = Store.Options()
    options.readOnly = true
    options.create = false
    let copy = try Store.open(directory: backup, user: nil, options: options)
    try scene.expectHolds(copy)
    copy.close()
    // Another process, which may only read.
    await #expect(processExitsWith: .success) {
      [path = scene.path as String, sequence = sequence as UInt64] in
      var options = Store.Options()
      options.readOnly = true
      options.create = false
      let store = try Store.open(directory: path, user: nil, options: options)
      try #expect(store.sequence() == sequence)
      try expectSound(store)
      store.close()
    }
    try #expect(scene.databaseCommits == last)

    hold.end()
    try checkpoint.finish()
    try #expect(scene.databaseCommits == last + 1)
    try scene.expectHolds()
    try scene.write(5)
    try scene.expectHolds()
    try scene.expectHolds(scene.left(name: "left after"))
  }

  /// A checkpoint that finds no room leaves all as it was, also if others have gone on beside it.
  @Test(arguments: [Environment.Durability.full, .relaxed])
  func withoutRoomLosesNothing(_ durability: Environment.Durability) throws {
    let seed = TestEnvironment.seed(for: "withoutRoomLosesNothing")
    var scene = try JournaledStore(seed: seed) {
      $0.durability = durability
      $0.maximumFileBytes = 2 << 20
      $0.journal.checkpointCommits = 4
      $0.journal.waitsForCheckpoint = true
    }
    var refused = 0
    for number in 0..<TestEnvironment.rounds(200) {
      do {
        try scene.store.write { writer in
          try writer.setFollowed(true, Identity.ID("user \(number) \(String(repeating: "x", count: 8000))"))
        }
      } catch let error as SatchelError where error.code == .storeFull {
        refused += 1
      }
      if refused > 3 { break }
    }
    #expect(refused > 3)
    let users = try scene.store.read { $0.seal.commit }
    try expectSound(scene.store)
    let left = try scene.left(name: "left")
    try #expect(left.sequence() == users)
    try expectSound(left)
    left.close()
    try scene.reopen { $0.maximumFileBytes = 8 << 20 }
    try #expect(scene.store.sequence() == users)
    try scene.store.write { try $0.setFollowed(true, "after") }
    try scene.store.checkpoint()
    try expectSound(scene.store)
  }
}

/// Holds one call that reads the journal: that of a checkpoint, which reads what was committed meanwhile after all else.
final class HeldCheckpoint: Sendable {
  private let isArmed = Mutex(false)
  private let held = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  func begin() { isArmed.withLock { $0 = true } }
  func waitUntilHeld() { held.wait() }
  func end() { ended.signal() }

  var interposer: JournalInterposer { { Storage(storage: $0, hold: self) } }

  private struct Storage: JournalStorage {
    let storage: any JournalStorage
    let hold: HeldCheckpoint

    func size() throws(SystemFailure) -> Int { try storage.size() }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      let isHeld = hold.isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if isHeld {
        hold.held.signal()
        hold.ended.wait()
      }
      return try storage.read(buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.write(bytes, at: offset)
    }
    func sync() throws(SystemFailure) { try storage.sync() }
    func syncName() throws(SystemFailure) { try storage.syncName() }
    func truncate() throws(SystemFailure) { try storage.truncate() }
  }
}
