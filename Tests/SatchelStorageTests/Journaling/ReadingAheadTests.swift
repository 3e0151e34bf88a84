import CommitEngine
import Journal
import SatchelCoding
import SatchelStorage
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// After a checkpoint of another process, readers read all that follows it in the journal: it may be thousands of commits.
@Suite struct ReadingAheadTests {
  /// Who has begun a write before the checkpoint was seen does not wait until a reader of his process has read them.
  @Test func aCommitWaitsForNoReaderOfWhatFollowsACheckpoint() throws {
    let scene = try JournalScene()
    let interruption = Interruption()
    let journal = scene.journal(SystemPlace(scene.place.path, through: interruption.interposer))
    try scene.begin(journal)
    try scene.append(journal, value: [3, 3, 3])
    var checkpoint = try #require(try journal.tail(after: scene.base)).seal
    checkpoint.isJournalInUse = true
    for number in UInt8(4)..<7 { try scene.append(journal, value: [number, number, number]) }

    let tail = try journal.beginTransaction(scene.base)
    let wasAppended = Mutex(false)
    let isInTime = Mutex(false)
    let writer = OtherThread()
    // On the reader's thread, in the midst of his work.
    interruption.beforeRead {
      writer.start {
        let changes = try scene.changes(after: tail, value: [7, 7, 7])
        #expect(try journal.append(changes, commits: 1, to: tail))
        wasAppended.withLock { $0 = true }
      }
      // One who waits for the reader does not come to his end before this.
      for _ in 0..<5000 where !wasAppended.withLock({ $0 }) { usleep(1000) }
      isInTime.withLock { [isDone = wasAppended.withLock { $0 }] in $0 = isDone }
    }
    let read = try #require(try journal.tail(after: checkpoint))
    try writer.finish()
    #expect(interruption.hasHappened && isInTime.withLock { $0 })
    #expect(read.seal.commit >= 6)
    let last = try #require(try journal.tail(after: checkpoint))
    #expect(last.seal.commit == 7 && last.value(of: JournalScene.key, in: .bodies) == [7, 7, 7])
  }
}
