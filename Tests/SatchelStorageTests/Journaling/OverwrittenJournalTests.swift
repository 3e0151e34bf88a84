import Journal
import SatchelStorage
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Somebody has cut the journal, or has written something else into it, while a store has it open: its writer sees that his last
/// commit is gone, and takes all that he has in memory to LMDB instead of acknowledging commits that nobody could read.
@Suite struct OverwrittenJournalTests {
  @Test(arguments: [0, 300, 4096, 4700], [2, 40]) func aCutJournalIsGivenUp(size: Int, commits: Int) throws {
    let scene = try JournaledStore(seed: UInt64(31 + size + commits))
    try scene.write(commits)
    // Random commits may change nothing.
    for _ in 0..<100 where scene.journalSize <= size { try scene.write(1) }
    try #require(scene.journalSize > size)
    try #require(truncate(scene.path + "/journal", off_t(size)) == 0)
    try expectGoesOn(scene)
  }

  @Test func aJournalFullOfZerosIsGivenUp() throws {
    let scene = try JournaledStore(seed: 33)
    try scene.write(10)
    let zeros = [UInt8](repeating: 0, count: scene.journalSize)
    try JournaledStore.write(zeros[...], to: scene.path + "/journal", at: 0)
    try expectGoesOn(scene)
  }

  /// As from a backup.
  @Test func anOlderJournalIsGivenUp() throws {
    let scene = try JournaledStore(seed: 34) { $0.journal.limits.segmentSize = 256 << 10 }
    try scene.write(10)
    let older = try JournaledStore.readFile(scene.path + "/journal")
    try scene.write(10)
    try JournaledStore.write(older[...], to: scene.path + "/journal", at: 0)
    try expectGoesOn(scene)
  }

  /// LMDB has everything, and nothing was appended since.
  @Test(arguments: [300, 4096, 4700]) func aJournalIsCutBehindACheckpoint(size: Int) throws {
    let scene = try JournaledStore(seed: UInt64(35 + size))
    try scene.write(10)
    try scene.store.checkpoint()
    try #require(scene.journalSize > size)
    try #require(truncate(scene.path + "/journal", off_t(size)) == 0)
    try expectGoesOn(scene)
  }

  private func expectGoesOn(_ scene: JournaledStore) throws {
    let database = try scene.databaseCommits
    try scene.write(1)
    #expect(try scene.databaseCommits > database)
    try scene.expectHolds()
    try scene.write(5)
    try scene.expectHolds()
    // As after the process was killed.
    let left = try scene.left(name: "left")
    defer { left.close() }
    try scene.expectHolds(left)
  }
}
