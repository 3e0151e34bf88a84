package import LMDB
internal import RankedKeys
import SatchelBytes

/// All trees of a file, as one transaction sees them.
///
/// A tree is an order-statistic B+tree: inner nodes store how many entries each child has. Counting a range, finding
/// the rank of a key and finding the entry at a rank therefore take one or two descents, however many entries lie
/// between. Changes are buffered per tree and merged leaf by leaf in `flush`, which writes each node once. Reads merge what is
/// buffered with the tree, and write nothing.
///
/// A forest lives inside its transaction's closure and belongs to one thread. If an operation of a writing forest
/// throws, its trees may be half changed: the transaction has to be abandoned, and every further operation throws the
/// same error.
///
/// The properties do without the check for overlapping accesses, which each change would pay for several times. This
/// is safe because no method passes a property to code that could call the forest again, and a forest belongs to one
/// thread.
package final class Forest {
  let store: NodeStore
  /// The database in which the string trees keep what does not fit a node.
  let overflow: Database
  @safe @exclusivity(unchecked) var directory: Directory
  /// Buffered changes by tree.
  @safe @exclusivity(unchecked) var pending: ForestBuffer
  /// Whether changes may be buffered.
  let isWriting: Bool
  /// Whether something may be pending. A read of a forest without that does not look for it.
  private let mayHavePending: Bool
  /// Whether trees or their directory have changed, so that `changes` would not have all: rows have been merged into
  /// trees, or numbers of nodes reserved.
  @safe @exclusivity(unchecked) package internal(set) var hasFlushed = false
  @safe @exclusivity(unchecked) private var failure: IndexError?

  /// Opens the trees of a snapshot. `pageSize` is the file's page size; `cache` belongs to the environment.
  /// - Parameter pending: What is pending for the trees; nil if nothing is. It belongs to this state of the trees.
  package convenience init(
    reading transaction: ReadTransaction, nodes: Database, overflow: Database, directory: [UInt8],
    pending: PendingForest? = nil, cache: NodeCache, pageSize: Int = 4096
  ) throws(IndexError) {
    self.init(transaction, nil, nodes, overflow, try Directory(directory), pending, nil, cache, pageSize)
  }

  /// Opens the trees of a snapshot whose directory has already been read.
  package convenience init(
    reading transaction: ReadTransaction, nodes: Database, overflow: Database, directory: Directory,
    pending: PendingForest? = nil, cache: NodeCache, pageSize: Int = 4096
  ) {
    self.init(transaction, nil, nodes, overflow, directory, pending, nil, cache, pageSize)
  }

  /// Opens the trees of a write transaction. The changes are in the file once the transaction commits, provided that
  /// the caller calls `flush` and then stores `encodeDirectory()`. A flush writes what was pending before, too.
  /// - Parameter sequence: The commit that nodes are stamped with; nil for the one after the directory's.
  package convenience init(
    writing transaction: LMDBWriteTransaction, nodes: Database, overflow: Database, directory: [UInt8],
    pending: PendingForest? = nil, sequence: UInt64? = nil, cache: NodeCache, pageSize: Int = 4096
  ) throws(IndexError) {
    self.init(
      transaction, transaction, nodes, overflow, try Directory(directory), pending, sequence, cache, pageSize)
  }

  /// Opens the trees of a write transaction whose directory has already been read.
  package convenience init(
    writing transaction: LMDBWriteTransaction, nodes: Database, overflow: Database, directory: Directory,
    pending: PendingForest? = nil, sequence: UInt64? = nil, cache: NodeCache, pageSize: Int = 4096
  ) {
    self.init(transaction, transaction, nodes, overflow, directory, pending, sequence, cache, pageSize)
  }

  private init(
    _ transaction: ReadTransaction, _ writer: LMDBWriteTransaction?, _ nodes: Database, _ overflow: Database,
    _ directory: Directory, _ pending: PendingForest?, _ sequence: UInt64?, _ cache: NodeCache,
    _ pageSize: Int
  ) {
    self.directory = directory
    self.overflow = overflow
    self.pending = ForestBuffer(over: pending)
    isWriting = writer != nil
    mayHavePending = writer != nil || pending != nil
    store = NodeStore(
      transaction: transaction, writer: writer, database: nodes, cache: cache,
      limit: NodeStore.limit(pageSize: pageSize),
      sequence: writer == nil ? directory.sequence : sequence ?? directory.sequence + 1,
      committed: directory.sequence,
      nextInner: directory.nextInner, nextLeaf: directory.nextLeaf,
      nextContinuation: directory.nextContinuation)
  }

  /// Continues from the trees as `earlier` has left them in a write transaction, with a copy of its buffered changes.
  /// `earlier` stays unchanged: it is valid again if the changes that the transaction has made since are undone.
  /// - Parameter sequence: The sequence that nodes are stamped with from now on.
  package init(following earlier: Forest, in transaction: LMDBWriteTransaction, sequence: UInt64) {
    directory = earlier.directory
    overflow = earlier.overflow
    isWriting = true
    mayHavePending = true
    hasFlushed = earlier.hasFlushed
    store = NodeStore(following: earlier.store, in: transaction, sequence: sequence)
    pending = earlier.pending.copy()
  }

  /// Goes on upon the trees of a later state of the file, with what is pending there: the changes of this forest among it, which
  /// are no longer told apart.
  package func goOn(upon directory: Directory, pending: PendingForest) {
    self.directory = directory
    self.pending = ForestBuffer(over: pending)
    hasFlushed = true
    store.goOn(upon: directory)
  }

  /// The directory of a file without trees.
  package static var emptyDirectory: [UInt8] { Directory().encode() }

  /// Returns the directory after all changes so far; call `flush` first. The bytes have the format of the file: see
  /// `Directory`.
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

  /// The number of this forest's changes, over all trees, that wait for a flush. Each takes about 80 bytes.
  package var pendingCount: Int { pending.count }

  /// Merges all buffered changes into their trees, in the order of the trees' ids. Changes of one key are combined:
  /// an entry that was inserted and then removed leaves no trace.
  package func flush() throws(IndexError) {
    try check()
    for id in pending.trees { try flush(id) }
  }

  /// Merges the buffered changes of one tree.
  func flush(_ id: UInt16) throws(IndexError) {
    let changes = pending.remove(id)
    if case .none = changes { return }
    hasFlushed = true
    switch changes {
    case .none: break
    case .rows(let rows): try poisoning { () throws(IndexError) in try merge(rows) }
    case .texts(let texts): try poisoning { () throws(IndexError) in try merge(texts) }
    }
  }

  /// Returns a tree's record after its buffered changes have been merged into it.
  @inline(__always)
  func flushed(_ id: UInt16, kind: UInt8) throws(IndexError) -> DirectoryEntry {
    if isWriting {
      try check()
      try flush(id)
    }
    return try directory.record(id, kind: kind)
  }

  /// Returns what is pending for a numeric tree; nil if nothing is.
  @inline(__always)
  func runs(_ tree: TreeSchema) throws(IndexError) -> Runs<TreeSchema>? {
    guard mayHavePending else { return nil }
    return try poisoning { () throws(IndexError) in try pending.runs(tree.id) }
  }

  /// Returns what is pending for a string tree; nil if nothing is.
  @inline(__always)
  func runs(_ tree: TextTreeSchema) throws(IndexError) -> Runs<TextTreeSchema>? {
    guard mayHavePending else { return nil }
    return try poisoning { () throws(IndexError) in try pending.texts(tree.id) }
  }

  /// Throws the error of an earlier operation that failed.
  func check() throws(IndexError) {
    if let failure { throw failure }
  }

  /// Runs a change. If it throws, every later operation throws the same error.
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
