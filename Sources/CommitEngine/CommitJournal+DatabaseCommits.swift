internal import Journal
internal import RecordStore
package import SatchelCoding
internal import SatchelModel
internal import StoreFiles

/// What becomes of the journal when a transaction goes to LMDB, with all that was in it: it is made, its space is used again, or it is
/// emptied and left. For the writer whose turn it is among those of all processes.
extension CommitJournal {
  /// Says that a transaction that is about to be committed to LMDB may be in its file, until `committed` or a publication.
  /// Before that, the journal is synced: see `syncBeforeCheckpoint`.
  package func beginDatabaseCommit() throws {
    guard let head = state.withLock({ $0.files?.head }) else { return }
    if let writer = writing.writer, !isGivenUp() {
      do { try writer.sync() } catch {
        poison(head)
        throw error
      }
    }
    try head.beginCommit()
  }

  /// Whether a sync of the journal has failed, maybe that of a checkpoint beside this write: nobody knows what of it is on the disk, so
  /// that LMDB's next commit has everything and must not say that the journal is in use. `create` begins it anew.
  func isGivenUp() -> Bool {
    let (head, hasLostSync) = state.withLock { ($0.files?.head, $0.hasLostSync) }
    guard let head else { return false }
    return writing.writer?.isPoisoned != false || hasLostSync || head.read()?.state.isPoisoned != false
  }

  /// Says to the readers of this process that a transaction goes to LMDB, until `committed`, or until what is returned has gone.
  func announceCommit() -> CommitOnItsWay {
    let commit = CommitOnItsWay()
    state.withLock { $0.commit = commit }
    return commit
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
      // so that nothing in the file counts as written. The state on the disk may need it until the one is durable that says that the
      // journal is not in use.
      try empty(files.file, upon: durable(base, by: .anybody))
      reader = try JournalReader(files.file, of: owner, after: base.point)
    }
    let writer = try newWriter(reader, released: base.commit)
    try writer.prepareSegment()
    writing.writer = writer
    state.hasLostSync = false
    state.reader = try JournalReader(files.file, of: owner, after: base.point)
    try head.reset(subject(of: files), HeadState(writer.end, synced: writer.end.point))
    publish(KnownTails(current: Tail(after: base), head: head, stamp: head.stamp), &state)
  }

  /// Goes on after a commit of LMDB, which has everything up to its seal.
  package func committed(_ seal: Seal) {
    defer { state.withLock { $0.commit = nil } }
    writing.commits += 1
    writing.lastAttempt = nil
    state.withLock { $0.files?.head }?.endCommit()
    if writing.isParted { return leaveFiles() }
    guard let writer = writing.writer, !writer.isPoisoned else { return }
    do {
      try free(writer, upon: durable(seal, by: .thisProcess), at: seal.point)
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
  /// - Parameter committer: Who has committed the state with this seal.
  package func empty(after seal: Seal, by committer: Committer) throws {
    try state.withLock { state in
      guard !seal.isJournalInUse, let files = state.files, let head = files.head else { return }
      writing.writer = nil
      state.reader = nil
      try empty(files.file, upon: durable(seal, by: committer))
      try head.reset(subject(of: files), HeadState(JournalEnd(at: seal.point), synced: seal.point))
      publish(KnownTails(current: Tail(after: seal), head: head, stamp: head.stamp), &state)
    }
  }
}
