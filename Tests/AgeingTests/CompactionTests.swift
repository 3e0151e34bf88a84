import Ageing
import LMDB
import SatchelCare
import SatchelCoding
import SatchelStorage
import StoreFiles
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store is made small where it is.
@Suite struct CompactionTests {
  /// Messages that were deleted one by one leave pages half empty. Readers of a state before it see that state.
  @Test func pagesThatAreHalfEmptyAreJoinedAndGivenBack() throws {
    let directory = Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var aged = try Self.aged(12_000, at: directory)
    let store = aged.store
    defer { store.close() }
    let (before, seal) = (try Self.records(store), try store.read { $0.seal })
    let file = try store.environment.info.fileBytes

    // Beside a reader, whose pages stay.
    let isDone = Monitor(false)
    try store.environment.read { transaction in
      let hasBegun = BackgroundThread.start {
        #expect(throws: Never.self) { try store.compact() }
        isDone.locked { $0 = true }
        isDone.notify()
      }
      try #require(hasBegun)
      isDone.locked(when: { $0 }) { _, _ in }
      #expect(try Self.sound(transaction, seal, store))
    }
    let done = try store.compact()
    let after = try Self.records(store)
    #expect(3 * (after.bytes - after.used) <= 2 * (before.bytes - before.used), "\(before) \(after)")
    #expect(done.bytes < file - (before.bytes - after.bytes) / 2, "\(done) of \(file)")
    // Every page is copied once while the reader keeps the one before.
    #expect(try store.environment.info.fileBytes <= 2 * file + (1 << 20))
    let now = try store.read { $0.seal }
    for table in [Seal.Table.messages, .bodies, .conversations, .identities] {
      #expect(now[table] == seal[table])
    }
    #expect(try store.verify().faultCount == 0)
    try aged.commit(500)
    #expect(try store.verify().faultCount == 0)
  }

  /// A tenth of the file is all that it needs beside it, where nobody reads.
  @Test func aTenthOfTheFileIsAllItNeeds() throws {
    let directory = Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let aged = try Self.aged(8_000, at: directory)
    let store = aged.store
    defer { store.close() }
    let file = try store.environment.info.fileBytes
    try store.compact()
    #expect(try store.environment.info.fileBytes <= file + file / 10)
    #expect(try store.verify().faultCount == 0)
  }

  private static func newDirectory() -> String {
    FileManager.default.temporaryDirectory.path + "/satchel-compaction-\(UUID())"
  }

  /// A store of so many commits in which messages were then deleted one by one, all of it in the tables.
  private static func aged(_ commits: Int, at directory: String) throws -> AgedStore {
    var aged = try AgedStore(at: directory, seed: TestEnvironment.seed(), conversations: 100) {
      $0.journal.checkpointCommits = 2_000
    }
    try aged.commit(commits)
    try aged.deleteMessages()
    try aged.store.checkpoint()
    return aged
  }

  /// Whether a transaction that has begun before sees the state of then.
  private static func sound(_ transaction: ReadTransaction, _ seal: Seal, _ store: Store) throws -> Bool {
    let found = try Store.readSeal(transaction, store.databases)
    return try found[.messages] == seal[.messages] && transaction.auditPages().isSound
  }

  /// The bytes of the records' tables.
  private static func records(_ store: Store) throws -> (bytes: Int, used: Int) {
    try store.space().parts.filter { ["messages", "bodies"].contains($0.name) }.reduce((0, 0)) {
      ($0.0 + $1.bytes, $0.1 + $1.used)
    }
  }
}
