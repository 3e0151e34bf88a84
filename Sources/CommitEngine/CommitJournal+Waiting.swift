internal import Journal
internal import RecordStore
internal import SatchelCoding
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What becomes of those who find that another process opens or closes the store and does not come to an end: it may have been
/// stopped.
extension CommitJournal {
  /// Runs `body`, which takes locks of those who open and close the store, all of them until the limit that it is given. The first one
  /// who needs them waits for a second, or until his own limit; once that was in vain, others only try, until somebody has opened the
  /// journal.
  func waiting<R>(
    _ state: inout State, until limit: UInt64, _ body: (inout State, _ limit: UInt64) throws -> R
  ) throws -> R {
    let limit = state.hasWaited ? 0 : min(limit, deadline(afterSeconds: Self.readersPatience))
    do { return try body(&state, limit) } catch let error as JournalError where error.isBusy {
      state.hasWaited = true
      throw error
    }
  }

  /// Repeats what a writer does that has to have the journal open, as long as he waits for those who keep him from that. Readers
  /// of this process go on in between.
  /// - Parameter writersLimit: When the writer gives up waiting for other processes, if that is not later than in some seconds; nil for never.
  func whileOthersOpen<R>(until writersLimit: UInt64?, _ body: (_ limit: UInt64) throws -> R) throws -> R {
    let limit = min(writersLimit ?? .max, deadline(afterSeconds: JournalLock.patience))
    while true {
      do { return try body(limit) } catch let error as JournalError where error.isBusy {
        guard deadline(afterSeconds: 0) < limit else { throw error }
        usleep(5000)
      }
    }
  }

  /// Returns what can be told of the state without the lock of those who open the store: what the head says is published, if it can
  /// be believed, otherwise all records that have a successor. Whoever appends a record has first made sure that the one before it
  /// is a commit; the last one may yet be taken back. So this may be a commit behind, and never what has not been committed.
  ///
  /// It is not kept as the newest state: the next read tries again to open the journal.
  /// - Throws: `error` if what the head says cannot be read: only the lock would show whether it is damaged.
  func readBeside(_ seal: Seal, _ state: inout State, _ error: JournalError) throws -> Tail? {
    if let current = state.known.current, seal.commit < current.base.sequence {
      return state.known.tail(after: seal.point)
    }
    guard let files = try JournalFiles.open(place, .reading) else { throw try notThere(seal) }
    guard try goes(files, with: seal) || !mayBeParted() else { throw error }
    var next: (tail: Tail, reader: JournalReader)
    if let current = state.known.current, let reader = state.reader, current.base == seal.point {
      next = (current, reader)
    } else {
      next = (Tail(after: seal), try reader(files.file, after: seal))
    }
    var builder = TailBuilder(next.tail)
    if let published = try files.head?.known(of: subject(of: files)) {
      guard try read(&next.reader, through: published, &builder) else { throw error }
    } else {
      var ahead = next.reader
      var last: (record: JournalRecord, reader: JournalReader)?
      while let record = try ahead.next() {
        if let last {
          try builder.add(last.record)
          next.reader = last.reader
        }
        last = (record, ahead)
      }
      next.reader.forgetReadAhead()
    }
    next.tail = try builder.build()
    state.reader = next.reader
    let known = state.known
    publish(
      KnownTails(
        current: next.tail, former: known.current?.base == seal.point ? known.former : known.current,
        head: known.head, stamp: known.stamp), &state)
    return next.tail
  }

  /// Whether another process may have a journal open that has lost its name. Not while somebody has the claim alone, as an opener who
  /// has found that nobody else has one.
  private func mayBeParted() throws(JournalError) -> Bool {
    let claim = try place.openLock(.claim, .reading)
    defer { claim.release() }
    guard try claim.tryAcquire(.shared) else { return false }
    return try !claim.tryAcquirePatiently(.exclusive)
  }

  /// Seconds that a reader waits for those who open and close the store.
  package static let readersPatience = 1.0
}
