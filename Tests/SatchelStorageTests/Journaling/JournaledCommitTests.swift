import LMDB
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// Commits that go to the journal are seen by every read, and survive whatever happens to the process.
@Suite struct JournaledCommitTests {
  @Test func smallCommitsLeaveTheDatabaseAlone() throws {
    let scene = try JournaledStore(seed: 1)
    try scene.write(5)
    let before = try scene.databaseCommits
    let sequence = try scene.store.sequence()
    try scene.write(20)
    #expect(try scene.databaseCommits == before)
    #expect(try scene.store.sequence() > sequence)
    try scene.expectHolds()
  }

  @Test func aFirstCommitMakesNoJournal() throws {
    var scene = try JournaledStore(seed: 2) { $0.journal.commitsBefore = 1 }
    try scene.store.write { try $0.setFollowed(true, "someone") }
    #expect(scene.journalSize == -1)
    try scene.reopen()
    try scene.store.write { try $0.setFollowed(false, "someone") }
    #expect(scene.journalSize == -1)
    try scene.write(10)
    #expect(scene.journalSize > 0)
    try scene.expectHolds()
  }

  @Test func aClosedStoreIsItsFileAlone() throws {
    var scene = try JournaledStore(seed: 3)
    try scene.write(30)
    scene.store.close()
    #expect(scene.journalSize == 0)
    let copy = try scene.left(name: "copy", files: ["data.mdb"])
    try scene.expectHolds(copy)
    #expect(copy.header.versions == scene.store.header.versions)
    try scene.reopen()
    try scene.write(10)
    try scene.expectHolds()
  }

  @Test func aRelaxedStoreUsesTheJournalToo() throws {
    var scene = try JournaledStore(seed: 4) {
      $0.durability = .relaxed
      $0.journal.mostCommits = 20
    }
    try scene.write(50)
    try scene.expectHolds(try scene.left(name: "copy"))
    try scene.reopen()
    try scene.write(5)
    try scene.expectHolds()
  }

  /// An opener joins all commits at once, which the writer has joined one by one: with keys that came and went.
  @Test func aLongJournalIsReadAtOnce() throws {
    let seed = TestEnvironment.seed(for: "aLongJournalIsReadAtOnce")
    let scene = try JournaledStore(seed: seed) { $0.journal.mostCommits = 100_000 }
    try scene.write(1)
    let before = try scene.databaseCommits
    try scene.write(500)
    // But for some large ones.
    #expect(try scene.databaseCommits < before + 20)
    let left = try scene.left(name: "copy")
    try scene.expectHolds(left)
    let (found, expected) = try (left.read(StoreContents.init), scene.store.read(StoreContents.init))
    found.expectSame(as: expected)
    try expectSound(left)
  }

  /// Whatever process opens what an ended one has left finds every commit.
  @Test func whatAnEndedProcessLeavesIsWhole() throws {
    let seed = TestEnvironment.seed(for: "whatAnEndedProcessLeavesIsWhole")
    let scene = try JournaledStore(seed: seed) { $0.journal.mostCommits = 40 }
    // Most operations find nothing to do in an empty store, and the first commit makes the journal.
    while try scene.store.sequence() < 5 { try scene.write(1) }
    for round in 0..<TestEnvironment.rounds(12) {
      try scene.write(try scene.operations.withLock { $0.generator.draw(from: [1, 2, 7, 25]) })
      let hasHead = round % 3 == 1
      let left = try scene.left(
        name: "\(round)", readOnly: round % 2 == 1,
        files: ["data.mdb", "journal"] + (hasHead ? ["journal.head"] : []))
      try scene.expectHolds(left)
      if round % 2 == 0 {
        try left.write { try $0.setFollowed(true, "after") }
        try left.write { try $0.setFollowed(false, "after") }
      }
      left.close()
      if round % 2 == 0 { try expectSound(Store.open(directory: left.directory, user: nil)) }
    }
  }

  /// Changes go to LMDB and to the journal by turns, with each bound that decides about it.
  @Test(arguments: 0..<4) func checkpointsChangeNothing(_ kind: Int) throws {
    let seed = TestEnvironment.seed(for: "checkpointsChangeNothing") &+ UInt64(kind)
    var scene = try JournaledStore(seed: seed) {
      switch kind {
      case 0: $0.journal.mostCommits = 3
      case 1: $0.journal.mostBytes = 30 << 10
      case 2: $0.journal.maximumRecordBytes = 700
      default:
        $0.journal.limits.softSegments = 2
        $0.journal.limits.hardSegments = 3
      }
    }
    for round in 0..<TestEnvironment.rounds(10) {
      try scene.write(15, steps: 1...(round % 4 == 3 ? 60 : 5))
      try scene.expectHolds()
      if round % 4 == 1 { try scene.store.checkpoint() }
      if round % 4 == 2 { try scene.reopen() }
      try scene.expectHolds()
    }
  }

  /// A snapshot stays as it was while commits go to the journal and from there to LMDB.
  @Test func aSnapshotStays() throws {
    let scene = try JournaledStore(seed: 5) { $0.journal.mostCommits = 10 }
    try scene.write(25)
    let model = try scene.operations.withLock { $0.model }
    try scene.store.read { snapshot in
      let contents = try StoreContents(snapshot)
      try onAnotherThread { try? scene.write(30) }
      #expect(try model.difference(snapshot) == nil)
      try StoreContents(snapshot).expectSame(as: contents)
    }
    try scene.expectHolds()
  }

  @Test func aLargeWriteTakesTheJournalWithIt() throws {
    let scene = try JournaledStore(seed: 6)
    try scene.write(10)
    let before = try scene.databaseCommits
    try scene.store.write { writer in
      for number in 0..<3000 { try writer.setFollowed(true, Identity.ID("user \(number)")) }
    }
    #expect(try scene.databaseCommits == before + 1)
    try expectSound(scene.store)
    try scene.store.write { try $0.setFollowed(true, "last") }
    #expect(try scene.databaseCommits == before + 1)
    try expectSound(try scene.left(name: "copy"))
  }

  @Test func aWriteThatFailsLeavesNothing() throws {
    let scene = try JournaledStore(seed: 7)
    try scene.write(5)
    let sequence = try scene.store.sequence()
    for _ in 0..<50 {
      #expect(throws: Failure.self) {
        try scene.store.write { writer in
          for number in 0..<100 { try writer.setFollowed(true, Identity.ID("user \(number)")) }
          throw Failure(description: "given up")
        }
      }
    }
    #expect(try scene.store.sequence() == sequence)
    try scene.write(5)
    try scene.expectHolds()
    try scene.expectHolds(try scene.left(name: "copy"))
  }

  @Test func writersOfAGroupAreOneRecord() throws {
    let scene = try JournaledStore(seed: 8)
    try scene.write(2)
    let first = try scene.store.sequence()
    try onThreads(8) { thread in
      for number in 0..<20 {
        try? scene.store.write { try $0.setFollowed(true, Identity.ID("\(thread)/\(number)")) }
      }
    }
    #expect(try scene.store.sequence() == first + 160)
    try expectSound(scene.store)
    let left = try scene.left(name: "copy")
    #expect(try left.sequence() == first + 160)
    try expectSound(left)
  }

  @Test func aBackupHasWhatIsInTheJournal() throws {
    let scene = try JournaledStore(seed: 9)
    try scene.write(30)
    for compacting in [false, true] {
      let destination = scene.directory.path + "/backup \(compacting)"
      let summary = try scene.store.backup(to: destination, compacting: compacting)
      #expect(try summary.sequence == scene.store.sequence())
      try scene.expectHolds(try Store.open(directory: destination, user: nil))
    }
  }
}
