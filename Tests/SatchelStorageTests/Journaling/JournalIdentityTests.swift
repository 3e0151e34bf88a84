import LMDB
import SatchelCare
import SatchelModel
import SatchelStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file and a journal that do not belong together are refused, and both are left as they are.
@Suite struct JournalIdentityTests {
  private let scene: JournaledStore

  init() throws {
    scene = try JournaledStore(seed: 11)
    try scene.write(20)
  }

  @Test func aStoreWithoutItsJournalIsRefused() throws {
    for readOnly in [false, true] {
      #expect(
        code { _ = try scene.left(name: "alone \(readOnly)", readOnly: readOnly, files: ["data.mdb"]) }
          == .journalMissing)
    }
    // One whose journal has been emptied has lost what was in it.
    try JournaledStore.copy(["data.mdb"], from: scene.path, to: scene.directory.path + "/empty")
    try JournaledStore.writeFile([], to: scene.directory.path + "/empty/journal")
    #expect(
      code { _ = try Store.open(directory: scene.directory.path + "/empty", user: nil) } == .corrupted)
  }

  @Test func aRepairGivesUpWhatTheMissingJournalHad() throws {
    let copy = scene.directory.path + "/repaired"
    try JournaledStore.copy(["data.mdb"], from: scene.path, to: copy)
    let report = try Store.repair(directory: copy)
    #expect(report.actions.contains { $0.contains("the journal is missing") })
    let store = try Store.open(directory: copy, user: nil)
    try expectSound(store)
    try store.write { try $0.setFollowed(true, "someone") }
    #expect(try store.sequence() < scene.store.sequence())
  }

  @Test func aRepairTakesTheRecordsOfTheJournal() throws {
    let copy = scene.directory.path + "/repaired"
    try JournaledStore.copy(["data.mdb", "journal"], from: scene.path, to: copy)
    _ = try Store.repair(directory: copy)
    try scene.expectHolds(try Store.open(directory: copy, user: nil))
  }

  @Test func theJournalOfAnotherStoreIsRefused() throws {
    let other = try JournaledStore(seed: 12)
    try other.write(20)
    let copy = scene.directory.path + "/mixed"
    try JournaledStore.copy(["data.mdb"], from: scene.path, to: copy)
    try JournaledStore.copy(["journal"], from: other.path, to: copy)
    let journal = try JournaledStore.readFile(copy + "/journal")
    #expect(code { _ = try Store.open(directory: copy, user: nil) } == .foreignJournal)
    #expect(try JournaledStore.readFile(copy + "/journal") == journal)
  }

  /// Somebody has put an older copy of the file beside a journal that goes on from there.
  @Test func anOlderFileBesideANewerJournalIsRefused() throws {
    let backup = scene.directory.path + "/backup"
    _ = try scene.store.backup(to: backup)
    try scene.write(10)
    try JournaledStore.copy(["journal"], from: scene.path, to: backup)
    #expect(code { _ = try Store.open(directory: backup, user: nil) } == .foreignJournal)
    unlink(backup + "/journal")
    try expectSound(try Store.open(directory: backup, user: nil))
  }

  /// The file went on by itself from an older copy: its commits are others than those of the journal.
  @Test func aJournalOfAnotherHistoryIsRefused() throws {
    let copy = scene.directory.path + "/history"
    let older = try scene.left(name: "history")
    older.close()
    let other = try Store.open(directory: copy, user: nil)
    for _ in 0..<5 { try other.write { try $0.setFollowed(true, "someone") } }
    other.close()
    try scene.write(10)
    try JournaledStore.copy(["journal"], from: scene.path, to: copy)
    #expect(code { _ = try Store.open(directory: copy, user: nil) } == .foreignJournal)
  }

  @Test func anOldJournalBesideANewerFileIsIgnored() throws {
    let journal = scene.directory.path + "/old"
    try JournaledStore.copy(["journal"], from: scene.path, to: journal)
    var scene = scene
    try scene.write(5)
    scene.store.close()
    try JournaledStore.copy(["journal"], from: journal, to: scene.path)
    try scene.reopen()
    try scene.write(5)
    try scene.expectHolds()
  }

  @Test func somethingElseUnderItsNameIsRefused() throws {
    let copy = scene.directory.path + "/foreign"
    let left = try scene.left(name: "foreign")
    left.close()
    try JournaledStore.writeFile([UInt8](repeating: 7, count: 10_000), to: copy + "/journal")
    #expect(code { _ = try Store.open(directory: copy, user: nil) } == .foreignJournal)
    unlink(copy + "/journal")
    symlink("/etc/passwd", copy + "/journal")
    #expect(code { _ = try Store.open(directory: copy, user: nil) } == .foreignFile)
  }
}
