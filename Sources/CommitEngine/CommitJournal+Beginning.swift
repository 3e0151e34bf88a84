internal import Journal
internal import LMDB
public import RecordStore
public import SatchelCoding
internal import SatchelModel

/// How a writer begins, whose turn it is among those of all processes: what has been committed, by whomever, and whether a commit has
/// come to no end.
extension CommitJournal {
  /// Begins a write: finds out what is committed, by whomever, and where the changes are to go.
  ///
  /// - The first write of a process takes the database, so that later syncs of it can be trusted.
  /// - A state that nobody has announced is in the file of the database. It may have a commit of its own, and that may have begun to use
  ///   the journal: the write follows it if the database's write transaction does. Otherwise what the write changes goes to the database,
  ///   in the place of that state, and must not be in the journal alone.
  /// - Commits are in the journal that nobody has announced: they are read first.
  /// - A sync has failed: only a checkpoint after which the journal is not in use goes on, to the database with everything that can be read.
  /// - Parameter wanted: Where the changes are to go.
  /// - Returns: What the write goes on from.
  /// - Throws: `poisoned` after a failed sync, but for such a checkpoint; `damaged`; `PartedJournal`; what reading the journal throws.
  @inlinable package func begin<Write: DatabaseWrite>(
    _ write: inout Write, _ wanted: WriteTurn.Way
  ) throws -> WriteTurn {
    if !write.seal.isJournalInUse || !write.trustsSyncs { try write.takeDatabase() }
    let isUnfinished = try hasUnfinishedCommit(after: write.seal, until: write.waitLimit)
    if isUnfinished, write.isBehindFile { try write.takeDatabase() }
    let isUnannounced = (isUnfinished || !write.seal.isJournalInUse) && write.isBehindFile
    let tail = try beginTransaction(
      write.seal, isMending: wanted.isClosing, isUnannounced: isUnannounced, until: write.waitLimit)
    var way = wanted
    if isUnannounced, case .any = wanted { way = .database }
    return WriteTurn(journal: self, tail: tail, way: way, base: write.seal)
  }

  /// Returns the state before a transaction that has just begun, as the tail after LMDB's. Adopts what others have appended,
  /// also what they had no time to publish.
  /// - Parameter isMending: Whether to go on after a failed sync: the tail then has all that can be read, and goes to LMDB.
  /// - Parameter isUnannounced: Whether LMDB's file has a later transaction, whose writer ended before it could announce it.
  /// - Parameter limit: When the writer gives up waiting for other processes; nil for never.
  @usableFromInline package func beginTransaction(
    _ base: Seal, isMending: Bool = false, isUnannounced: Bool = false, until limit: UInt64? = nil
  ) throws -> Tail {
    writing.isParted = false
    writing.isUnannounced = isUnannounced
    guard base.isJournalInUse else { return Tail(after: base) }
    writing.isParted = try hasLostFiles()
    return try whileOthersOpen(until: limit) { limit in
      try self.state.withLock {
        try begin(base, isMending: isMending, isUnannounced: isUnannounced, until: limit, &$0)
      }
    }
  }

  private func begin(
    _ base: Seal, isMending: Bool, isUnannounced: Bool, until limit: UInt64, _ state: inout State
  ) throws -> Tail {
    if writing.isParted, !goes(with: base, state) {
      drop(&state)
      writing.isParted = false
    }
    if writing.writer?.file !== state.files?.file { writing.writer = nil }
    tellOfLostSync(&state)
    if writing.writer?.isPoisoned == true, !isMending { throw poisoned() }
    if let tail = tailIfCurrent(base, state) {
      tail.arena.forgetUnpublished()
      return tail
    }
    if state.files == nil { _ = try recover(after: base, &state, until: limit) }
    guard let files = state.files, let head = files.head else { throw missing(base) }
    guard writing.writer?.isPoisoned != true, head.read()?.state.isPoisoned != true else {
      guard isMending else { throw poisoned() }
      // Also what was not published: it may be on the disk, where it would contradict what follows instead. Readers of this process
      // stay with what is known, and may be behind the head: they read on beside this writer.
      do { return try readOn(base, files, state, apart: true).tail } catch {
        // What was published is in memory.
        guard let tail = try catchUp(with: base, &state) else { throw error }
        return tail
      }
    }
    // What is unannounced is behind the state until a transaction of LMDB has taken its place.
    return try adopt(base, files, head, hasUnfinishedCommit: isUnannounced, &state)
  }

  /// Whether somebody has begun a commit, to the journal or to LMDB, and has not come to its end. Call it in a writer's turn.
  ///
  /// Opens the journal that the seal of LMDB speaks of: only its head tells.
  /// - Parameter limit: When the writer gives up waiting for other processes; nil for never.
  @usableFromInline package func hasUnfinishedCommit(
    after base: Seal, until limit: UInt64? = nil
  ) throws -> Bool {
    try whileOthersOpen(until: limit) { limit in
      try state.withLock { state in
        // An earlier writer's, who has failed.
        state.commit = nil
        if base.isJournalInUse {
          try dropOthers(base, &state)
          if state.files == nil { _ = try recover(after: base, &state, until: limit) }
        }
        return state.files?.head?.hasUnfinishedCommit == true
      }
    }
  }

  /// Says to all processes that a checkpoint could not sync the journal.
  private func tellOfLostSync(_ state: inout State) {
    guard state.hasLostSync else { return }
    state.hasLostSync = false
    writing.writer = nil
    if let head = state.files?.head { poison(head) }
  }

  /// Returns the tail that is known, if nobody else has appended since. Poisons the head if what was appended last is gone: what this
  /// process has in memory goes to LMDB then.
  private func tailIfCurrent(_ base: Seal, _ state: State) -> Tail? {
    // A checkpoint may have gone by since the write has read the seal, and readers may be beyond it.
    guard let writer = writing.writer, let tail = state.known.tail(after: base.point),
      let head = state.files?.head, state.known.stamp == head.stamp, writer.end.point == tail.point,
      !head.hasUnfinishedCommit,
      // A reader of this process may have seen that a sync has failed: what he knows is up to date.
      head.read()?.state.isPoisoned == false
    else { return nil }
    // A file that cannot be read shows nothing, and the head is believed: commits need no reading.
    switch try? writer.standing() {
    case .last, nil: return tail
    case .followed: return nil
    case .lost:
      poison(head)
      return nil
    }
  }

  /// Reads on to the end of the journal.
  /// - Parameter isApart: Whether what is read does not become what is known: then it has memory of its own.
  private func readOn(
    _ base: Seal, _ files: JournalFiles, _ state: State, apart isApart: Bool = false
  ) throws -> (tail: Tail, reader: JournalReader) {
    var next: (tail: Tail, reader: JournalReader)
    if let tail = state.known.current, let reader = state.reader, tail.base == base.point {
      next = (tail, reader)
    } else if let ahead = state.ahead, ahead.tail.base == base.point {
      next = ahead
    } else {
      return try readAll(files, base)
    }
    next.tail = try reading(&next.reader, onto: isApart ? next.tail.apart() : next.tail)
    return next
  }

  /// Reads on to the end of the journal, and makes that what is published.
  /// - Parameter hasUnfinishedCommit: What the head says after that.
  func adopt(
    _ base: Seal, _ files: JournalFiles, _ head: JournalHead, hasUnfinishedCommit: Bool, _ state: inout State
  ) throws -> Tail {
    var next = try readOn(base, files, state)
    // Of what was being taken back, when others read.
    if next.reader.knowsNoSegment { next = try readAll(files, base) }
    // A head that cannot be read is made anew below.
    if let published = head.read()?.state.point, next.tail.point.sequence < published.sequence {
      // What has returned is never written over, whatever a reader has missed.
      next = try readAll(files, base)
      guard next.tail.point.sequence >= published.sequence else {
        throw damaged(after: next.tail.point, through: published)
      }
    }
    let known = state.known
    let former = KnownTails.whole(
      known.current?.base == base.point ? known.former : known.current, through: next.tail.point)
    let durable: DurableState
    do { durable = try self.durable(base, by: .anybody, unlessUsedBy: writing.writer) } catch {
      poison(head)
      throw error
    }
    let writer: JournalWriter
    if let known = writing.writer, !known.isPoisoned {
      writer = known
      try writer.resume(at: next.reader.end, released: durable.commit)
    } else {
      // Of a sync that has failed before, nobody has told this process.
      if !isSynced(next.reader, head) { try next.reader.rewriteSegment() }
      writer = try newWriter(next.reader, released: durable.commit)
    }
    if isSynced {
      do { try writer.sync() } catch {
        poison(head)
        throw error
      }
    }
    writing.writer = writer
    state.reader = next.reader
    state.ahead = nil
    publish(KnownTails(current: next.tail, former: former, head: head, stamp: head.stamp &+ 1), &state)
    try head.publish(headState(of: writer, head), hasUnfinishedCommit: hasUnfinishedCommit)
    return next.tail
  }

  private func poisoned() -> JournalError {
    JournalError(.poisoned, operation: "append", path: place.path(of: .journal))
  }
}
