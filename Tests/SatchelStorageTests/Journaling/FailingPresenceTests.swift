import Journal
import SatchelStorage
import StoreFiles
import Synchronization
import Testing

/// Openers have locks, and may not keep them or take them twice.
@Suite struct FailingPresenceTests {
  /// Who opens a journal as the only one has the presence alone until the head is right. The call fails by which he lets others in:
  /// he must not go on as if they could come. They would wait for him, and he, in his next write, for a writer among them.
  @Test func anOpenerWhoCannotShareThePresenceLetsGoOfIt() throws {
    let scene = try JournalScene()
    let first = scene.journal()
    try scene.begin(first)
    first.closeFiles()

    let failure = Once()
    var place = InterposedPlace(place: scene.place)
    place.lock = { name, lock in
      name == .presence ? JournalLock(FailingLock(lock, failure), path: lock.path) : lock
    }
    let second = scene.journal(place)
    #expect(throws: JournalError.self) { try second.tail(after: scene.base) }
    #expect(failure.hasHappened)
    let other = try scene.place.openLock(.presence, .writing)
    #expect(try other.tryAcquire(.shared))
    other.release()
    #expect(try second.tail(after: scene.base)?.isEmpty == true)
    #expect(try other.tryAcquire(.shared))
  }

  /// A writer makes the head anew while a program that may only read is opening the journal, and has the openers' turn.
  @Test func aReaderWhoseHeadIsMadeAnewDoesNotWaitForHimself() throws {
    let scene = try JournalScene()
    let first = scene.journal()
    try scene.begin(first)
    try scene.append(first)

    let words = try JournaledStore.readFile(scene.place.path(of: .head)).chunked()
    let identity = try #require(FileIdentity(path: scene.place.path(of: .head)))
    let openers = Turn()
    let change = Once()
    var place = InterposedPlace(place: scene.place)
    place.lock = { name, lock in
      name == .openers ? JournalLock(OpenersLock(lock, openers), path: lock.path) : lock
    }
    place.head = { _ in JournalHead(ChangingHead(words, identity, change), .reading) }
    let reader = scene.journal(place, isReadOnly: true)
    _ = try reader.tail(after: scene.base)
    #expect(try reader.tail(after: scene.base)?.seal.commit == 3)
  }

  /// Who closes looks first whether he seems to be alone. That must not let an opener believe that nobody else is there: he would
  /// say that the journal is another process's, which nobody has taken away.
  @Test func whoLooksWhetherHeIsAloneStaysPresent() throws {
    let scene = try JournalScene()
    let second = scene.journal()
    let opening = Once()
    _ = opening.happen()
    var place = InterposedPlace(place: scene.place)
    place.lock = { name, lock in
      guard name == .presence else { return lock }
      return JournalLock(
        YieldingLock(lock) {
          guard opening.happen() else { return }
          #expect(throws: Never.self) { try second.tail(after: scene.base) }
        }, path: lock.path)
    }
    let first = scene.journal(place)
    // With the head as it was made: it has no commit that shows whose it is.
    try scene.begin(first)
    opening.reset()
    #expect(first.seemsAlone())
    #expect(try second.tail(after: scene.base)?.isEmpty == true)
  }

  private final class Once: Sendable {
    private let happened = Atomic(false)

    var hasHappened: Bool { happened.load(ordering: .relaxed) }

    /// Returns true the first time.
    func happen() -> Bool { !happened.exchange(true, ordering: .relaxed) }

    func reset() { happened.store(false, ordering: .relaxed) }
  }

  /// Fails once where it goes over from being held alone to being shared.
  private final class FailingLock: LockStorage {
    private let lock: JournalLock
    private let failure: Once
    private let isExclusive = Atomic(false)

    init(_ lock: JournalLock, _ failure: Once) {
      self.lock = lock
      self.failure = failure
    }

    func lock(_ mode: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool {
      if mode == .shared, isExclusive.load(ordering: .relaxed), failure.happen() { throw SystemFailure(5) }
      guard try lock.take(mode, waiting) else { return false }
      isExclusive.store(mode == .exclusive, ordering: .relaxed)
      return true
    }

    func unlock() { lock.release() }
  }

  /// Lets somebody else go on where it goes over from being held alone to being shared.
  private final class YieldingLock: LockStorage {
    private let lock: JournalLock
    private let others: @Sendable () -> Void
    private let isExclusive = Atomic(false)

    init(_ lock: JournalLock, _ others: @escaping @Sendable () -> Void) {
      self.lock = lock
      self.others = others
    }

    func lock(_ mode: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool {
      if mode == .shared, isExclusive.load(ordering: .relaxed) {
        lock.release()
        others()
      }
      guard try lock.take(mode, waiting) else { return false }
      isExclusive.store(mode == .exclusive, ordering: .relaxed)
      return true
    }

    func unlock() { lock.release() }
  }

  private final class Turn: Sendable {
    let isTaken = Atomic(false)
  }

  /// Fails instead of waiting for who has it in the same thread.
  private final class OpenersLock: LockStorage {
    private let lock: JournalLock
    private let turn: Turn

    init(_ lock: JournalLock, _ turn: Turn) {
      self.lock = lock
      self.turn = turn
    }

    func lock(_ mode: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool {
      guard !turn.isTaken.exchange(true, ordering: .relaxed) else { throw SystemFailure(35) }
      return try lock.take(mode, waiting)
    }

    func unlock() {
      turn.isTaken.store(false, ordering: .relaxed)
      lock.release()
    }
  }

  /// A head that a writer begins to make anew after its owner was read the first time, and is done with when it is read again.
  private final class ChangingHead: HeadMemory {
    private let words: [UInt64]
    private let magicReads = Atomic(0)
    private let change: Once
    let identity: FileIdentity

    init(_ words: [UInt64], _ identity: FileIdentity, _ change: Once) {
      self.words = words
      self.identity = identity
      self.change = change
    }

    func load(_ index: Int) -> UInt64 {
      guard index == 0, magicReads.add(1, ordering: .relaxed).oldValue == 1, change.happen() else {
        return words[index]
      }
      return 0
    }

    func store(_ index: Int, _ value: UInt64) {}
    func wake() {}
  }
}

extension [UInt8] {
  /// The words of which these are the bytes.
  fileprivate func chunked() -> [UInt64] {
    stride(from: 0, to: count - 7, by: 8).map { start in
      self[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
