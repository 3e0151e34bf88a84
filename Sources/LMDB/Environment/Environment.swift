internal import CLMDB
package import StoreFiles
internal import Synchronization

/// One open store: a directory with LMDB's `data.mdb` and `lock.mdb`.
///
/// A process has one environment for a store, however often it opens the store (LMDB's locks belong to the process, and
/// closing a second handle would drop them). Reads run on any number of threads. Writes run one at a time, in the order
/// in which they were asked for. Every transaction lives in a closure on one thread.
///
/// It is safe to use: LMDB's environment is used only between `enter` and `leave`, and closed when nobody is inside.
@safe package final class Environment: Sendable {
  /// The longest key, in bytes.
  package static let maximumKeyLength = 511
  /// The largest number of databases that one environment can have open.
  static let maximumDatabases: UInt32 = 128
  /// One more than the largest handle that LMDB gives to a database: LMDB has two trees of its own.
  static let databaseSlots = Int(maximumDatabases) + 2

  /// The path of the directory, as it was given at the first open.
  package let path: String
  /// The options of the first open.
  package let options: Options
  /// Tells the environments of one process apart; never used twice.
  let number: UInt32
  let identity: StoreIdentity
  let files: HeldFiles
  let lifecycle: Monitor<Lifecycle>
  let entrance = Entrance()
  let idleReaders = IdleReaders()
  /// LMDB's environment, for those inside: it is not closed as long as somebody is. It becomes another one only while nobody is.
  nonisolated(unsafe) var handleInside: OpaquePointer
  /// The writers of this process, one at a time.
  package let writers: WriterQueue
  let gate = WriterGate(.order)
  let databaseGate = WriterGate(.database)
  let order: WriterOrder
  /// Whether a thread has LMDB's write transaction, or waits for other processes to give it up.
  let databaseTurn = Monitor(false)
  /// Only for whoever has LMDB's write transaction.
  let pageGuard = WriteGuard()
  /// Set when a write found the map full: the next write waits for the readers to end and enlarges the map.
  let growthNeeded = Atomic<Bool>(false)
  let renewals = Atomic<UInt64>(0)
  let shortage = Atomic(Shortage.unknown)
  let commits = Atomic<UInt64>(0)
  /// What has to give way to somebody who wants the files back.
  let yielding = Atomic(Yielding.nothing)
  /// How often the files were opened again.
  let reopenings = Atomic<UInt64>(0)
  /// Whether the disk will have the meta pages once it is synced.
  let metaPages = Atomic<MetaPageState>(.unknown)
  let databases: Monitor<[String: Database]>
  /// What the watchers of this process sleep on.
  let bells: Monitor<[CommitBell]>
  let outside: Monitor<(any OutsideCommits)?>
  /// What the layer above keeps for all handles of the file. Nil at first.
  package let attachment: Monitor<(any AnyObject & Sendable)?>
  let readAhead = Monitor(ReadAhead())
  /// The address at which the file is mapped; 0 until a read has found it out.
  let mapStart = Atomic<UInt>(0)
  /// How many pages are mapped from that address on.
  let mappedPages = Atomic<UInt64>(0)
  /// How many pages the file had when it was last asked for its size. The file never becomes shorter.
  let knownPages = Atomic<UInt64>(0)
  /// Bytes of a page.
  let pageSize: Int
  private let generation: UInt32

  init(
    _ opened: OpenedHandle, path: String, options: Options, identity: StoreIdentity, files: HeldFiles
  ) {
    let handle = unsafe opened.handle
    self.path = path
    self.options = options
    self.identity = identity
    self.files = files
    var shape = MDB_stat()
    unsafe mdb_env_stat(handle, &shape)
    pageSize = Int(shape.ms_psize)
    number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
    generation = ForkGeneration.current
    lifecycle = Monitor(Lifecycle(opened))
    unsafe handleInside = handle
    writers = WriterQueue(path: path)
    order = WriterOrder(files, path)
    databases = Monitor([:])
    bells = Monitor([])
    outside = Monitor(nil)
    attachment = Monitor(nil)
  }

  /// Returns the handle of a database that the options of an open named.
  /// - Throws: `noSuchDatabase`.
  package func database(_ name: String) throws(LMDBError) -> Database {
    guard let database = databases.locked({ $0[name] }) else {
      throw error(.noSuchDatabase, "open a database", detail: name)
    }
    return database
  }

  /// Balances one `open`. The last call refuses new transactions, waits for the transactions of other threads, and
  /// closes the file. Inside a transaction of this environment it does not wait: the end of that transaction closes the
  /// file. Writes that still wait in the queue throw `closed`. If other references are suspended, the environment then is.
  package func close() { close { $0.references -= 1 } }

  /// Balances an `open` whose reference is suspended.
  package func closeSuspended() { close { $0.suspended -= 1 } }

  private func close(_ giveUp: (inout Lifecycle) -> Void) {
    guard generation == ForkGeneration.current else { return }
    let last = lifecycle.locked { state in
      giveUp(&state)
      guard state.references == 0 else { return false }
      if state.suspended > 0 {
        shut(&state)
      } else {
        end(&state, because: error(.closed, "use"))
        writers.shutDown(error(.closed, "write"))
      }
      return true
    }
    guard last else { return }
    ringBells()
    finishIfIdle()
    guard !ThreadScope.contains(number) else { return }
    lifecycle.locked(when: { $0.isClosed || $0.references > 0 }) { _, _ in }
    if hasEnded { waitUntilClosed() }
  }

  /// Refuses every further transaction because of this error, and closes the file when the running transactions have
  /// ended.
  func poison(_ error: LMDBError) {
    lifecycle.locked { end(&$0, because: error) }
    ringBells()
    writers.shutDown(refusal("write", error))
  }

  /// An error of this layer about this store.
  func error(_ code: LMDBError.Code, _ operation: String, detail: String = "") -> LMDBError {
    LMDBError(code, operation: operation, path: path, detail: detail)
  }

  /// Checks that this process opened the environment, and that the thread is not inside a transaction of it.
  /// - Throws: `forked` or `nested`.
  @inline(__always)
  func checkEntry(_ operation: StaticString) throws(LMDBError) {
    guard generation == ForkGeneration.current else { throw error(.forked, "\(operation)") }
    guard !ThreadScope.contains(number) else { throw error(.nested, "\(operation)") }
  }

  /// Whether the environment was opened before a fork. It then belongs to the parent process and must not even be
  /// closed.
  package var isForeign: Bool { generation != ForkGeneration.current }

  private static let counter = Atomic<UInt32>(0)
}
