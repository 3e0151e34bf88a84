import CommitEngine
import Journal
import SatchelCoding
import SatchelStorage
import Testing

/// The values of a tail's records are in memory that grows: whoever adds to it is alone with it, and what others have been told of
/// stays.
@Suite struct TailMemoryTests {
  private let scene: JournalScene
  private let first: CommitJournal
  private let second: CommitJournal
  private let key = JournalScene.key

  init() throws {
    scene = try JournalScene()
    (first, second) = (scene.journal(), scene.journal())
    try scene.begin(first)
    try scene.append(first, value: [3, 3, 3])
  }

  /// The state of LMDB that has all that a process knows.
  private func checkpoint(of journal: CommitJournal) throws -> Seal {
    var seal = try #require(try journal.tail(after: scene.base)).seal
    seal.isJournalInUse = true
    return seal
  }

  private func poison() throws {
    let head = try JournalHead(scene.place.path(of: .head), .writing)
    var state = try #require(head.read()).state
    state.isPoisoned = true
    try head.publish(state)
  }

  /// Another process has committed and has failed to sync. Who takes all of it to LMDB stores values of his own; and readers of his
  /// process, who have not read that commit, store it beside.
  @Test(arguments: [false, true]) func whoMendsHasMemoryThatReadersDoNotAddTo(isReadAhead: Bool) throws {
    let base = isReadAhead ? try checkpoint(of: first) : scene.base
    if isReadAhead { try first.readAhead(of: base) }
    try scene.append(second, value: [4, 4, 4])
    try poison()
    let mended = try first.beginTransaction(base, isMending: true)
    let read = try #require(try first.tail(after: base))
    #expect(mended.seal.commit == 4 && read.seal.commit == 4)
    #expect(mended.arena !== read.arena)
    for tail in [mended, read] { _ = try scene.changes(after: tail, value: [5, 5, 5]) }
    for tail in [mended, read] { #expect(tail.value(of: key, in: .bodies) == [4, 4, 4]) }
  }

  /// Readers are beyond a checkpoint, and a commit upon the state before it is appended: readers of that state keep its values, whatever
  /// the next write stores.
  @Test func aCommitBesideACheckpointKeepsItsValues() throws {
    let checkpoint = try checkpoint(of: first)
    let tail = try first.beginTransaction(scene.base)
    let changes = try scene.changes(after: tail, value: [4, 4, 4])
    #expect(try first.tail(after: checkpoint)?.seal.commit == 3)
    #expect(try first.append(changes, commits: 1, to: tail))
    #expect(try first.tail(after: checkpoint)?.seal.commit == 4)

    let read = try #require(try first.tail(after: scene.base))
    #expect(read.value(of: key, in: .bodies) == [4, 4, 4])
    let next = try first.beginTransaction(scene.base)
    #expect(next.arena === read.arena)
    _ = try scene.changes(after: next, value: [5, 5, 5])
    #expect(read.value(of: key, in: .bodies) == [4, 4, 4])
  }

  /// A reader who reads an older state anew leaves alone what a writer is just storing: if that write fails, its memory is used again.
  @Test func aReaderOfAnOlderStateKeepsNothingOfAWriteThatFails() throws {
    let checkpoint = try checkpoint(of: first)
    try scene.append(second, value: [4, 4, 4])
    #expect(try first.tail(after: checkpoint)?.seal.commit == 4)
    let tail = try first.beginTransaction(checkpoint)
    let bytes = tail.byteCount
    _ = try scene.changes(after: tail, value: [UInt8](repeating: 5, count: 1000))
    #expect(try first.tail(after: scene.base)?.seal.commit == 4)
    let next = try first.beginTransaction(checkpoint)
    #expect(next.arena === tail.arena)
    #expect(next.byteCount == bytes)
  }
}
