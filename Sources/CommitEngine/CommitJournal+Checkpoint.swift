internal import Journal
package import RecordStore
package import SatchelCoding

/// What a checkpoint does that is made beside the commits.
extension CommitJournal {
  /// Begins to read what goes with a state that LMDB is about to have, or has got from another process, so that nobody has to wait for that
  /// afterwards.
  package func readAhead(of seal: Seal) throws {
    let (files, head) = state.withLock { ($0.files, $0.files?.head) }
    guard let files, let head, !isReadOnly || head.owner == owner else { return }
    var reader = try self.reader(files.file, after: seal)
    var builder = TailBuilder(Tail(after: seal))
    repeat {
      guard let end = head.read()?.state.point, try read(&reader, through: end, &builder) else { return }
    } while builder.point.sequence < head.read()?.state.point.sequence ?? 0
    let tail = try builder.build()
    state.withLock { state in
      // Those of a later state, or of files that were let go of meanwhile.
      guard state.files?.file === files.file, state.ahead?.tail.base.sequence ?? 0 <= seal.commit else {
        return
      }
      state.ahead = (tail, reader)
    }
  }

  /// Makes durable what a checkpoint is about to take to LMDB. Otherwise a loss of power could leave a state of LMDB whose commits
  /// the journal does not have: nothing would tell it from an older journal that somebody has put there.
  ///
  /// By a descriptor of its own: what a sync of it is told of is not hidden from the writer, who syncs with another one. And nothing
  /// is hidden from this one, as all that an earlier sync may have lost is written again. If it fails, the next writer gives the
  /// journal up: his own sync may succeed without what this one has lost.
  package func syncBeforeCheckpoint(of tail: Tail) throws {
    // The next writer takes more to LMDB.
    guard try !hasLostFiles() else { throw parted(tail.seal).error }
    let (head, reader) = state.withLock { ($0.files?.head, $0.reader) }
    if let synced = head?.read()?.state.synced, synced.sequence >= tail.point.sequence { return }
    guard let reader, reader.end.point.sequence >= tail.point.sequence else { throw parted(tail.seal).error }
    let file = try place.openJournal(.writing)
    do {
      // LMDB's write lock keeps the segment from being used again.
      try reader.rewriteSegment()
      try file.sync()
    } catch {
      state.withLock { $0.hasLostSync = true }
      throw error
    }
  }

  /// Goes on after a checkpoint with this seal, whose state of LMDB is durable. Call it in a writer's turn.
  package func checkpointed(_ seal: Seal, _ durable: DurableState) throws {
    let isNewest = try state.withLock { state in
      // A commit may have gone on to LMDB since.
      guard let base = state.known.current?.base, base.sequence <= seal.commit else { return false }
      return try catchUp(with: seal, &state) != nil
    }
    guard isNewest else { return }
    writing.lastAttempt = nil
    if let writer = writing.writer, !writer.isPoisoned { free(writer, upon: durable) }
  }
}
