package import LMDB
internal import RankedIndex
package import SatchelCoding
internal import SatchelModel
internal import Synchronization

/// One open store: the records and indexes of one user, in one directory.
///
/// Opening a store that this process has open already gives another handle of the same file. Reads see the last commit
/// at their beginning and run on any number of threads; writes run one at a time. All errors are ``SatchelError``s,
/// except those of the caller's own closures.
package final class Store: Sendable {
  /// The directory.
  package let directory: String
  package let header: StoreHeader
  /// The user that the store belongs to.
  package let user: String
  package let environment: Environment
  /// Says when commits, of any process, have become readable.
  package let commitSignal: CommitSignal
  let databases: Databases
  let nodes = NodeCache()
  let dictionaries = DictionaryCache()
  let writerEnvironment: WriterEnvironment
  let aggregateEvaluator: (any AggregateEvaluator)?
  private let companion: (any SnapshotCompanion)?
  private let latestSeal = Mutex<SealOfTransaction?>(nil)
  private let isOpen = Mutex(true)

  init(
    _ environment: Environment, _ databases: Databases, header: StoreHeader, directory: String,
    writerEnvironment: WriterEnvironment, aggregateEvaluator: (any AggregateEvaluator)?,
    companion: (any SnapshotCompanion)?
  ) {
    self.companion = companion
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

  /// Ends the use of this handle: later reads and writes throw `closed`. Waits for running ones of other threads if it
  /// is the last handle of the file.
  package func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    commitSignal.end()
    environment.close()
  }

  /// Runs `body` on the last commit, whatever is written meanwhile. With a lease, a read that asks for it learns when it
  /// has kept its snapshot for too long.
  package func read<R>(lease: Lease? = nil, _ body: (Snapshot) throws -> R) throws -> R {
    do {
      try checkOpen()
      return try environment.read(lease: lease) { transaction in try body(snapshot(transaction)) }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// Runs `body` on this thread as the one write transaction, and commits what it has done; a throw discards it.
  ///
  /// Writes that wait for their turn together are made durable together, by one commit of LMDB: each has its own sequence
  /// and its own entry in the log, and its throw discards nothing of the others. When that commit fails, all of them throw
  /// its error. So `body` must not wait for another write to return.
  package func write<R>(_ body: (Writer) throws -> R) throws -> R {
    do {
      try checkOpen()
      return try environment.write(as: self) { transaction, earlier in
        try write(in: transaction, after: earlier, body)
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// `write` in a transaction that is not shared: for a write so large that to undo it alone would take as much memory.
  func writeAlone<R>(_ body: (Writer) throws -> R) throws -> R {
    do {
      try checkOpen()
      let (result, writer) = try environment.write { transaction in
        let (result, writer) = try write(in: transaction, after: nil, body)
        try writer.complete(in: nil)
        return (result, writer)
      }
      writer.committed()
      return result
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// `write` on the store's own thread, without blocking the caller's.
  package func write<R: Sendable>(_ body: @escaping @Sendable (Writer) throws -> R) async throws -> R {
    do {
      try checkOpen()
      return try await environment.writeOnWriterThread(as: self) { [self] transaction, earlier in
        try write(in: transaction, after: earlier, body)
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// The sequence of the last commit, by whatever process.
  package func sequence() throws -> UInt64 { try read { $0.seal.commit } }

  private func checkOpen() throws {
    guard isOpen.withLock({ $0 }) else {
      throw SatchelError(.closed, "The store has been closed: open it again", ["store": directory])
    }
  }

  private func snapshot(_ transaction: ReadTransaction) throws -> Snapshot {
    let latest = try seal(of: transaction)
    let forest = Forest(
      reading: transaction, nodes: databases.nodes, overflow: databases.texts, directory: latest.directory,
      cache: nodes,
      pageSize: Int(header.pageSize))
    return Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user,
      seal: latest.seal,
      cache: dictionaries, aggregateEvaluator: aggregateEvaluator, companion: companion)
  }

  private func write<R>(
    in transaction: WriteTransaction, after earlier: Writer?, _ body: (Writer) throws -> R
  ) throws -> (R, Writer) {
    let writer = try earlier.map { Writer(following: $0, in: transaction) } ?? writer(transaction)
    let result = try body(writer)
    try writer.finish()
    return (result, writer)
  }

  private func writer(_ transaction: WriteTransaction) throws -> Writer {
    // Another program may have raised the format since the store was opened: what this one does not know, it would not keep.
    if let header = try Self.readHeader(transaction, databases) { try Self.checkFormat(header, directory) }
    let seal = try Self.readSeal(transaction, databases)
    let forest = try Forest(
      writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
      cache: nodes,
      pageSize: Int(header.pageSize))
    return Writer(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: dictionaries, environment: writerEnvironment,
      aggregation: Writer.Aggregation(evaluator: aggregateEvaluator) { [self] transaction, body in
        try transaction.readBefore { try body(snapshot($0)) }
      })
  }

  /// The seal of a snapshot. The one that was read last is still the right one if the transaction has its id, and its
  /// snapshot is that id's and no newer.
  private func seal(of transaction: ReadTransaction) throws -> SealOfTransaction {
    if transaction.isExact, let latest = latestSeal.withLock({ $0 }), latest.transaction == transaction.id {
      return latest
    }
    let seal = try Self.readSeal(transaction, databases)
    let latest = SealOfTransaction(
      transaction: transaction.id, seal: seal, directory: try Directory(seal.trees))
    if transaction.isExact { latestSeal.withLock { $0 = latest } }
    return latest
  }

  static func readSeal(_ transaction: ReadTransaction, _ databases: Databases) throws -> Seal {
    guard let bytes = unsafe try transaction.get(databases.objects, ObjectKey.seal.bytes) else {
      throw RecordError("seal", "", "it is missing")
    }
    do {
      return unsafe try Seal(bytes)
    } catch {
      throw RecordError("seal", "", error.description)
    }
  }
}

/// What the reading layers above keep for a store, beside it: it goes with each snapshot, and this layer does not look
/// inside.
package protocol SnapshotCompanion: AnyObject, Sendable {}

/// A seal as the transactions of one number see it, with the directory of its trees read: a new object for each commit,
/// and all of its readers share it.
private final class SealOfTransaction: Sendable {
  let transaction: UInt64
  let seal: Seal
  let directory: Directory

  init(transaction: UInt64, seal: Seal, directory: Directory) {
    self.transaction = transaction
    self.seal = seal
    self.directory = directory
  }
}
