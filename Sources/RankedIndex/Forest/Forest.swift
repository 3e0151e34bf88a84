package import LMDB
import SatchelBytes

/// All trees of a file, as one transaction sees them.
///
/// A tree is an order-statistic B+tree: inner nodes know how many entries each child has, so that counting a range,
/// the rank of a key and the entry at a rank take one descent, whatever lies between. Changes are buffered per tree
/// and merged leaf by leaf in `flush`, which writes each node once; a read of a tree flushes it first.
///
/// A forest lives inside its transaction's closure and belongs to one thread. When an operation of a writing forest
/// throws, its trees may be half changed: the transaction has to be abandoned, and every further operation throws the
/// same error. Its properties are spared the check for overlapping uses, which each change would pay several times: no method
/// hands one of them to code that could come back.
package final class Forest {
  let store: NodeStore
  /// Where the string trees keep what does not fit a node.
  let overflow: Database
  @exclusivity(unchecked) var directory: Directory
  /// Buffered changes by tree.
  @exclusivity(unchecked) var pending = PendingTable()
  /// Whether anything may be buffered: reads of a reading forest look no further.
  let isWriting: Bool
  @exclusivity(unchecked) private var failure: IndexError?

  /// The trees of a snapshot. `pageSize` is that of the file; `cache` belongs to the environment.
  package convenience init(
    reading transaction: ReadTransaction, nodes: Database, overflow: Database, directory: [UInt8],
    cache: NodeCache, pageSize: Int = 4096
  ) throws(IndexError) {
    self.init(transaction, nil, nodes, overflow, try Directory(directory), cache, pageSize)
  }

  /// The trees of a snapshot whose directory has been read already.
  package convenience init(
    reading transaction: ReadTransaction, nodes: Database, overflow: Database, directory: Directory,
    cache: NodeCache, pageSize: Int = 4096
  ) {
    self.init(transaction, nil, nodes, overflow, directory, cache, pageSize)
  }

  /// The trees of a write transaction. Its changes are in the file when it commits, provided that the caller calls
  /// `flush` and then stores `encodeDirectory()`.
  package convenience init(
    writing transaction: WriteTransaction, nodes: Database, overflow: Database, directory: [UInt8],
    cache: NodeCache, pageSize: Int = 4096
  ) throws(IndexError) {
    self.init(transaction, transaction, nodes, overflow, try Directory(directory), cache, pageSize)
  }

  private init(
    _ transaction: ReadTransaction, _ writer: WriteTransaction?, _ nodes: Database, _ overflow: Database,
    _ directory: Directory, _ cache: NodeCache, _ pageSize: Int
  ) {
    self.directory = directory
    self.overflow = overflow
    isWriting = writer != nil
    store = NodeStore(
      transaction: transaction, writer: writer, database: nodes, cache: cache,
      limit: NodeStore.limit(pageSize: pageSize),
      sequence: writer == nil ? directory.sequence : directory.sequence + 1, committed: directory.sequence,
      nextInner: directory.nextInner, nextLeaf: directory.nextLeaf,
      nextContinuation: directory.nextContinuation)
  }

  /// The trees of a write transaction as `earlier` has left them, with its buffered changes, to go on from there. `earlier`
  /// stays as it is: when the transaction's own changes since then are undone, it is right again.
  /// - Parameter sequence: What nodes are stamped with from now on.
  package init(following earlier: Forest, in transaction: WriteTransaction, sequence: UInt64) {
    directory = earlier.directory
    overflow = earlier.overflow
    isWriting = true
    store = NodeStore(following: earlier.store, in: transaction, sequence: sequence)
    pending = earlier.pending.copy()
  }

  /// The directory of a file without trees.
  package static var emptyDirectory: [UInt8] { Directory().encode() }

  /// The directory after the changes so far; flush first. The bytes are the file's own format: see `Directory`.
  package func encodeDirectory() -> [UInt8] {
    var directory = directory
    if isWriting {
      directory.sequence = store.sequence
      directory.nextInner = store.nextInner
      directory.nextLeaf = store.nextLeaf
      directory.nextContinuation = store.nextContinuation
    }
    return directory.encode()
  }

  /// Changes that wait for a flush, over all trees: each takes about 80 bytes.
  package var pendingCount: Int { pending.count }

  /// Merges all buffered changes into their trees, in the order of the trees' ids. Changes of one key fold: what
  /// was inserted and then removed leaves no trace.
  package func flush() throws(IndexError) {
    try check()
    for id in pending.trees { try flush(id) }
  }

  /// Merges the buffered changes of one tree.
  func flush(_ id: UInt16) throws(IndexError) {
    switch pending.remove(id) {
    case .none: break
    case .rows(let rows): try poisoning { () throws(IndexError) in try rows.apply(to: self) }
    case .texts(let texts): try poisoning { () throws(IndexError) in try texts.apply(to: self) }
    }
  }

  /// A tree's record, with no changes outstanding.
  @inline(__always)
  func current(_ id: UInt16, kind: UInt8) throws(IndexError) -> TreeRecord {
    if isWriting {
      try check()
      try flush(id)
    }
    return try directory.record(id, kind: kind)
  }

  /// Throws what an earlier operation failed with.
  func check() throws(IndexError) {
    if let failure { throw failure }
  }

  /// Runs a change; when it throws, nothing else will work.
  func poisoning<R>(_ body: () throws(IndexError) -> R) throws(IndexError) -> R {
    try check()
    do {
      return try body()
    } catch {
      failure = error
      throw error
    }
  }
}
