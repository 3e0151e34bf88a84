import Journal
import SatchelModel
import SatchelStorage
import StoreFiles
import StoreModel
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A checkpoint that has failed is tried again, and commits go on meanwhile.
@Suite struct CheckpointRetryTests {
  @Test func afterTwiceAsManyCommitsEachTime() throws {
    let fault = ReadFault()
    let scene = try JournaledStore(seed: 51) {
      $0.journal.checkpointCommits = 10
      $0.journal.waitsForCheckpoint = true
      $0.journal.limits.segmentSize = 1 << 20
      $0.writerEnvironment.journalStorage = fault.interposer
    }
    let store = scene.store
    try store.write { try $0.setFollowed(true, "first") }
    var commits = 0
    func write(_ count: Int) throws {
      for _ in 0..<count {
        commits += 1
        try store.write { try $0.setFollowed(true, Identity.ID("user \(commits)")) }
      }
    }
    // The journal's first record: before that, its segments are looked at.
    try write(1)
    fault.isOn = true
    let before = try scene.databaseCommits
    var failures = 0
    var attempts: [Int] = []
    while commits < 1000 {
      try write(1)
      if fault.count > failures { attempts.append(commits) }
      failures = fault.count
    }
    try #expect(scene.databaseCommits == before)
    try #require(attempts.count == 4, "\(attempts)")
    #expect(zip(attempts, attempts.dropFirst()).map { $1 - $0 } == [125, 250, 500])
    // The cause is gone: the next attempt, and each one that is due after it, succeeds.
    fault.isOn = false
    while commits < attempts[3] + 1000 { try write(1) }
    try #expect(scene.databaseCommits == before + 1)
    try write(10)
    try #expect(scene.databaseCommits == before + 2)
    try expectSound(store)
  }
}

/// A journal that cannot be read as long as somebody says so, though it can be written.
private final class ReadFault: Sendable {
  private let state = Mutex((isOn: false, count: 0))

  var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  /// How many calls have failed.
  var count: Int { state.withLock { $0.count } }

  var interposer: JournalInterposer { { Storage(storage: $0, fault: self) } }

  private func call() throws(SystemFailure) {
    let fails = state.withLock { state in
      if state.isOn { state.count += 1 }
      return state.isOn
    }
    if fails { throw SystemFailure(EIO) }
  }

  private struct Storage: JournalStorage {
    let storage: any JournalStorage
    let fault: ReadFault

    func size() throws(SystemFailure) -> Int { try storage.size() }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      // A writer's look at his last record, which is shorter than what a reader asks for, finds it in memory.
      if buffer.count >= 4096 { try fault.call() }
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
