internal import Journal
internal import LMDB
package import SatchelCoding
internal import SatchelModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a writer does, whose turn it is among those of all processes.
extension CommitJournal {
  /// Returns the state before a transaction that has just begun, as the tail after LMDB's. Adopts what others have appended,
  /// also what they had no time to publish.
  /// - Parameter isMending: Whether to go on after a failed sync: the tail then has all that can be read, and goes to LMDB.
  /// - Parameter isUnannounced: Whether LMDB's file has a later transaction, whose writer ended before it could announce it.
  /// - Parameter limit: When the writer gives up waiting for other processes; nil for never.
  package func beginTransaction(
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
    if state.files == nil { _ = try open(at: base, &state, until: limit) }
    guard let files = state.files, let head = files.head else { throw missing(base) }
    guard writing.writer?.isPoisoned != true, head.read()?.state.isPoisoned != true else {
      guard isMending else { throw poisoned() }
      // Also what was not published: it may be on the disk, where it would contradict what follows instead.
      do { return try readOn(base, files, state).tail } catch {
        // What was published is in memory.
        guard let tail = try catchUp(with: base, &state) else { throw error }
        return tail
      }
    }
    // What is unannounced is behind the state until a transaction of LMDB has taken its place.
    return try adopt(base, files, head, isAppending: isUnannounced, &state)
  }

  /// Whether somebody has begun a commit, to the journal or to LMDB, and has not come to its end. Call it in a writer's turn.
  ///
  /// Opens the journal that the seal of LMDB speaks of: only its head tells.
  /// - Parameter limit: When the writer gives up waiting for other processes; nil for never.
  package func isDoubtful(after base: Seal, until limit: UInt64? = nil) throws -> Bool {
    try whileOthersOpen(until: limit) { limit in
      try state.withLock { state in
        // An earlier writer's, who has failed.
        state.commit = nil
        if base.isJournalInUse {
          try dropOthers(base, &state)
          if state.files == nil { _ = try open(at: base, &state, until: limit) }
        }
        return state.files?.head?.isAppending == true
      }
    }
  }

  /// Says that a transaction that is about to be committed to LMDB may be in its file, until `committed` or a publication.
  /// Before that, the journal is synced: see `syncBeforeCheckpoint`.
  package func beginDatabaseCommit() throws {
    let (head, hasLostSync) = state.withLock { ($0.files?.head, $0.hasLostSync) }
    guard let head else { return }
    // Not after a failed sync: the journal is given up then.
    if let writer = writing.writer, !writer.isPoisoned, !hasLostSync, head.read()?.state.isPoisoned == false {
      do { try writer.sync() } catch {
        poison(head)
        throw error
      }
    }
    try head.beginAppending()
  }

  /// Says to the readers of this process that a transaction goes to LMDB, until `committed`, or until what is returned has gone.
  func announceCommit() -> CommitOnItsWay {
    let commit = CommitOnItsWay()
    state.withLock { $0.commit = commit }
    return commit
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
      !head.isAppending,
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
  private func readOn(_ base: Seal, _ files: JournalFiles, _ state: State) throws
    -> (tail: Tail, reader: JournalReader)
  {
    if let tail = state.known.current, var reader = state.reader, tail.base == base.point {
      return (try reading(&reader, onto: tail), reader)
    }
    if var (tail, reader) = state.ahead, tail.base == base.point {
      tail = try reading(&reader, onto: tail)
      return (tail, reader)
    }
    return try readAll(files, base)
  }

  /// Reads on to the end of the journal, and makes that what is published.
  /// - Parameter isAppending: What the head says after that.
  func adopt(
    _ base: Seal, _ files: JournalFiles, _ head: JournalHead, isAppending: Bool, _ state: inout State
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
    // Space is used again that LMDB's last commit has made free. Whoever made it may have ended before it was durable.
    if writing.writer?.released != base.commit {
      do { try database?.syncAfterCommit() } catch {
        poison(head)
        throw error
      }
    }
    let writer: JournalWriter
    if let known = writing.writer, !known.isPoisoned {
      writer = known
      try writer.resume(at: next.reader.end, released: base.commit)
    } else {
      // Of a sync that has failed before, nobody has told this process.
      if !isSynced(next.reader, head) { try next.reader.rewriteSegment() }
      writer = try newWriter(next.reader, base)
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
    try head.publish(headState(of: writer, head), isAppending: isAppending)
    return next.tail
  }

  /// Whether a head says that all that was read is synced.
  func isSynced(_ reader: JournalReader, _ head: JournalHead) -> Bool {
    guard head.owner == owner, let synced = head.read()?.state.synced else { return false }
    return synced.sequence >= reader.end.point.sequence
  }

  /// Returns what to publish of a writer's end.
  private func headState(of writer: JournalWriter, _ head: JournalHead) -> HeadState {
    let before = writer.isUnsynced ? head.read()?.state.synced : nil
    return HeadState(writer.end, synced: before ?? (writer.isUnsynced ? .start : writer.end.point))
  }

  private func newWriter(_ reader: JournalReader, _ base: Seal) throws -> JournalWriter {
    try JournalWriter(
      reader, released: base.commit, limits: limits, nonce: place.makeNonce())
  }

  /// Appends a transaction's changes, as durably as the options promise, and publishes them.
  /// - Parameter commits: How many commits the transaction has made.
  /// - Returns: Whether they are in the journal. If not, nothing has happened, and they have to go to LMDB with the tail.
  package func append(_ changes: CommitChanges, commits: UInt64, to tail: Tail) throws -> Bool {
    let (head, hasLostSync) = state.withLock { ($0.files?.head, $0.hasLostSync) }
    guard let writer = writing.writer, let head, !hasLostSync, !writing.isParted, !isOverdue(tail) else {
      return false
    }
    let payload = changes.encode()
    guard payload.count <= options.maximumRecordBytes,
      hasRoom(for: payload.count, rows: changes.forest.count, after: tail)
    else { return false }
    writing.draft.removeAll()
    for _ in 1..<commits { writing.draft.add([]) }
    writing.draft.add(payload)
    try head.beginAppending()
    let point: JournalPoint
    do {
      point = try writer.append(&writing.draft)
    } catch {
      switch error.code {
      case .outcomeUnknown:
        // The mark stays otherwise: whoever writes next looks what is there.
        if writer.isPoisoned { poison(head) }
        writing.writer = nil
      default: head.endAppending()
      }
      switch error.code {
      case .full, .recordTooLong: return false
      // No segment could be made, and nothing was appended: LMDB's file has its room already.
      case .system(let number) where [ENOSPC, EDQUOT, EFBIG].contains(number): return false
      default: throw error
      }
    }
    // The disk is at work meanwhile.
    if isSynced { writer.beginSync() }
    var longer: Tail
    do { longer = try tail.adding(changes) } catch {
      // The changes contradict others that are pending: the store is damaged. Nobody has seen the record yet.
      do { try writer.withdraw() } catch { poison(head) }
      head.endAppending()
      throw error
    }
    if isSynced {
      do { try writer.sync() } catch {
        poison(head)
        throw error
      }
    }
    if try takeBackIfLost(writer, head) { return false }
    longer = longer.ending(with: point)
    state.withLock { state in
      if let current = state.known.current, current.base.sequence > longer.base.sequence {
        // Readers are beyond a checkpoint that was made meanwhile. They read this commit from the journal.
        longer.arena.publish()
        return publish(
          KnownTails(current: current, former: longer, head: head, stamp: state.known.stamp), &state)
      }
      state.reader?.skip(to: writer.end)
      publish(KnownTails(current: longer, head: head, stamp: head.stamp &+ 1), &state)
    }
    try? head.publish(headState(of: writer, head))
    if isCheckpointDue(longer, writer) {
      checkpointer.request(at: longer.seal.commit, renewals: database?.mapRenewals ?? 0)
    }
    return true
  }

  /// Says to all processes that a sync has failed, which the system tells once: what was to be synced may never be on the disk
  /// though it can be read. So nothing is appended behind it. What is published stays.
  func poison(_ head: JournalHead) {
    guard var failed = head.read()?.state else { return }
    failed.isPoisoned = true
    try? head.publish(failed)
  }

  /// Makes the journal ready for commits after the one that is about to go to LMDB, whose seal then says that it is in use.
  /// - Returns: Whether it is ready; false if this process has no use for it yet, no room, or another process in its way.
  func prepare(after base: Seal) throws -> Bool {
    if base.isJournalInUse { return !writing.isParted }
    // The transaction may say that the journal is in use, and be what a power cut leaves: then it needs the file as it is.
    guard isAppending, !writing.isUnannounced, writing.commits >= options.commitsBefore else { return false }
    do {
      try state.withLock { state in
        try waiting(&state, until: .max) { try create(after: base, &$0, until: $1) }
      }
      return true
    } catch let error as JournalError {
      // Without room or rights for another file, or without the directory, commits go on to LMDB alone.
      switch error.code {
      // After a sync that has failed, the next attempt begins with an empty file.
      case .system, .outcomeUnknown, .busy: return false
      case .file(let reason) where reason.code != .foreignFile: return false
      default: throw SatchelError.needless(error, store: place.path)
      }
    }
  }

  private func create(after base: Seal, _ state: inout State, until limit: UInt64) throws {
    if try state.files != nil && hasLostFiles() {
      // LMDB has everything.
      drop(&state)
      writing.writer = nil
    }
    if state.files == nil {
      guard let files = try JournalFiles.open(place, .creating) else { return }
      try files.presence?.acquire(.shared, until: limit)
      try files.claim?.acquire(.shared, until: limit)
      keep(files, &state)
    }
    guard let files = state.files, let head = files.head else { return }
    var reader = try JournalReader(files.file, of: owner, after: base.point)
    guard try reader.next() == nil else { throw mismatch(base, "it goes on from there") }
    if reader.hasHeader {
      // Left by an attempt that failed, or by somebody who could not empty it. What a sync has lost can be read all the same,
      // so that nothing in the file counts as written. But the state on the disk may need it, as long as LMDB's last commit,
      // which says that the journal is not in use, is in memory only.
      try database?.syncAfterCommit()
      try files.file.empty()
      reader = try JournalReader(files.file, of: owner, after: base.point)
    }
    let writer = try newWriter(reader, base)
    try writer.prepareSegment()
    writing.writer = writer
    state.reader = try JournalReader(files.file, of: owner, after: base.point)
    try head.reset(subject(of: files), HeadState(writer.end, synced: writer.end.point))
    publish(KnownTails(current: Tail(after: base), head: head, stamp: head.stamp), &state)
  }

  /// Goes on after a commit of LMDB, which has everything up to its seal.
  package func committed(_ seal: Seal) {
    defer { state.withLock { $0.commit = nil } }
    writing.commits += 1
    writing.lastAttempt = nil
    state.withLock { $0.files?.head }?.endAppending()
    if writing.isParted { return leaveFiles() }
    guard let writer = writing.writer, !writer.isPoisoned else { return }
    do {
      // The journal's space is used again, so LMDB's commit has to survive a power cut at any level of durability.
      if !isSynced { try database?.syncAfterCommit() }
      if seal.point == writer.end.point {
        writer.release(through: seal.commit)
      } else {
        try writer.jump(to: seal.point)
      }
    } catch {
      // Nothing is used again. Whoever writes next makes another commit of LMDB, and begins anew.
      writing.writer = nil
      if let head = state.withLock({ $0.files?.head }) { poison(head) }
      return
    }
    state.withLock { state in
      guard let head = state.files?.head, state.known.current?.base != seal.point else { return }
      state.reader?.skip(to: writer.end)
      publish(
        KnownTails(
          current: Tail(after: seal), former: state.known.current, head: head, stamp: state.known.stamp),
        &state)
    }
  }

  /// Whether this process may be the only one that has the journal open: asked without a lock that others wait for.
  package func seemsAlone() -> Bool {
    state.withLock { state in
      // Not the presence: who has it alone for a moment, between this and sharing it again, would believe that the head is nobody's.
      guard let claim = state.files?.claim, (try? claim.tryAcquire(.exclusive)) == true else { return false }
      // Others have it alone for a moment, unless they are stopped: without it, this process would look as if it had ended.
      return (try? claim.acquire(.shared, until: deadline(afterSeconds: Self.readersPatience))) != nil
    }
  }

  /// Whether this process is the only one that has the journal open. Holds others off until the files are closed. Call it
  /// in a writer's turn: whoever has that may be waiting for this one.
  package func isAlone() -> Bool {
    state.withLock { state in
      guard let presence = state.files?.presence else { return false }
      return (try? presence.tryAcquire(.exclusive)) ?? false
    }
  }

  /// Empties the journal, after LMDB has got everything that was in it, and its seal says that it is not in use.
  package func empty(after seal: Seal) throws {
    try state.withLock { state in
      guard !seal.isJournalInUse, let files = state.files, let head = files.head else { return }
      writing.writer = nil
      state.reader = nil
      if !isSynced { try database?.syncAfterCommit() }
      try files.file.empty()
      try head.reset(subject(of: files), HeadState(JournalEnd(at: seal.point), synced: seal.point))
      publish(KnownTails(current: Tail(after: seal), head: head, stamp: head.stamp), &state)
    }
  }

  private func poisoned() -> JournalError {
    JournalError(.poisoned, operation: "append", path: place.path(of: .journal))
  }
}
