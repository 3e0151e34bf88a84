package import RankedKeys
import SatchelBytes
internal import StoreFiles

extension Forest {
  /// Checks a whole string tree and passes every entry to `entry`, in order. It checks the checksums, levels and
  /// counts of all nodes, that no node occurs twice, the runs and restarts of nodes, the order of all entries and
  /// separators, and the directory's counts. It also checks that the tree's continuations in the side table are those
  /// that its keys refer to, once each.
  ///
  /// Each fault goes to `report`, and the check continues with what can still be reached. Returns the counts of what
  /// was found. Ignores which nodes the environment's cache holds as undamaged.
  /// - Throws: What `entry` throws, and errors of LMDB.
  package func verify(
    _ tree: TextTreeSchema, report: (IndexError) -> Void, entry: (TextKey) throws -> Void
  ) throws -> TreeStatistics {
    var verifier = TextTreeVerifier(try flushedTextStore(tree))
    try verifier.run(report: report, entry: entry)
    return verifier.found
  }

  /// Returns the size of a tree, including its continuations. Reads all nodes.
  package func statistics(_ tree: TextTreeSchema) throws(IndexError) -> TreeStatistics {
    try statistics(tree, sharedBy: []).tree
  }

  /// Returns the size of a tree, and about how many of its bytes some ranges of its entries take. The bytes of a node and of its continuations are
  /// shared in proportion to the entries that it has, or that lie below it. So the bytes of ranges that are all of the tree are those of the
  /// tree, and only where ranges meet may they be wrong, by a node of each level. Reads all nodes.
  package func statistics(
    _ tree: TextTreeSchema, sharedBy ranges: [TextRange]
  ) throws(IndexError) -> (tree: TreeStatistics, bytes: [Int]) {
    let store = try flushedTextStore(tree)
    var ranks: [Range<Int>] = []
    for range in ranges {
      let lower = try store.rank(of: range.lower)
      ranks.append(lower..<max(lower, try store.rank(of: range.upper)))
    }
    var shares = BytesByRange(ranks)
    var statistics = TreeStatistics()
    statistics.entries = Int(store.root.count)
    statistics.height = store.root.height
    if store.root.height > 0 {
      let root = TextChild(separator: nil, number: store.root.root, entries: store.root.count)
      try store.measure(root, level: store.root.height - 1, from: 0, &statistics, &shares)
    }
    return (statistics, shares.bytes.map { Int($0.rounded()) })
  }
}

/// About how many bytes of nodes belong to ranges of entries, which are given by their ranks.
private struct BytesByRange {
  private let ranks: [Range<Int>]
  private(set) var bytes: [Double]

  init(_ ranks: [Range<Int>]) {
    self.ranks = ranks
    bytes = Array(repeating: 0, count: ranks.count)
  }

  /// Shares bytes in proportion to the entries that they are for.
  mutating func add(_ count: Int, for entries: Range<Int>) {
    for (index, range) in ranks.enumerated() where range.overlaps(entries) {
      bytes[index] += Double(count) * Double(range.clamped(to: entries).count) / Double(entries.count)
    }
  }
}

extension TextTreeStore {
  /// - Parameter start: The rank of the first entry of the node, or below it.
  fileprivate func measure(
    _ child: TextChild, level: Int, from start: Int, _ statistics: inout TreeStatistics,
    _ shares: inout BytesByRange
  ) throws(IndexError) {
    let bytes = unsafe try page(child.number, level: level, entries: Int(child.entries)).buffer.bytes.array
    var count = storedBytes(bytes.count)
    if level == 0 { statistics.leaves += 1 } else { statistics.innerNodes += 1 }
    for number in try continuations(of: bytes, number: child.number, level: level) {
      count += try attempt { () throws(TextFault) in unsafe try continuation(number).count }
    }
    statistics.bytes += count
    shares.add(count, for: start..<start + Int(child.entries))
    if level == 0 { return }
    var start = start
    for child in unsafe try children(bytes.span.bytes, number: child.number, level: level) {
      try measure(child, level: level - 1, from: start, &statistics, &shares)
      start += Int(child.entries)
    }
  }
}

/// A walk over a string tree that trusts nothing it reads.
private struct TextTreeVerifier {
  let store: TextTreeStore
  private(set) var found = TreeStatistics()
  private var nodes: Set<UInt64> = []
  private var continuations: Set<UInt64> = []
  private var previous: TextHead?
  private var previousIsSeparator = false

  init(_ store: TextTreeStore) { self.store = store }

  mutating func run(report: (IndexError) -> Void, entry: (TextKey) throws -> Void) throws {
    let root = store.root
    found.height = root.height
    if root.height > 0 {
      try node(root.root, level: root.height - 1, entries: Int(root.count), report: report, entry: entry)
    }
    func expect(_ found: Int, _ expected: UInt64, _ what: String) {
      if UInt64(found) != expected {
        report(.corrupt(tree: root.id, node: 0, what: "\(expected) \(what) were expected, not \(found)"))
      }
    }
    expect(found.entries, root.count, "entries")
    expect(found.innerNodes, root.innerNodes, "inner nodes")
    expect(found.leaves, root.leafNodes, "leaves")
    expect(try storedContinuations(), UInt64(continuations.count), "continuations")
  }

  private mutating func node(
    _ number: UInt64, level: Int, entries: Int, report: (IndexError) -> Void, entry: (TextKey) throws -> Void
  ) throws {
    let bytes: [UInt8]
    let children: [TextChild]
    do throws(IndexError) {
      // Copied, because the check of an inner node continues while its children are read.
      bytes = unsafe try store.nodes.fetch(number, tree: store.tree).buffer.bytes.array
      try header(bytes, number: number, level: level, entries: entries)
      children = unsafe level > 0 ? try store.children(bytes.span.bytes, number: number, level: level) : []
      try runs(bytes, number: number, level: level)
    } catch {
      guard case .corrupt = error else { throw error }
      report(error)
      return
    }
    found.bytes += store.storedBytes(bytes.count)
    if level == 0 {
      found.leaves += 1
      found.entries += entries
      try self.entries(bytes, number: number, count: entries, report: report, entry: entry)
      return
    }
    found.innerNodes += 1
    if children.reduce(0, { $0 + Int($1.entries) }) != entries {
      report(.corrupt(tree: store.tree, node: number, what: "the children's counts do not add up"))
    }
    for child in children {
      if let separator = child.separator {
        try visit(separator, isSeparator: true, node: number, report: report)
      }
      try node(child.number, level: level - 1, entries: Int(child.entries), report: report, entry: entry)
    }
  }

  private mutating func header(
    _ bytes: [UInt8], number: UInt64, level: Int, entries: Int
  ) throws(IndexError) {
    let span = unsafe bytes.span.bytes
    func fault(_ what: String) -> IndexError { .corrupt(tree: store.tree, node: number, what: what) }
    guard NodeHeader.checksum(span) == span.u64(NodeHeader.checksumOffset) else {
      throw fault("the checksum does not match")
    }
    let word = NodeHeader.word(tree: store.tree, level: level, kind: NodeKind.text, count: UInt64(entries))
    guard span.u64(0) == word else {
      throw fault("the node's tree, level, kind or count is not what its parent says")
    }
    guard nodes.insert(number).inserted else { throw fault("the node occurs twice") }
    guard (number < NodeStore.firstLeaf) == (level > 0) else {
      throw fault("the node's number is not of its level")
    }
    guard store.nodes.isStoredLength(bytes.count) else {
      throw fault("the node is neither short nor filled up to a page")
    }
  }

  /// Checks a node's runs and restarts against each other.
  private func runs(_ bytes: [UInt8], number: UInt64, level: Int) throws(IndexError) {
    let span = unsafe bytes.span.bytes
    do throws(TextFault) {
      let node = try store.node(span, level: level)
      var end = node.runsAt
      if node.keyCount > 0 {
        var reader = TextRunReader()
        var restart = 0
        try reader.start(node, span)
        while true {
          if restart < node.restarts, node.restart(span, restart).key == reader.keys.lowerBound {
            var other = TextRunReader()
            try other.seek(node, span, to: reader.keys.lowerBound)
            guard other == reader else { throw .node }
            restart += 1
          }
          if reader.keys.upperBound >= node.keyCount { break }
          try reader.advance(node, span)
        }
        guard restart == node.restarts, reader.keys.upperBound == node.keyCount else { throw .node }
        end = reader.next
      }
      guard bytes.count - end >= NodeHeader.spare, bytes[end...].allSatisfy({ $0 == 0 }) else { throw .node }
    } catch {
      throw store.error(error, node: number)
    }
  }

  private mutating func entries(
    _ bytes: [UInt8], number: UInt64, count: Int, report: (IndexError) -> Void,
    entry: (TextKey) throws -> Void
  ) throws {
    var reader = TextRunReader()
    for index in 0..<count {
      let head: TextHead
      let key: TextKey?
      do throws(TextFault) {
        let node = unsafe try store.node(bytes.span.bytes, level: 0)
        guard node.keyCount == count else { throw .node }
        unsafe try reader.seek(node, bytes.span.bytes, to: index)
        let row = unsafe try node.row(bytes.span.bytes, at: index)
        head = TextHead(bytes: reader.head, continuation: reader.continuation, row: row)
      } catch {
        report(store.error(error, node: number))
        return
      }
      try visit(head, isSeparator: false, node: number, report: report)
      do throws(TextFault) { key = try store.key(head) } catch {
        // The visit has already reported the fault.
        key = nil
      }
      if let key { try entry(key) }
    }
  }

  /// Checks the next entry or separator in order. An entry may equal the separator before it.
  private mutating func visit(
    _ head: TextHead, isSeparator: Bool, node: UInt64, report: (IndexError) -> Void
  ) throws {
    do throws(TextFault) {
      guard head.bytes.count >= TextLimit.groupBytes else { throw .node }
      if head.continuation != 0 {
        guard continuations.insert(head.continuation).inserted else { throw .continuation(head.continuation) }
        unsafe found.bytes += try store.continuation(head.continuation).count
      }
      if let previous {
        let order = try compare(previous, head)
        guard order < 0 || order == 0 && previousIsSeparator && !isSeparator else { throw .node }
      }
    } catch {
      if case .lmdb(let error) = error { throw IndexError.lmdb(error) }
      report(store.error(error, node: node))
    }
    previous = head
    previousIsSeparator = isSeparator
  }

  private func compare(_ left: TextHead, _ right: TextHead) throws(TextFault) -> Int {
    var order = unsafe left.bytes.span.bytes.compare(right.bytes.span.bytes)
    if order == 0, left.continuation != 0 || right.continuation != 0 {
      if left.continuation == 0 { return -1 }
      if right.continuation == 0 { return 1 }
      let other = unsafe try store.continuation(right.continuation)
      order = unsafe try store.compare(left.continuation, with: other.bytes, from: 0)
    }
    if order != 0 || left.row == right.row { return order }
    return left.row < right.row ? -1 : 1
  }

  /// Returns the number of continuations in the side table that name this tree. O(side table).
  private func storedContinuations() throws(IndexError) -> Int {
    do throws(LMDBError) {
      var cursor = try store.nodes.transaction.cursor(store.continuations)
      var count = 0
      while let entry = unsafe try cursor.next() {
        if unsafe TextContinuation.isContinuation(entry.value, of: store.tree) { count += 1 }
      }
      return count
    } catch {
      throw .lmdb(error)
    }
  }
}
