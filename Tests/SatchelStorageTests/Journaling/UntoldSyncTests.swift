import CommitEngine
import Journal
import LMDB
import SatchelStorage
import Testing

/// A sync of one process has failed, and the system does not tell others: what it has lost they can read, and syncs of theirs, which
/// succeed, do not write it. So they write it again.
@Suite struct UntoldSyncTests {
  private let scene: JournalScene
  private let disk = LosingDisk()

  init() throws { scene = try JournalScene() }

  private func journal(isSynced: Bool) -> CommitJournal {
    scene.journal(SystemPlace(scene.directory.path, through: disk.interposer), isSynced: isSynced)
  }

  /// How far the journal goes that a power cut would leave.
  private func lastOnDisk() throws -> UInt64 {
    let path = scene.directory.path + "/left"
    try JournaledStore.writeFile(disk.bytes, to: path)
    var reader = try JournalReader(
      JournalFile(path, .reading), of: scene.owner,
      after: JournalPoint(sequence: scene.base.commit, chain: scene.base.chain))
    while try reader.next() != nil {}
    return reader.end.point.sequence
  }

  /// Leaves the head as a process would that ends before it can say that its sync has failed.
  private func forgetFailure() throws {
    let head = try JournalHead(scene.place.path(of: .head), .writing)
    var state = try #require(head.read()).state
    #expect(state.isPoisoned)
    state.isPoisoned = false
    try head.publish(state)
    try head.beginCommit()
  }

  /// It takes to LMDB what another process has published and could not sync.
  @Test func aCheckpointTakesNothingThatIsNotOnTheDisk() throws {
    let (writer, other) = (journal(isSynced: false), journal(isSynced: false))
    try scene.begin(writer)
    for _ in 0..<3 { try scene.append(writer) }
    let tail = try #require(try other.tail(after: scene.base))
    #expect(tail.seal.commit == 5)
    disk.failNextSync()
    #expect(throws: JournalError.self) { try writer.beginDatabaseCommit() }
    #expect(try lastOnDisk() < 5)
    try other.syncBeforeCheckpoint(of: tail)
    #expect(try lastOnDisk() == 5)
  }

  /// The process with the failure has ended at once. Another one, which opens the store while others have it open, or alone, goes on.
  @Test(arguments: [false, true]) func whoeverGoesOnWritesItAgain(isAlone: Bool) throws {
    let (writer, other) = (journal(isSynced: true), journal(isSynced: true))
    try scene.begin(writer)
    try scene.append(writer)
    #expect(try other.tail(after: scene.base)?.seal.commit == 3)
    disk.failNextSync()
    #expect(throws: JournalError.self) { try scene.append(writer) }
    try forgetFailure()
    writer.closeFiles()
    if isAlone { other.closeFiles() }

    let next = journal(isSynced: true)
    let tail = isAlone ? try next.tail(after: scene.base) : try next.beginTransaction(scene.base)
    #expect(tail?.seal.commit == 4)
    #expect(try lastOnDisk() == 4)
  }
}
