package import CommitEngine
package import LMDB
internal import RankedIndex
package import RecordStore
package import SatchelCoding
internal import SatchelModel
package import SatchelReading
package import SatchelWriting
internal import StoreFiles
internal import Synchronization

/// An open store: the records and indexes of one user, in one directory.
///
/// Opening a store that this process already has open gives another handle of the same file. A read sees the last
/// commit at the time it begins; reads run on any number of threads. Writes run one at a time. All errors are
/// ``SatchelError``s, except those of the caller's own closures.
package final class Store: Sendable {
  /// The directory that holds the store's files.
  package let directory: String
  package let header: StoreHeader
  /// The user that the store belongs to.
  package let user: String
  package let environment: Environment
  /// Reports when commits of any process have become readable.
  package let commitSignal: CommitSignal
  package let databases: Databases
  let nodes = NodeCache()
  let dictionaries = DictionaryCache()
  let writerEnvironment: WriterEnvironment
  package let aggregateEvaluator: (any AggregateEvaluator)?
  /// Nil for a store that nobody else knows yet.
  package let journal: CommitJournal?
  let companion: (any SnapshotCompanion)?
  private let sharing: GroupLimits
  /// Nil if each write takes a slice of what was deleted along instead.
  let purger: Purger?
  /// What was made ahead of the next slice of a declared index that is being built. Only for the purger's thread: the mutex is never waited for.
  let entriesMade = Mutex<EntriesAhead?>(nil)
  /// Only while room is short.
  let packing = Mutex(TablePacking())
  let latestSeal = Mutex<SealOfTransaction?>(nil)
  /// What the last write has begun with. Only for the writer whose turn it is; the mutex is never waited for.
  let baseOfWrites = Mutex<SealOfTransaction?>(nil)
  /// Not a lock: each read asks.
  let condition = Atomic(Condition.open)
  /// For one thread at a time that changes the condition.
  let changing = Mutex(())
  /// The last commit that was known when the store was suspended.
  let lastCommit = Atomic<UInt64>(0)
  /// How many imports into the store this handle is at.
  let imports = Monitor(0)
  /// Whether this handle is for reading only. Another handle of the process may have opened the file for writing.
  private let isReadOnly: Bool

  init(
    _ environment: Environment, _ databases: Databases, header: StoreHeader, directory: String,
    writerEnvironment: WriterEnvironment, aggregateEvaluator: (any AggregateEvaluator)?,
    companion: (any SnapshotCompanion)?, journal: JournalOptions, sharing: GroupLimits, purgePause: Double?,
    isReadOnly: Bool
  ) {
    self.journal = CommitJournal.attach(
      to: environment, header.uuid, journal, writerEnvironment.journalStorage)
    self.companion = companion
    self.sharing = sharing
    purger = purgePause.map(Purger.init)
    self.isReadOnly = isReadOnly
    self.environment = environment
    commitSignal = CommitSignal(environment)
    self.databases = databases
    self.header = header
    self.directory = directory
    self.writerEnvironment = writerEnvironment
    self.aggregateEvaluator = aggregateEvaluator
    user = String(decoding: header.user, as: UTF8.self)
  }

  deinit { close() }

  /// Closes this handle: later reads and writes throw `closed`. If it is the last handle of the file, waits for running
  /// reads and writes of other threads.
  package func close() {
    // In a forked child nothing of it is the child's, and no thread of the parent is there to be waited for.
    guard !environment.isForeign else { return condition.store(.closed, ordering: .releasing) }
    let before = changing.withLock { _ in condition.exchange(.closed, ordering: .acquiringAndReleasing) }
    guard before != .closed else { return }
    commitSignal.end()
    // Not inside a transaction, for whose end the two may be waiting.
    let waits = !environment.isInsideTransaction
    purger?.end(waiting: waits)
    // What is in the journal stays there: the next one who has the store open takes it to LMDB.
    guard before == .open else { return environment.closeSuspended() }
    if let journal, waits { journal.checkpointer.wait() }
    if let journal, journal.detach() { close(journal) }
    environment.close()
  }

  /// Runs `body` on a snapshot of the last commit; later writes do not affect it. With a lease, a read that asks the
  /// lease learns whether it has kept its snapshot for too long.
  package func read<R>(lease: Lease? = nil, _ body: (Snapshot) throws -> R) throws -> R {
    do {
      try checkOpen()
      return try reading(lease, body)
    } catch {
      throw told(of: error)
    }
  }

  /// Runs `body` on this thread as the only write transaction, and commits its changes. If `body` throws, its changes
  /// are discarded.
  ///
  /// Writes that wait for their turn at the same time are made durable together, by one record of the journal or one commit of
  /// LMDB. Each write has its own sequence and its own log entry, and an error thrown by one discards nothing of the others. If that
  /// record or commit fails, all of them throw its error. So `body` must not wait for another write to return.
  package func write<R>(_ body: (Writer) throws -> R) throws -> R {
    do {
      try checkWritable()
      defer { beginWorkBeside() }
      try? makeRoom()
      return try mending {
        try environment.write(as: self, sharing, deferring: isDeferring) { transaction, earlier in
          try write(in: transaction, after: earlier, body)
        }
      }
    } catch {
      throw told(of: error)
    }
  }

  /// Runs `write` in a transaction that is not shared, and that goes to LMDB: for one that changes more than records and entries
  /// of indexes.
  /// - Parameter seconds: How long to wait for other processes, if the options do not say less.
  package func writeAlone<R>(waiting seconds: Double = .infinity, _ body: (Writer) throws -> R) throws -> R {
    do {
      try checkWritable()
      try? makeRoom()
      return try writeToDatabase(waiting: seconds, body)
    } catch {
      throw told(of: error)
    }
  }

  func writeToDatabase<R>(waiting seconds: Double = .infinity, _ body: (Writer) throws -> R) throws -> R {
    try environment.write(
      waiting: seconds,
      { transaction in
        let writer = try writer(transaction, .database)
        let result = try body(writer)
        try writer.finish()
        _ = try writer.complete(in: nil)
        return (result, writer)
      }, afterCommit: { $0.1.committed(inDatabase: true) }
    ).0
  }

  /// Runs `write` on the store's own thread, without blocking the caller's thread.
  package func write<R: Sendable>(_ body: @escaping @Sendable (Writer) throws -> R) async throws -> R {
    do {
      try checkWritable()
      defer { beginWorkBeside() }
      if lacksRoom { try? await aside { [self] in try makeRoom() } }
      return try await mending {
        try await environment.writeOnWriterThread(as: self, sharing, deferring: isDeferring) {
          [self] transaction, earlier in
          try write(in: transaction, after: earlier, body)
        }
      }
    } catch {
      throw told(of: error)
    }
  }

  /// Returns what a program is told of an error. What looks like damage, or like files that do not belong together, may come of files
  /// that somebody has taken from the open store: then that is told.
  func told(of error: any Error) -> any Error {
    let told = SatchelError.translating(error, store: directory)
    guard let code = (told as? SatchelError)?.code, code == .foreignJournal || code == .corrupted else {
      return told
    }
    do {
      try environment.checkFiles("read")
      return told
    } catch {
      return SatchelError.translating(error, store: directory)
    }
  }

  /// Returns the sequence of the last commit of any process.
  package func sequence() throws -> UInt64 { try read { $0.seal.commit } }

  /// Whether writes begin on a snapshot, because most of them go to the journal.
  var isDeferring: Bool { journal?.isAppending == true }

  private func checkOpen() throws {
    switch condition.load(ordering: .acquiring) {
    case .open: return
    case .suspended: throw LMDBError(.suspended, operation: "use", path: directory)
    case .closed:
      throw SatchelError(.closed, "The store has been closed: open it again", ["store": directory])
    }
  }

  private func checkWritable() throws {
    try checkOpen()
    guard !isReadOnly else {
      throw SatchelError(
        .permissionDenied, "The store was opened for reading only: open it for writing", ["store": directory])
    }
  }

  func write<R>(
    in transaction: LMDBWriteTransaction, after earlier: Writer?, _ body: (Writer) throws -> R
  ) throws -> (R, Writer) {
    let writer =
      try earlier.map { Writer(following: $0, in: transaction, environment: writerEnvironment) }
      ?? writer(transaction, .any)
    let result = try body(writer)
    try writer.finish()
    if writer.purges > 0 || writer.isBuildingIndexes { purger?.ask() }
    return (result, writer)
  }

  /// Begins what commits have asked for, on threads of its own.
  private func beginWorkBeside() {
    beginCheckpoint()
    beginPurging()
  }

  /// Begins a checkpoint if commits have asked for one.
  func beginCheckpoint() {
    guard let journal, journal.checkpointer.isRequested, condition.load(ordering: .relaxed) == .open else {
      return
    }
    // If it fails, commits go on to the journal, and one of them will try again. If none succeeds, a write throws the error at last.
    journal.checkpointer.begin { [self] in
      guard (try? checkpointBeside()) != nil else { return false }
      giveBackPages()
      return true
    }
    if journal.options.waitsForCheckpoint { journal.checkpointer.wait() }
  }

  private func writer(_ transaction: LMDBWriteTransaction, _ way: WriteTurn.Way) throws -> Writer {
    var write = try StoreWrite(self, transaction)
    let turn = try journal?.begin(&write, way) ?? WriteTurn(after: write.seal, way)
    let tail = turn.tail
    let forest = Forest(
      writing: transaction, nodes: databases.nodes, overflow: databases.texts,
      directory: write.base.directory,
      pending: tail.isEmpty ? nil : tail.forest,
      sequence: tail.seal.commit + 1, cache: nodes,
      pageSize: Int(header.pageSize))
    turn.purgeRoom = purger?.isAtWork == true ? 0 : PurgeQueue.slice
    // Also beside the thread: a program that writes once may end before that has begun.
    turn.indexingRoom = Self.indexingAlong
    return Writer(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user,
      seal: tail.seal, cache: dictionaries, environment: writerEnvironment, turn: turn,
      aggregation: Writer.Aggregation(evaluator: aggregateEvaluator) { [self] transaction, body in
        try transaction.readBefore { try body(snapshot($0)) }
      })
  }

  /// Returns the state of LMDB before a write transaction. It is read once for all transactions that find it unchanged.
  fileprivate func base(of transaction: LMDBWriteTransaction) throws -> SealOfTransaction {
    let before = transaction.base
    if let known = baseOfWrites.withLock({ $0 }), known.transaction == before { return known }
    // Another program may have raised the format since the store was opened. This program would not maintain what it
    // does not know.
    if let header = try Self.readHeader(transaction, databases) { try Self.checkFormat(header, directory) }
    let base = try SealOfTransaction(before, transaction, databases)
    baseOfWrites.withLock { $0 = base }
    return base
  }

  /// Returns the seal of a snapshot. The seal that was read last is reused if it has the transaction's id and the
  /// snapshot is exactly that of the id, not a newer one: first the one that the reader has read, then the one that any
  /// reader has read since the last commit.
  func seal(of transaction: ReadTransaction, _ memory: ReaderMemory?) throws -> SealOfTransaction {
    guard transaction.isExact else { return try SealOfTransaction(transaction.id, transaction, databases) }
    if let known = memory?.seal, known.transaction == transaction.id { return known }
    if let latest = latestSeal.withLock({ $0 }), latest.transaction == transaction.id {
      memory?.seal = latest
      return latest
    }
    let latest = try SealOfTransaction(transaction.id, transaction, databases)
    latestSeal.withLock { $0 = latest }
    memory?.seal = latest
    return latest
  }

  package static func readSeal(_ transaction: ReadTransaction, _ databases: Databases) throws -> Seal {
    try SealOfTransaction.read(transaction, databases)
  }
}

/// A write of a store, before it has a `Writer`; or a checkpoint, which has none.
struct StoreWrite: DatabaseWrite {
  private let store: Store
  private let transaction: LMDBWriteTransaction
  private(set) var base: SealOfTransaction

  init(_ store: Store, _ transaction: LMDBWriteTransaction) throws {
    self.store = store
    self.transaction = transaction
    base = try store.base(of: transaction)
  }

  var seal: Seal { base.seal }
  var isBehindFile: Bool { store.environment.lastTransactionInFile != transaction.base }
  var trustsSyncs: Bool { store.environment.hasRenewedMetaPages }
  var waitLimit: UInt64? { transaction.waitLimit }

  mutating func takeDatabase() throws {
    _ = try transaction.beginChanges()
    base = try store.base(of: transaction)
  }
}
