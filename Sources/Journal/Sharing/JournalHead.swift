internal import SatchelBytes
package import StoreFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How far the journal is published, in a small mapped file that all processes read without a lock.
///
/// The file is never synced. Where the journal ends it says only while another process has the store open: the first opener makes
/// it anew. But whoever finds it knows that the journal was once as far as it says.
/// The state is in one of two places, by the lowest bit of a counter: the writer fills the other place, and then raises the
/// counter. So a writer that ends at any time leaves the last state whole, and a reader never waits.
///
/// Whatever the file holds, reading it is safe. But the system stops a process that reads a part of a map which the file no
/// longer has: whoever may write to the file can do that to those who have it open. So it has to be a file of the store's
/// owner, as everything in the store has.
package final class JournalHead: OutsideCommits {
  package let path: String
  /// The descriptor, for those who wait for changes of the file; -1 if it is kept elsewhere.
  package let file: Int32
  /// Which file it is, whatever its name leads to by now; nil if the system does not tell.
  package let identity: FileIdentity?
  private let isWritable: Bool
  private let generation: UInt32
  private let words: HeadWords

  /// Maps the file. With `creating`, makes a missing or short file as long as it has to be: only under the lock that keeps
  /// others from opening the store.
  /// - Throws: `file`, `invalid` if it is too short, `system`.
  package init(_ path: String, _ access: JournalFile.Access) throws(JournalError) {
    ForkGeneration.watch()
    generation = ForkGeneration.current
    self.path = path
    isWritable = access != .reading
    file = try access.open(path)
    identity = FileIdentity(descriptor: file)
    do throws(JournalError) {
      if access == .creating { try Self.lengthen(file, path) }
      words = unsafe .mapped(try Self.map(file, path, isWritable: isWritable))
    } catch {
      close(file)
      throw error
    }
  }

  /// A head that is kept elsewhere than in a file.
  package init(_ memory: any HeadMemory, _ access: JournalFile.Access, path: String = "journal.head") {
    ForkGeneration.watch()
    generation = ForkGeneration.current
    self.path = path
    isWritable = access != .reading
    file = -1
    identity = memory.identity
    words = .other(memory)
  }

  deinit {
    guard case .mapped(let start) = words else { return }
    unsafe munmap(start, Self.size)
    close(file)
  }

  /// A number that is another one after each publication. One load: as long as it is the same, nothing happened.
  package var stamp: UInt64 { words.acquire(Self.counter) }

  /// The store whose head it is; nil if it was never reset, or by a program that this one does not know.
  package var owner: JournalOwner? {
    guard words.acquire(0) == Self.magic, words.load(1) == Self.version else { return nil }
    return JournalOwner(high: words.load(2), low: words.load(3))
  }

  /// Whether another version of the program has made it. If not, and it has no owner, its bytes are no head's.
  package var isOfAnotherVersion: Bool {
    let version = words.load(1)
    return words.acquire(0) == Self.magic && version != Self.version && version > 0
  }

  /// Whether it speaks of a journal.
  package func speaks(of journal: FileIdentity) -> Bool { names(journal, at: 4) }

  /// Whether it is in the file in which it was made: a copy says everything that the head said of which it is one.
  package var isOriginal: Bool { identity.map { names($0, at: Self.own) } ?? false }

  private func names(_ file: FileIdentity, at index: Int) -> Bool {
    words.load(index) == UInt64(truncatingIfNeeded: file.device)
      && words.load(index + 1) == UInt64(truncatingIfNeeded: file.inode)
  }

  /// Returns the published state, with the stamp under which it was. Nil if it is damaged, or changes all the time: whoever asks
  /// in the turn among the writers knows which of the two it is.
  package func read() -> (state: HeadState, stamp: UInt64)? {
    for _ in 0..<Self.attempts {
      let stamp = stamp
      let place = Self.place(of: stamp)
      let isWhole = words.load(place + 7) == checksum(at: place)
      let state = HeadState(
        point: JournalPoint(sequence: words.load(place), chain: words.load(place + 1)),
        ordinal: words.load(place + 2),
        offset: words.load(place + 3), isPoisoned: words.load(place + 4) != 0,
        synced: JournalPoint(sequence: words.load(place + 5), chain: words.load(place + 6)))
      // No load above may be done after the one below.
      atomicMemoryFence(ordering: .acquiring)
      if words.load(Self.counter) == stamp { return isWhole ? (state, stamp) : nil }
    }
    return nil
  }

  /// Returns a point that the journal has reached, as whoever has it open last has left it here: the published one in the same
  /// start of the machine, otherwise the one that was synced. Nil if the head is another's or damaged.
  ///
  /// Call it under the lock that keeps others from opening the store, before the head is made anew.
  package func known(of subject: HeadSubject) -> JournalPoint? {
    guard speaks(of: subject.journal) else { return nil }
    return told(of: subject.owner, boot: subject.boot)
  }

  /// Does the same for whatever journal the head speaks of. That is no proof where it, or the journal beside it, is a copy; but a
  /// reason to ask for what is not there.
  package func told(of owner: JournalOwner, boot: BootIdentity?) -> JournalPoint? {
    guard self.owner == owner else { return nil }
    let isSameBoot = boot.map { words.load(6) == $0.high && words.load(7) == $0.low } ?? false
    let stamp = stamp
    // A damaged state leaves the one before it.
    for counter in [stamp, stamp &- 1] {
      let place = Self.place(of: counter)
      guard words.load(place + 7) == checksum(at: place) else { continue }
      let point = isSameBoot ? place : place + 5
      return JournalPoint(sequence: words.load(point), chain: words.load(point + 1))
    }
    return nil
  }

  /// Whether somebody has begun a commit, to the journal or to LMDB, that is not published: it is at work, or it has died. In the
  /// turn among the writers it has died, and somebody has to look for what it has left behind the published state.
  package var hasUnfinishedCommit: Bool { words.load(Self.unfinished) != 0 }

  /// Says that something may be behind the published state, until one is published that does not say so. Call it in
  /// the turn among the writers.
  /// - Throws: As `publish`.
  package func beginCommit() throws(JournalError) {
    try checkWritable("append")
    words.release(Self.unfinished, 1)
  }

  /// Says that nothing is behind the published state. Call it in the turn among the writers.
  package func endCommit() { if isWritable { words.release(Self.unfinished, 0) } }

  /// Publishes a state, and wakes those who watch the file. Call it in the turn among the writers.
  /// - Parameter hasUnfinishedCommit: Whether something may be behind the state. There is no time at which the head says otherwise: its
  ///   writer may end at any time, and the next one must know.
  ///
  /// The write that wakes them changes a byte that nobody reads: the system tells of no change that is made through a map.
  /// - Throws: `forked`; `file` with `readOnly` if the head was opened for reading.
  package func publish(_ state: HeadState, hasUnfinishedCommit: Bool = false) throws(JournalError) {
    try checkWritable("publish")
    put(state, hasUnfinishedCommit: hasUnfinishedCommit)
    if case .other(let memory) = words { return memory.wake() }
    var byte = UInt8(truncatingIfNeeded: words.load(Self.counter))
    // The state is published whether they wake or not, and they look again every ten seconds (`CommitWatcher`).
    _ = unsafe pwrite(file, &byte, 1, off_t(Self.size - 1))
  }

  /// Makes the file the head of a store. Call it under the lock that keeps others from opening the store.
  /// - Throws: As `publish`.
  package func reset(_ subject: HeadSubject, _ state: HeadState) throws(JournalError) {
    try checkWritable("reset")
    words.store(0, 0)
    words.store(1, Self.version)
    for (index, word) in subject.words.enumerated() { words.store(2 + index, word) }
    words.store(Self.own, UInt64(truncatingIfNeeded: identity?.device ?? 0))
    words.store(Self.own + 1, UInt64(truncatingIfNeeded: identity?.inode ?? 0))
    // The state before it is one of another time.
    for _ in 0..<2 { put(state, hasUnfinishedCommit: false) }
    words.release(0, Self.magic)
  }

  private func put(_ state: HeadState, hasUnfinishedCommit: Bool) {
    let next = words.load(Self.counter) &+ 1
    let place = Self.place(of: next)
    // No store below may be seen before the counter of the state before this one.
    atomicMemoryFence(ordering: .releasing)
    words.store(place, state.point.sequence)
    words.store(place + 1, state.point.chain)
    words.store(place + 2, state.ordinal)
    words.store(place + 3, state.offset)
    words.store(place + 4, state.isPoisoned ? 1 : 0)
    words.store(place + 5, state.synced.sequence)
    words.store(place + 6, state.synced.chain)
    words.store(place + 7, checksum(at: place))
    if hasUnfinishedCommit { words.release(Self.unfinished, 1) }
    words.release(Self.counter, next)
    if !hasUnfinishedCommit { words.release(Self.unfinished, 0) }
  }

  /// Returns the checksum of a state with what the head speaks of.
  private func checksum(at place: Int) -> UInt64 {
    // On the stack: each commit has one.
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 14) { numbers in
      for index in 0..<7 {
        unsafe numbers[index] = words.load(1 + index).littleEndian
        unsafe numbers[7 + index] = words.load(place + index).littleEndian
      }
      return unsafe Checksum.hash(UnsafeRawBufferPointer(numbers).bytes)
    }
  }

  private func checkWritable(_ operation: String) throws(JournalError) {
    guard generation == ForkGeneration.current else {
      throw JournalError(.forked, operation: operation, path: path)
    }
    guard isWritable else {
      throw JournalError(
        .file(LMDBError(.readOnly, operation: operation, path: path)), operation: operation, path: path)
    }
  }

  /// The stamp, under the name by which the watchers of a store ask for it.
  package var count: UInt64 { stamp }

  /// Bytes of the file.
  package static let size = 4096
  private static let magic: UInt64 = 0x4864_6165_6874_6153
  private static let version: UInt64 = 3
  /// The index of the counter, on a cache line of its own.
  private static let counter = 8
  /// The index of the word that is not 0 while there may be a commit that is not published.
  private static let unfinished = 9
  /// The index of the first of the two words that say which file the head itself is.
  private static let own = 10
  /// How often a reader tries before it gives up. A writer changes the state at most every few microseconds.
  private static let attempts = 1000

  /// The index of the first word of the place that a counter names.
  private static func place(of counter: UInt64) -> Int { counter & 1 == 0 ? 16 : 24 }
}
