import CommitEngine
import Journal
import SatchelStorage
import StoreFiles
import Synchronization
import Testing

/// A record may be in the file for a moment and then be taken back: its commit was told that nothing is stored.
@Suite struct TakenBackRecordTests {
  private let scene: JournalScene
  private let failure = Failure()
  /// A process whose writes may fail, and another one.
  private let first, second: CommitJournal

  init() throws {
    scene = try JournalScene()
    first = scene.journal(
      SystemPlace(scene.directory.path) { [failure] in FailingStorage(storage: $0, failure: failure) })
    second = scene.journal()
  }

  /// Another process reads meanwhile up to what is published, and more bytes with that. Neither its writer nor its readers take the
  /// record from them.
  @Test(arguments: [false, true]) func nobodyTakesItFromWhatWasReadWithOthers(another: Bool) throws {
    try scene.begin(first)
    #expect(try second.tail(after: scene.base)?.seal.commit == 2)
    try scene.append(first)
    failure.prepare { [scene, second] in #expect(throws: Never.self) { try second.tail(after: scene.base) } }
    #expect(throws: JournalError.self) { try scene.append(first, nextSequence: 7) }
    #expect(failure.hasHappened)

    if another {
      try scene.append(first, nextSequence: 8)
      let seal = try second.tail(after: scene.base)?.seal
      #expect(seal?.commit == 4 && seal?.nextSequence == 8)
    } else {
      #expect(try second.beginTransaction(scene.base).seal.commit == 3)
    }
  }

  /// Another process makes a checkpoint meanwhile, and begins to read what will follow it.
  @Test func nobodyTakesItFromWhatWasReadForACheckpoint() throws {
    try scene.begin(first)
    try scene.append(first)
    var taken = try #require(try second.tail(after: scene.base)).seal
    #expect(taken.commit == 3)
    taken.isJournalInUse = true
    failure.prepare { [second, taken] in #expect(throws: Never.self) { try second.readAhead(of: taken) } }
    #expect(throws: JournalError.self) { try scene.append(first) }
    #expect(failure.hasHappened)
    #expect(try second.beginTransaction(taken).seal.commit == 3)
  }

  /// It is the first one of a segment, which is taken back with it, and others have just found that.
  @Test(arguments: [false, true], [false, true]) func nobodyStaysInItsSegment(
    wasThere: Bool, another: Bool
  ) throws {
    try scene.begin(first)
    if wasThere { #expect(try second.tail(after: scene.base)?.seal.commit == 2) }
    failure.prepare { [scene, second] in #expect(throws: Never.self) { try second.tail(after: scene.base) } }
    #expect(throws: JournalError.self) { try scene.append(first, nextSequence: 7) }
    #expect(failure.hasHappened)

    if another { try scene.append(first, nextSequence: 8) }
    #expect(try second.tail(after: scene.base)?.seal.commit == (another ? 3 : 2))
    try scene.append(second, nextSequence: 9)
    let last = try scene.journal().tail(after: scene.base)?.seal
    #expect(last?.commit == (another ? 4 : 3) && last?.nextSequence == 9)
  }

  private final class Failure: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let happened = Atomic(false)

    var hasHappened: Bool { happened.load(ordering: .relaxed) }

    func prepare(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    func take() -> (@Sendable () -> Void)? {
      let taken = action.withLock { action in
        defer { action = nil }
        return action
      }
      if taken != nil { happened.store(true, ordering: .relaxed) }
      return taken
    }
  }

  /// A write has written everything, others have seen that, and it fails.
  private struct FailingStorage: JournalStorage {
    let storage: any JournalStorage
    let failure: Failure

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      let count = try storage.write(bytes, at: offset)
      guard let action = failure.take() else { return count }
      action()
      throw SystemFailure(5)
    }

    func size() throws(SystemFailure) -> Int { try storage.size() }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.read(buffer, at: offset)
    }

    func sync() throws(SystemFailure) { try storage.sync() }
    func syncName() throws(SystemFailure) { try storage.syncName() }
    func truncate() throws(SystemFailure) { try storage.truncate() }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
  }
}
