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

/// A checkpoint beside a write cannot sync the journal: the write, which goes to LMDB, does not rely on it.
@Suite struct LostCheckpointSyncTests {
  /// The write begins before the sync fails, and has changes for LMDB after it. The power is cut then, and the journal is what it was at
  /// its last sync that has not failed.
  @Test func aWriteBesideItGivesTheJournalUp() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    let isFailing = Flag()
    var options = Store.Options()
    options.durability = .relaxed
    options.journal.commitsBefore = 0
    options.writerEnvironment.journalStorage = { FailingSync(storage: $0, isFailing: isFailing) }
    let store = try Store.open(directory: path, user: "me", options: options)
    defer { store.close() }
    func follow(_ name: String) throws { try store.write { try $0.setFollowed(true, Identity.ID(name)) } }
    try follow("a")
    let synced = try JournaledStore.readFile(path + "/journal")
    for name in ["b", "c"] { try follow(name) }
    try store.write { writer in
      isFailing.set(true)
      try onAnotherThread { [store] in
        #expect(throws: (any Error).self) { try store.checkpointBeside() }
      }
      isFailing.set(false)
      for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
    }
    let left = directory.path + "/left"
    try JournaledStore.copy(["data.mdb"], from: path, to: left)
    try JournaledStore.writeFile(synced, to: left + "/journal")
    // Commits go on, to a journal again.
    for name in ["d", "e"] { try follow(name) }
    #expect(try store.read { $0.seal.isJournalInUse })
    try expectSound(store)

    let found = try Store.open(directory: left, user: nil)
    defer { found.close() }
    for name in ["a", "b", "c", "large 14999"] {
      #expect(try found.read { try $0.users.number(of: name) } != nil, "\(name)")
    }
    try expectSound(found)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set(_ isSet: Bool) { value.store(isSet, ordering: .releasing) }
  }

  private struct FailingSync: JournalStorage {
    let storage: any JournalStorage
    let isFailing: Flag

    func size() throws(SystemFailure) -> Int { try storage.size() }
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.read(buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.write(bytes, at: offset)
    }
    func sync() throws(SystemFailure) {
      if isFailing.isSet { throw SystemFailure(ENOSPC) }
      try storage.sync()
    }
    func syncName() throws(SystemFailure) { try storage.syncName() }
    func truncate() throws(SystemFailure) { try storage.truncate() }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
  }
}
