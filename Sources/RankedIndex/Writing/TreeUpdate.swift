internal import RankedKeys
import SatchelBytes

/// A child as its parent stores it after a change.
struct ChildEntry {
  /// Not above any key of the child, and above all keys of the children before it.
  var separator: Words
  var number: UInt64
  var count: UInt64
  /// The rows of a child that has lost too many of them, or got more than fit. It is not written yet, so that the parent can
  /// join it with another.
  var pending: RowBlock?
}

/// The outcome of a change for one node.
enum NodeOutcome {
  /// The node keeps its number, and has this many entries.
  case same(count: UInt64)
  /// These nodes replace the node; there are none if its last entry was removed.
  case replaced([ChildEntry])
}

/// Merges sorted changes into one numeric tree, from the root down and back up, so that each node is written once.
///
/// A node is left alone, patched, or unpacked and written again as one or more nodes. A node that shrank below a
/// quarter of a page, and a leaf that no longer fits one, is returned unwritten to its parent, and joined with its emptier neighbour
/// there (which may then be written twice).
struct TreeUpdate {
  let store: NodeStore
  let tree: TreeSchema
  var record: DirectoryEntry

  init(_ store: NodeStore, _ tree: TreeSchema, _ record: DirectoryEntry) {
    self.store = store
    self.tree = tree
    self.record = record
  }

  /// Returns the number of bytes that the rows of a node may take.
  func rowBytes(level: Int) -> Int {
    let columns = level == 0 ? tree.columns : tree.keyColumns
    return store.capacity - Frame.headerBytes(columns: columns, isLeaf: level == 0)
  }

  /// Merges changes, which must be sorted by key, with one change per key; at least one.
  mutating func apply(_ changes: RunRows<TreeSchema>) throws(IndexError) {
    let added = (0..<changes.count).count { changes.kind($0) == .insert }
    guard record.count + UInt64(added) <= UInt64(UInt32.max) else { throw .overflow(tree: tree.id) }
    if record.height == 0 {
      var block = RowBlock(stride: tree.columns)
      for index in 0..<changes.count {
        let change = changes[index]
        guard change.kind == .insert else {
          throw IndexError.outOfStep(tree, change.row, "changed but absent")
        }
        block.append(change.row, columns: tree.columns)
      }
      try setRoot(try writeNodes(block, level: 0, reusing: [], .full, separator: Words()), level: 0)
      return
    }
    let level = record.height - 1
    let outcome = try change(
      record.root, level: level, count: record.count, separator: Words(), changes,
      0..<changes.count)
    try end(outcome, level: level)
  }

  /// Ends a change of the tree, with what has become of the root.
  mutating func end(_ outcome: NodeOutcome, level: Int) throws(IndexError) {
    switch outcome {
    case .same(let count):
      record.count = count
    case .replaced(var entries):
      if entries.count == 1, let block = entries[0].pending {
        entries = try writeNodes(
          block, level: level, reusing: [entries[0].number], .even, separator: entries[0].separator)
      }
      try setRoot(entries, level: level)
    }
  }

  /// Adds as many levels above `nodes` as they need, and removes the levels at the top that have a single child.
  mutating func setRoot(_ nodes: [ChildEntry], level: Int) throws(IndexError) {
    var nodes = nodes
    var level = level
    record.count = nodes.reduce(0) { $0 + $1.count }
    guard record.count <= UInt64(UInt32.max) else { throw .overflow(tree: tree.id) }
    while nodes.count > 1 {
      level += 1
      nodes = try writeNodes(
        block(of: nodes), level: level, reusing: [], .full, separator: nodes[0].separator)
    }
    guard var root = nodes.first else {
      record.root = 0
      record.height = 0
      return
    }
    while level > 0 {
      let children = try children(of: root.number, level: level, count: root.count)
      guard children.count == 1 else { break }
      try free(root.number, level: level)
      root = children[0]
      level -= 1
    }
    record.root = root.number
    record.height = level + 1
  }

  mutating func change(
    _ number: UInt64, level: Int, count: UInt64, separator: Words, _ changes: RunRows<TreeSchema>,
    _ range: Range<Int>
  ) throws(IndexError) -> NodeOutcome {
    if level == 0 {
      return try changeLeaf(number, count: count, separator: separator, changes, range)
    }
    return try changeInner(
      number, level: level, count: count, separator: separator, changes, range)
  }

  /// Writes rows as nodes of a level, first under the numbers in `reusing`, then under new numbers. Frees the numbers
  /// in `reusing` that are left.
  mutating func writeNodes(
    _ block: RowBlock, level: Int, reusing: [UInt64], _ spread: Spread, separator: Words
  ) throws(IndexError) -> [ChildEntry] {
    let rows = block.rows
    var entries: [ChildEntry] = []
    var start = 0
    for cut in block.cuts(limit: rowBytes(level: level), spread) {
      let end = cut.end
      let number: UInt64
      if entries.count < reusing.count {
        number = reusing[entries.count]
      } else {
        number = try store.allocate(level: level, tree: tree.id)
        if level == 0 { record.leafNodes += 1 } else { record.innerNodes += 1 }
      }
      let count: UInt64
      var bytes: [UInt8]
      if level == 0 {
        count = UInt64(end - start)
        bytes = block.encodeLeaf(start..<end, cut.extents)
      } else {
        count = (end < rows ? block.before(end) : block.total) - block.before(start)
        bytes = block.encodeInner(start..<end, cut.extents)
      }
      try store.write(
        &bytes, number: number, tree: tree.id, kind: NodeKind.numeric, level: level, count: count)
      entries.append(
        ChildEntry(
          separator: start == 0 ? separator : block.row(start, columns: tree.keyColumns), number: number,
          count: count))
      start = end
    }
    for number in reusing.dropFirst(entries.count) { try free(number, level: level) }
    return entries
  }

  mutating func free(_ number: UInt64, level: Int) throws(IndexError) {
    try store.free(number, tree: tree.id)
    if level == 0 { record.leafNodes &-= 1 } else { record.innerNodes &-= 1 }
  }

  /// Returns the children of an inner node.
  func children(of number: UInt64, level: Int, count: UInt64) throws(IndexError) -> [ChildEntry] {
    let page = try node(number, level: level, count: count)
    let bytes = unsafe page.buffer.bytes
    return try children(bytes, try frame(bytes, number, level: level, count: count), number, count)
  }

  func children(
    _ bytes: RawSpan, _ frame: Frame, _ number: UInt64, _ count: UInt64
  ) throws(IndexError) -> [ChildEntry] {
    var entries: [ChildEntry] = []
    entries.reserveCapacity(frame.rows + 4)
    for row in 0..<frame.rows {
      let count = frame.entries(bytes, row, total: count)
      guard count > 0, count <= UInt64(UInt32.max) else {
        throw .corrupt(tree: tree.id, node: number, what: "the counts of the node's children contradict it")
      }
      entries.append(
        ChildEntry(separator: frame.words(bytes, row: row), number: frame.child(bytes, row), count: count))
    }
    return entries
  }

  /// Returns the rows of an inner node with these children.
  func block(of children: [ChildEntry]) -> RowBlock {
    var block = RowBlock(stride: tree.keyColumns + 2)
    block.words.reserveCapacity(children.count * block.stride)
    var before: UInt64 = 0
    for (index, child) in children.enumerated() {
      // Nothing is compared with the first separator. It is set to the second one, so that it widens no column.
      let separator = index == 0 && children.count > 1 ? children[1].separator : child.separator
      block.append(separator, columns: tree.keyColumns)
      block.words.append(child.number)
      block.words.append(before)
      before += child.count
    }
    block.total = before
    return block
  }

  func node(_ number: UInt64, level: Int, count: UInt64) throws(IndexError) -> NodePage {
    try store.node(
      number, word: NodeHeader.word(tree: tree.id, level: level, kind: NodeKind.numeric, count: count))
  }

  func frame(_ bytes: RawSpan, _ number: UInt64, level: Int, count: UInt64) throws(IndexError) -> Frame {
    let columns = level == 0 ? tree.columns : tree.keyColumns
    guard let frame = Frame(bytes, columns: columns, isLeaf: level == 0),
      level > 0 || UInt64(frame.rows) == count
    else {
      throw .corrupt(
        tree: tree.id, node: number, what: "the node's columns or rows do not fit it or its tree")
    }
    return frame
  }
}

extension RunRows<TreeSchema> {
  @inline(__always)
  subscript(_ index: Int) -> (kind: ChangeKind, row: Words) { (kind(index), keys.value(index)) }
}
