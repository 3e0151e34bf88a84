import CommitEngine
import Dispatch
import Journal
import SatchelCoding
import SatchelStorage
import Synchronization
import Testing

/// A checkpoint goes by while somebody of the same process, on another thread, has the state of LMDB before it.
@Suite struct FormerTailTests {
  private let scene: JournalScene
  private let first: CommitJournal
  private let second: CommitJournal
  /// A state of LMDB that has what this process has committed, and not what another one has after that. This process knows both.
  private let checkpoint: Seal
  private let interruption = Interruption()

  init() throws {
    scene = try JournalScene()
    first = scene.journal(SystemPlace(scene.directory.path, through: interruption.interposer))
    second = scene.journal()
    try scene.begin(first)
    try scene.append(first)
    var checkpoint = try #require(try first.tail(after: scene.base)).seal
    checkpoint.isJournalInUse = true
    self.checkpoint = checkpoint
    try scene.append(second)
    #expect(try first.tail(after: checkpoint)?.seal.commit == 4)
  }

  /// Another process has committed, and the thread that has seen the checkpoint has read that: so has this process, for all threads.
  @Test func theStateBeforeACheckpointHasWhatOthersHaveAppended() throws {
    // A writer would write over what has returned.
    #expect(try first.beginTransaction(scene.base).seal.commit == 4)
    #expect(try first.tail(after: scene.base)?.seal.commit == 4)
  }

  /// The same for a reader, who has not read the other process's commit before.
  @Test func aReaderOfTheStateBeforeReadsWhatOthersHaveAppended() throws {
    for _ in 0..<2 { #expect(try first.tail(after: scene.base)?.seal.commit == 4) }
    try scene.append(second)
    for _ in 0..<2 { #expect(try first.tail(after: scene.base)?.seal.commit == 5) }
    #expect(try first.tail(after: checkpoint)?.seal.commit == 5)
  }

  /// To read the state before anew takes as long as the journal is long. Nobody waits for that, and what others commit meanwhile is not
  /// lost by it.
  @Test func aReaderOfTheStateBeforeKeepsNobodyWaiting() throws {
    let (scene, first, second, checkpoint) = (scene, first, second, checkpoint)
    let found = Mutex<UInt64?>(nil)
    interruption.beforeRead {
      let end = DispatchSemaphore(value: 0)
      DispatchQueue(label: "another reader").async {
        do {
          try scene.append(second)
          let tail = try first.tail(after: checkpoint)
          found.withLock { $0 = tail?.seal.commit }
        } catch { Issue.record(error) }
        end.signal()
      }
      #expect(end.wait(timeout: .now() + 20) == .success, "it waits for this reader")
    }
    #expect(try first.tail(after: scene.base)?.seal.commit == 4)
    #expect(interruption.hasHappened)
    #expect(found.withLock { $0 } == 5)
    for base in [scene.base, checkpoint] { #expect(try first.tail(after: base)?.seal.commit == 5) }
  }
}
