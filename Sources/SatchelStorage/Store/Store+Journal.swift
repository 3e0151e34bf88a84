internal import CommitEngine
internal import Journal
internal import LMDB
internal import SatchelModel
internal import SatchelWriting
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a store does with its journal beside commits.
extension Store {
  /// Takes all commits that are in the journal to LMDB: `data.mdb` alone is then the store as it was at the time of the call.
  /// With few commits one commit of LMDB, about a millisecond; at most some seconds. Does nothing if LMDB has everything.
  package func checkpoint() throws {
    do {
      guard try journal != nil && environment.read({ try Self.readSeal($0, databases).isJournalInUse }) else {
        return
      }
      _ = try mending { try takeJournal(closing: false) }
    } catch {
      throw told(of: error)
    }
  }

  /// Recovers the commits that are in the journal and not in LMDB: the first read comes to `CommitJournal.recover`. Called before anything else is read, by
  /// whoever opens the store or goes on with it.
  /// - Throws: `journalMissing`, `foreignJournal`, `damaged` or what else keeps the journal from being read; also for a journal that is not
  ///   in use and has commits all the same.
  func recover() throws {
    guard let journal else { return }
    while true {
      let seal = try environment.read { try Self.readSeal($0, databases) }
      if seal.isJournalInUse { return try reading(nil) { _ in } }
      let flaw: any Error
      do {
        if try journal.isUnused(after: seal) { return }
        flaw = journal.mismatch(seal, "it has commits, and the file says that it has all")
      } catch let error as JournalError {
        flaw = SatchelError.needless(error, store: directory)
      } catch {
        flaw = error
      }
      // Another process may just have begun to use it.
      guard try environment.read({ try Self.readSeal($0, databases) }) != seal else { throw flaw }
    }
  }

  /// Makes the file whole by itself, if this process is the last one that has it open. Errors are left for the next opener:
  /// the journal still has everything.
  func close(_ journal: CommitJournal) {
    defer { journal.closeFiles() }
    guard !journal.isReadOnly else { return }
    // Nobody finds a journal without its name once its last process has closed it; and of two that close it at one time, each finds
    // that it is not alone. It may lose its name while that is found out.
    func isLost() -> Bool { (try? journal.hasLostFiles()) == true }
    if isLost() || !journal.seemsAlone() {
      if isLost() { try? takeLostJournal() }
      return
    }
    let start = monotonicNanoseconds()
    // LMDB's lock before that of the presence, as all writers take them: one who has the first waits for the second.
    _ = try? environment.write(
      waiting: Environment.patience,
      { transaction -> (turn: WriteTurn, isBehind: Bool)? in
        guard journal.isAlone() else { return nil }
        let isBehind = isBehindFile(transaction)
        return (try takeJournal(journal, closing: true, in: transaction), isBehind)
      },
      afterCommit: { taken in
        guard let (turn, isBehind) = taken else { return }
        turn.committed()
        // No other process can begin to use the journal now, and nobody else of this process writes. But a state that nobody has
        // announced, and whose place this has not taken, may have begun to.
        if let written = turn.written {
          try? journal.empty(after: written, by: .thisProcess)
        } else if !isBehind {
          try? journal.empty(after: turn.base, by: .anybody)
        }
        environment.giveBackBlocks()
      })
    giveBackLastPages(since: start)
  }

  /// Takes a journal that has lost its name to LMDB, on a thread of its own. For a reader, who looks at the names once a second:
  /// others, who have not opened it, are refused for as long as only this process has the commits, and it may never write again.
  func handOver() {
    guard let journal, !journal.isReadOnly else { return }
    journal.checkpointer.request(at: journal.lastShown, renewals: environment.mapRenewals)
    journal.checkpointer.begin { [self] in (try? takeLostJournal()) != nil }
  }

  private func takeLostJournal() throws {
    let turn = try takeJournal(closing: true, waiting: Environment.patience)
    // Somebody else has done that: the files are of no use any more.
    if let turn, !turn.base.isJournalInUse, try journal?.hasLostFiles() == true { journal?.leaveFiles() }
  }

  /// Runs a write. If a sync of the journal has failed before it, takes everything that can be read to LMDB, and begins a
  /// new journal: what is on the disk of the old one cannot be known. If only another process has the journal, tries again for a while,
  /// no longer than the write may wait.
  func mending<R>(_ write: () throws -> R) throws -> R {
    let limit = partingLimit
    while true {
      do {
        return try write()
      } catch let error as JournalError where error.code == .poisoned {
        try mend()
        return try write()
      } catch is PartedJournal where secondsLeft(until: limit) > 0 {
        repeat { usleep(PartedJournal.pause) } while secondsLeft(until: limit) > 0 && isParted()
      }
    }
  }

  /// Whether only another process has the journal. Asked by a write that waits for that one, without a turn among the writers: that one
  /// needs it.
  private func isParted() -> Bool {
    do {
      try environment.read { _ = try snapshot($0) }
      return false
    } catch {
      return error is PartedJournal
    }
  }

  private var partingLimit: UInt64 {
    deadline(afterSeconds: min(PartedJournal.patience, environment.options.writerWait ?? .infinity))
  }

  /// Does the same for a write on the writer thread. What takes long runs elsewhere than on the caller's thread.
  func mending<R: Sendable>(_ write: @Sendable () async throws -> R) async throws -> R {
    let limit = partingLimit
    while true {
      do {
        return try await write()
      } catch let error as JournalError where error.code == .poisoned {
        try await aside { [self] in try mend() }
        return try await write()
      } catch is PartedJournal where secondsLeft(until: limit) > 0 {
        repeat {
          try await Task.sleep(nanoseconds: UInt64(PartedJournal.pause) * 1000)
        } while try await aside { [self] in secondsLeft(until: limit) > 0 && isParted() }
      }
    }
  }

  private func mend() throws {
    try takeJournal(closing: true)
    try emptyJournal()
  }

  /// Whether the database's file has a later state than a write begins with, of a writer who ended before he could announce it.
  private func isBehindFile(_ transaction: LMDBWriteTransaction) -> Bool {
    environment.lastTransactionInFile != transaction.base
  }

  /// Empties the journal's file if LMDB has everything and says so. Not if a later state is in LMDB's file that nobody has announced: it may
  /// have begun to use the journal. Whoever writes next takes its place, and begins the journal anew.
  package func emptyJournal() throws {
    try environment.write { transaction in
      guard !isBehindFile(transaction) else { return }
      // Another process may have mended the store before this one: then the commit is that one's, which is not durable if it is relaxed.
      try journal?.empty(after: try Self.readSeal(transaction, databases), by: .anybody)
    }
  }
}
