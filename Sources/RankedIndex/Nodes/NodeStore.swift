internal import LMDB
import SatchelBytes
internal import StoreFiles

/// The address and size of a node's bytes. Valid only as long as their owner keeps them: see `NodeStore.node`.
///
/// It is safe to hold and to pass on. To make one is unsafe, because the bytes have to exist, and to read one is unsafe,
/// because they have to exist still.
@safe struct NodePage {
  let base: UnsafeRawPointer
  let count: Int

  @inline(__always)
  var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }
}

/// The nodes of a file by number, in one transaction. Nodes are verified when read, and stamped and sealed when
/// written.
///
/// Numbers are given in the order of creation and never reused: inner nodes from 1, leaves from `firstLeaf`. Nodes
/// that are made together therefore share LMDB's pages, and inner nodes share pages with each other.
final class NodeStore {
  static let firstLeaf: UInt64 = 1 << 48
  /// No store gets to this number of an inner node, and of a leaf or a continuation to the other: a repair takes such keys for damage. So there are as
  /// many left behind any that it believes.
  static let leastDamagedInner: UInt64 = firstLeaf / 2
  static let leastDamaged: UInt64 = 1 << 63

  let transaction: ReadTransaction
  let writer: LMDBWriteTransaction?
  let database: Database
  let cache: NodeCache
  /// The greatest size of a node with its spare bytes: the page size less LMDB's page header.
  let limit: Int
  /// A smaller node is stored at its true length and shares a page with others.
  let shortLimit: Int
  /// The sequence of the snapshot. In a write transaction, the sequence that its nodes are stamped with.
  let sequence: UInt64
  /// The sequence of the last commit. Nodes of a later sequence may still change.
  private(set) var committed: UInt64
  var nextInner: UInt64
  var nextLeaf: UInt64
  /// The number of the next continuation of a text: see `TextTreeStore`.
  var nextContinuation: UInt64
  /// Raised by every change, so that code that holds addresses in nodes can see that they are no longer valid.
  private(set) var generation: UInt64 = 0
  /// The transaction's reads and writes so far. Unchecked because every node adds to it; no access lasts while other
  /// code runs.
  @safe @exclusivity(unchecked) var counters = NodeCounters()
  private var memory: NodeMemory

  init(
    transaction: ReadTransaction, writer: LMDBWriteTransaction?, database: Database, cache: NodeCache,
    limit: Int, sequence: UInt64, committed: UInt64, nextInner: UInt64, nextLeaf: UInt64,
    nextContinuation: UInt64
  ) {
    self.transaction = transaction
    self.writer = writer
    self.database = database
    self.cache = cache
    self.limit = limit
    shortLimit = NodeHeader.shortLimit(limit)
    self.sequence = sequence
    self.committed = committed
    self.nextInner = nextInner
    self.nextLeaf = nextLeaf
    self.nextContinuation = nextContinuation
    memory = NodeMemory()
  }

  /// Continues from the nodes as another store of the same transaction has left them.
  convenience init(following earlier: NodeStore, in transaction: LMDBWriteTransaction, sequence: UInt64) {
    self.init(
      transaction: transaction, writer: transaction, database: earlier.database, cache: earlier.cache,
      limit: earlier.limit, sequence: sequence, committed: earlier.committed, nextInner: earlier.nextInner,
      nextLeaf: earlier.nextLeaf, nextContinuation: earlier.nextContinuation)
  }

  /// Goes on upon the nodes of a later state of the file.
  func goOn(upon directory: Directory) {
    committed = directory.sequence
    nextInner = directory.nextInner
    nextLeaf = directory.nextLeaf
    nextContinuation = directory.nextContinuation
    memory = NodeMemory()
    generation &+= 1
  }

  /// Returns the greatest size of a node in a file with this page size. Pages above 16 KiB hold several nodes.
  static func limit(pageSize: Int) -> Int { min(max(pageSize, 4096), 16384) - 16 }

  /// The greatest size of a node's own bytes, including the header but not the spare bytes.
  var capacity: Int { limit - NodeHeader.spare }

  /// Whether a node can have this stored size: its true length if short, or else filled up to the limit.
  func isStoredLength(_ count: Int) -> Bool { count < shortLimit || count == limit }

  /// Returns the node with a number. Its parent (or the directory) says that its first word must be `word`: see
  /// `NodeHeader.word`.
  ///
  /// The bytes are LMDB's own, and valid until the transaction changes anything: copy them before a change. After a change
  /// the bytes of an inner node are already a copy, valid until this node is written or the next inner node is fetched.
  /// - Throws: `IndexError.corrupt` if the node is missing, is damaged or has another first word.
  @inline(__always)
  func node(_ number: UInt64, word: UInt64) throws(IndexError) -> NodePage {
    counters.nodesRead &+= 1
    if let page = memory.find(number) {
      if unsafe page.buffer.bytes.u64(0) != word { throw mismatch(number, word: word) }
      return page
    }
    return try load(number, word: word)
  }

  @inline(never)
  private func load(_ number: UInt64, word: UInt64) throws(IndexError) -> NodePage {
    let page = try fetch(number, tree: UInt16(truncatingIfNeeded: word))
    if unsafe page.buffer.bytes.u64(0) != word { throw mismatch(number, word: word) }
    return memory.insert(number, page, isStable: !isChanging)
  }

  /// Whether the transaction has changed something, so that LMDB's memory may move.
  @inline(__always)
  private var isChanging: Bool { writer?.hasChanged == true }

  /// Returns a node as it is stored. Its length, number and checksum have been checked, but nothing else.
  func fetch(_ number: UInt64, tree: UInt16) throws(IndexError) -> NodePage {
    let found: UnsafeRawBufferPointer?
    do throws(LMDBError) {
      if isChanging, let writer {
        unsafe found = try writer.locate(database, number: number)
      } else {
        unsafe found = try transaction.get(database, number: number)
      }
    } catch {
      throw .lmdb(error)
    }
    guard let found = unsafe found, let base = found.baseAddress else {
      throw .corrupt(tree: tree, node: number, what: "the node is missing")
    }
    guard found.count >= NodeHeader.byteCount + NodeHeader.spare, found.count <= limit else {
      throw .corrupt(tree: tree, node: number, what: "the node has \(found.count) bytes")
    }
    let bytes = unsafe found.bytes
    let stamp = bytes.u64(NodeHeader.sequenceOffset)
    let named = bytes.u64(NodeHeader.numberOffset)
    guard named == number else {
      throw .corrupt(tree: tree, node: number, what: "the node says that it is \(named)")
    }
    if !cache.holds(number, stamp) {
      counters.nodesVerified &+= 1
      guard NodeHeader.checksum(bytes) == bytes.u64(NodeHeader.checksumOffset) else {
        throw .corrupt(tree: tree, node: number, what: "the checksum does not match")
      }
      guard stamp <= sequence else {
        throw .corrupt(tree: tree, node: number, what: "the node is of commit \(stamp), after \(sequence)")
      }
      if stamp <= committed { cache.insert(number, stamp) }
    }
    return unsafe NodePage(base: base, count: found.count)
  }

  private func mismatch(_ number: UInt64, word: UInt64) -> IndexError {
    .corrupt(
      tree: UInt16(truncatingIfNeeded: word), node: number,
      what: "the node's tree, level, kind or count is not what its parent says (\(word >> 32) entries)")
  }

  /// Returns a number for a new node of a tree.
  /// - Throws: `overflow` if there are none left.
  func allocate(level: Int, tree: UInt16) throws(IndexError) -> UInt64 {
    if level == 0 {
      guard nextLeaf < .max else { throw .overflow(tree: tree) }
      defer { nextLeaf += 1 }
      return nextLeaf
    }
    guard nextInner < Self.firstLeaf - 1 else { throw .overflow(tree: tree) }
    defer { nextInner += 1 }
    return nextInner
  }

  /// Stores a node, new or in place of an earlier one. `bytes` has room for the header at its start and no spare
  /// bytes at its end; this method fills in the header and adds the spare bytes.
  func write(
    _ bytes: inout [UInt8], number: UInt64, tree: UInt16, kind: UInt8, level: Int, count: UInt64
  ) throws(IndexError) {
    guard let writer else { throw .misuse(tree: tree, what: "a change in a read transaction") }
    guard count <= UInt64(UInt32.max) else { throw .overflow(tree: tree) }
    precondition(bytes.count >= NodeHeader.byteCount && bytes.count <= capacity)
    NodeHeader.finish(
      &bytes, word: NodeHeader.word(tree: tree, level: level, kind: kind, count: count), number: number,
      sequence: sequence, limit: limit)
    generation &+= 1
    counters.nodesWritten &+= 1
    memory.remove(number)
    let failure = unsafe bytes.withUnsafeBytes { source -> LMDBError? in
      do throws(LMDBError) {
        // Nodes that begin short share a page of the table by twos and threes, and leave it nearly empty once each has a page of its
        // own. LMDB joins such pages only after a removal.
        if source.count == limit, let old = unsafe try writer.locate(database, number: number),
          old.count < shortLimit
        {
          _ = try writer.delete(database, number: number)
        }
        unsafe try writer.put(database, number: number, source)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw .lmdb(failure) }
  }

  /// Removes a node that is known to exist.
  func free(_ number: UInt64, tree: UInt16) throws(IndexError) {
    guard let writer else { throw .misuse(tree: tree, what: "a change in a read transaction") }
    generation &+= 1
    memory.remove(number)
    let existed: Bool
    do { existed = try writer.delete(database, number: number) } catch { throw .lmdb(error) }
    if !existed { throw .corrupt(tree: tree, node: number, what: "the node is missing") }
  }
}

/// The counts of what one transaction has read and written.
struct NodeCounters {
  var nodesRead = 0
  var nodesWritten = 0
  var nodesVerified = 0
  var entriesRead = 0
}

extension [UInt8] {
  /// Overwrites existing bytes with a little-endian number.
  @inline(__always)
  mutating func store(_ value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 8)
    unsafe withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
