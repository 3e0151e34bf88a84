internal import Journal
internal import LMDB
package import RecordStore
internal import SatchelCoding
internal import SatchelModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A commit to the journal: for the writer whose turn it is among those of all processes.
extension CommitJournal {
  /// Whether a head says that all that was read is synced.
  func isSynced(_ reader: JournalReader, _ head: JournalHead) -> Bool {
    guard head.owner == owner, let synced = head.read()?.state.synced else { return false }
    return synced.sequence >= reader.end.point.sequence
  }

  /// Returns what to publish of a writer's end.
  func headState(of writer: JournalWriter, _ head: JournalHead) -> HeadState {
    let before = writer.isUnsynced ? head.read()?.state.synced : nil
    return HeadState(writer.end, synced: before ?? (writer.isUnsynced ? .start : writer.end.point))
  }

  func newWriter(_ reader: JournalReader, released: UInt64) throws -> JournalWriter {
    try JournalWriter(reader, released: released, limits: limits, nonce: place.makeNonce())
  }

  /// Appends a transaction's changes, as durably as the options promise, and publishes them.
  /// - Parameter commits: How many commits the transaction has made.
  /// - Returns: Whether they are in the journal. If not, nothing has happened, and they have to go to LMDB with the tail.
  package func append(_ changes: CommitChanges, commits: UInt64, to tail: Tail) throws -> Bool {
    let (head, hasLostSync) = state.withLock { ($0.files?.head, $0.hasLostSync) }
    guard let writer = writing.writer, let head, !hasLostSync, !writing.isParted, !isTooLong(tail) else {
      return false
    }
    let payload = changes.encode()
    guard payload.count <= options.maximumRecordBytes,
      hasRoom(for: payload.count, rows: changes.forest.count, after: tail)
    else { return false }
    writing.draft.removeAll()
    for _ in 1..<commits { writing.draft.add([]) }
    writing.draft.add(payload)
    try head.beginCommit()
    let point: JournalPoint
    do {
      point = try writer.append(&writing.draft)
    } catch {
      switch error.code {
      case .outcomeUnknown:
        // The mark stays otherwise: whoever writes next looks what is there.
        if writer.isPoisoned { poison(head) }
        writing.writer = nil
      default: head.endCommit()
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
      head.endCommit()
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
    longer.arena.publish()
    state.withLock { state in
      if let current = state.known.current, current.base.sequence > longer.base.sequence {
        // Readers are beyond a checkpoint that was made meanwhile. They read this commit from the journal.
        return publish(
          KnownTails(current: current, former: longer, head: head, stamp: state.known.stamp), &state)
      }
      state.reader?.skip(to: writer.end)
      publish(KnownTails(current: longer, head: head, stamp: head.stamp &+ 1), &state)
    }
    try? head.publish(headState(of: writer, head))
    writer.prepareInStep()
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
}
