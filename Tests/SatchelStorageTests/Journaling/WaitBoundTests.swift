import CommitEngine
import Journal
import RecordStore
import SatchelCoding
import SatchelStorage
import StoreFiles
import Synchronization
import Testing

/// However many locks an opening takes, and whoever has them: it waits for all of them until one time. So the sum of what it waits does
/// not depend on how many there are.
@Suite struct WaitBoundTests {
  /// Until when locks were waited for, in the order of the calls; 0 for one that was only tried.
  private final class Waits: Sendable {
    private let all = Mutex<[UInt64]>([])

    func add(_ waiting: JournalLock.Waiting) {
      switch waiting {
      case .no: all.withLock { $0.append(0) }
      // Of those who are ending, which has a bound of its own.
      case .aMoment: break
      case .until(let limit): all.withLock { $0.append(limit) }
      }
    }

    /// Those since the last call that were more than a try.
    func take() -> [UInt64] {
      all.withLock { all in
        defer { all = [] }
        return all.filter { $0 > 0 }
      }
    }
  }

  /// Somebody has it at the end of every wait, or lets go of it just then.
  private final class ContendedLock: LockStorage {
    private let lock: JournalLock
    private let isKept: Bool
    private let waits: Waits

    init(_ lock: JournalLock, isKept: Bool, _ waits: Waits) {
      self.lock = lock
      self.isKept = isKept
      self.waits = waits
    }

    func lock(_ mode: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool {
      waits.add(waiting)
      guard isKept else { return try lock.take(mode, waiting) }
      lock.release()
      return false
    }

    func unlock() { lock.release() }
  }

  /// A place of a journal whose locks somebody has; those that are not kept are let go of in time.
  private func place(_ scene: JournalScene, keeping kept: JournalLockName?, _ waits: Waits) -> InterposedPlace
  {
    var place = InterposedPlace(place: scene.place)
    place.lock = { name, lock in
      JournalLock(ContendedLock(lock, isKept: name == kept, waits), path: lock.path)
    }
    return place
  }

  private static let locks: [JournalLockName?] = [nil, .openers, .presence, .claim]

  @Test(arguments: locks, [false, true])
  func aReadWaitsUntilOneTime(kept: JournalLockName?, isReadOnly: Bool) throws {
    let scene = try JournalScene()
    let first = scene.journal()
    try scene.begin(first)
    try scene.append(first)
    first.closeFiles()
    let waits = Waits()
    let reader = scene.journal(place(scene, keeping: kept, waits), isReadOnly: isReadOnly)
    #expect(try reader.tail(after: scene.base)?.seal.commit == 3)
    let limits = waits.take()
    #expect(Set(limits).count <= 1)
    #expect(limits.allSatisfy { $0 <= deadline(afterSeconds: 1) })
    // A second read does not wait again for who kept the first one waiting.
    #expect(try reader.tail(after: scene.base)?.seal.commit == 3)
    #expect(waits.take().isEmpty)
    reader.closeFiles()
  }

  @Test(arguments: locks) func aWriteWaitsUntilItsOwnTime(kept: JournalLockName?) throws {
    let scene = try JournalScene()
    let first = scene.journal()
    try scene.begin(first)
    try scene.append(first)
    first.closeFiles()
    let waits = Waits()
    let writer = scene.journal(place(scene, keeping: kept, waits))
    let limit = deadline(afterSeconds: 0.05)
    if kept == nil {
      #expect(try writer.beginTransaction(scene.base, until: limit).seal.commit == 3)
    } else {
      let error = #expect(throws: JournalError.self) { try writer.beginTransaction(scene.base, until: limit) }
      #expect(error?.isBusy == true)
    }
    let limits = waits.take()
    #expect(!limits.isEmpty && limits.allSatisfy { $0 <= limit })
    writer.closeFiles()
  }

  /// A writer who begins to use the journal does without it if others have its locks.
  @Test(arguments: [.presence, .claim] as [JournalLockName]) func whoBeginsAJournalDoesWithoutIt(
    kept: JournalLockName
  ) throws {
    let scene = try JournalScene()
    let waits = Waits()
    let writer = scene.journal(place(scene, keeping: kept, waits))
    for round in 0..<2 {
      var base = scene.base
      let turn = WriteTurn(journal: writer, tail: Tail(after: base), way: .any, base: base)
      try turn.place(&base)
      #expect(!base.isJournalInUse)
      let limits = waits.take()
      #expect(Set(limits).count <= (round == 0 ? 1 : 0))
      #expect(limits.allSatisfy { $0 <= deadline(afterSeconds: 1) })
    }
    writer.closeFiles()
  }
}
