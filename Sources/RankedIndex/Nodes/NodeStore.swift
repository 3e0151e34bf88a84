internal import LMDB
import SatchelBytes

/// The bytes of a node, wherever they lie. Only as long-lived as what it was taken from: see `NodeStore.node`.
struct NodePage {
  let base: UnsafeRawPointer
  let count: Int

  @inline(__always)
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
}

/// Nodes by number, in one transaction: verified when read, stamped and sealed when written.
///
/// Numbers are given in creation order and never again: inner nodes from 1, leaves from `firstLeaf`, so that nodes
/// made together share LMDB's pages, and inner nodes share them with each other.
final class NodeStore {
  static let firstLeaf: UInt64 = 1 << 48

  let transaction: ReadTransaction
  let writer: WriteTransaction?
  let database: Database
  let cache: NodeCache
  /// The greatest size of a node with its spare bytes: the page less LMDB's page header.
  let limit: Int
  /// A smaller node is stored at its true length and shares a page with others.
  let shortLimit: Int
  /// The sequence of the snapshot; in a write transaction, what its nodes are stamped with.
  let sequence: UInt64
  /// The sequence of the last commit: later nodes are not yet what they may become.
  let committed: UInt64
  var nextInner: UInt64
  var nextLeaf: UInt64
  /// The number of the next continuation of a text: see `TextTreeStore`.
  var nextContinuation: UInt64
  /// Raised by every change, so that what holds places in nodes can see that they are gone.
  private(set) var generation: UInt64 = 0
  /// What the transaction has done. Each node adds to it: no use of it lasts while other code runs.
  @exclusivity(unchecked) var counters = NodeCounters()
  private let memory: NodeMemory

  init(
    transaction: ReadTransaction, writer: WriteTransaction?, database: Database, cache: NodeCache,
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
    memory = NodeMemory(owned: writer != nil)
  }

  /// The nodes as another one of the same transaction has left them.
  convenience init(following earlier: NodeStore, in transaction: WriteTransaction, sequence: UInt64) {
    self.init(
      transaction: transaction, writer: transaction, database: earlier.database, cache: earlier.cache,
      limit: earlier.limit, sequence: sequence, committed: earlier.committed, nextInner: earlier.nextInner,
      nextLeaf: earlier.nextLeaf, nextContinuation: earlier.nextContinuation)
  }

  /// The greatest size of a node in a file of such pages; pages above 16 KiB hold several.
  static func limit(pageSize: Int) -> Int { min(max(pageSize, 4096), 16384) - 16 }

  /// The greatest size of a node's own bytes, header included and spare bytes not.
  var capacity: Int { limit - NodeHeader.spare }

  /// Whether a node of so many bytes is stored as nodes are: at its true length, or filled up.
  func isStoredLength(_ count: Int) -> Bool { count < shortLimit || count == limit }

  /// A node that its parent (or the directory) describes as `word` (see `NodeHeader.word`).
  ///
  /// The bytes are LMDB's own: valid until the transaction changes anything, in which case copy them first. Those
  /// of an inner node of a write transaction are a copy already, valid until this node is written or the next inner
  /// node is fetched.
  @inline(__always)
  func node(_ number: UInt64, word: UInt64) throws(IndexError) -> NodePage {
    counters.nodesRead &+= 1
    if let page = memory.find(number) {
      if page.buffer.bytes.u64(0) != word { throw mismatch(number, word: word) }
      return page
    }
    return try load(number, word: word)
  }

  @inline(never)
  private func load(_ number: UInt64, word: UInt64) throws(IndexError) -> NodePage {
    let page = try fetch(number, tree: UInt16(truncatingIfNeeded: word))
    if page.buffer.bytes.u64(0) != word { throw mismatch(number, word: word) }
    return memory.insert(number, page)
  }

  /// A node as it is stored: its length, number and checksum are right, nothing is known of the rest.
  func fetch(_ number: UInt64, tree: UInt16) throws(IndexError) -> NodePage {
    let found: UnsafeRawBufferPointer?
    do throws(LMDBError) {
      if let writer {
        found = try writer.locate(database, number: number)
      } else {
        found = try transaction.get(database, number: number)
      }
    } catch {
      throw .lmdb(error)
    }
    guard let found, let base = found.baseAddress else {
      throw .corrupt(tree: tree, node: number, what: "the node is missing")
    }
    guard found.count >= NodeHeader.byteCount + NodeHeader.spare, found.count <= limit else {
      throw .corrupt(tree: tree, node: number, what: "the node has \(found.count) bytes")
    }
    let bytes = found.bytes
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
    return NodePage(base: base, count: found.count)
  }

  private func mismatch(_ number: UInt64, word: UInt64) -> IndexError {
    .corrupt(
      tree: UInt16(truncatingIfNeeded: word), node: number,
      what: "the node's tree, level, kind or count is not what its parent says (\(word >> 32) entries)")
  }

  /// A number for a new node.
  func allocate(level: Int) -> UInt64 {
    if level == 0 {
      defer { nextLeaf += 1 }
      return nextLeaf
    }
    defer { nextInner += 1 }
    return nextInner
  }

  /// Stores a node, new or in place of an earlier one. `bytes` has room for the header at its start and no spare
  /// bytes at its end; this fills in the first and adds the second.
  func write(
    _ bytes: inout [UInt8], number: UInt64, tree: UInt16, kind: UInt8, level: Int, count: UInt64
  ) throws(IndexError) {
    guard let writer else { throw .misuse(tree: tree, what: "a change in a read transaction") }
    guard count <= UInt64(UInt32.max), nextInner < Self.firstLeaf else { throw .overflow(tree: tree) }
    precondition(bytes.count >= NodeHeader.byteCount && bytes.count <= capacity)
    NodeHeader.finish(
      &bytes, word: NodeHeader.word(tree: tree, level: level, kind: kind, count: count), number: number,
      sequence: sequence, limit: limit)
    generation &+= 1
    counters.nodesWritten &+= 1
    if number < Self.firstLeaf { memory.remove(number) }
    let failure = bytes.withUnsafeBytes { source -> LMDBError? in
      do throws(LMDBError) { try writer.put(database, number: number, source) } catch { return error }
      return nil
    }
    if let failure { throw .lmdb(failure) }
  }

  /// Removes a node that is known to exist.
  func free(_ number: UInt64, tree: UInt16) throws(IndexError) {
    guard let writer else { throw .misuse(tree: tree, what: "a change in a read transaction") }
    generation &+= 1
    if number < Self.firstLeaf { memory.remove(number) }
    let existed: Bool
    do { existed = try writer.delete(database, number: number) } catch { throw .lmdb(error) }
    if !existed { throw .corrupt(tree: tree, node: number, what: "the node is missing") }
  }
}

/// What one transaction has read and written.
struct NodeCounters {
  var nodesRead = 0
  var nodesWritten = 0
  var nodesVerified = 0
  var entriesRead = 0
}

extension [UInt8] {
  /// Stores a little-endian number over bytes that exist.
  @inline(__always)
  mutating func store(_ value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 8)
    withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self) }
  }
}
