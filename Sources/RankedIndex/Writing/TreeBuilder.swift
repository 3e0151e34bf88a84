internal import RankedKeys
import SatchelBytes

/// Builds a tree from rows in key order, from the leaves up. Holds one unfinished node per level in memory.
struct TreeBuilder {
  private let store: NodeStore
  private let tree: TreeSchema
  /// The part of a node that is filled.
  private let fill: Double
  /// Apart from the levels above it, because every row passes through it.
  private var leaf: Level
  /// The inner nodes, from those above the leaves on.
  private var levels: [Level] = []
  private var record: DirectoryEntry
  /// The number reserved for the last leaf, if any.
  private let tailNumber: UInt64?

  private struct Level {
    var block: RowBlock
    var measure: FrameMeasure
    let limit: Int

    /// Measures the latest row of the block. Returns false if it does not fit the node.
    @inline(__always)
    mutating func takeLatest() -> Bool {
      measure.extend(block.words, at: block.words.count &- block.stride, limit: limit)
    }

    /// Removes the rows of a node that was written, and measures the row after them, if there is one.
    mutating func removeFirst(_ rows: Int) {
      block.words.removeFirst(rows * block.stride)
      measure.reset()
      if !block.words.isEmpty { _ = measure.extend(block.words, at: 0, limit: limit) }
    }
  }

  /// Begins a tree. `spare` is the part of each node that is left free for later inserts, 0 to 0.5.
  init(_ store: NodeStore, _ tree: TreeSchema, spare: Double, tailNumber: UInt64? = nil) {
    self.store = store
    self.tailNumber = tailNumber
    self.tree = tree
    fill = 1 - min(max(spare, 0), 0.5)
    record = DirectoryEntry(id: tree.id, kind: NodeKind.numeric)
    leaf = Self.level(store, tree, fill, isLeaf: true)
  }

  /// Adds the next row. Its key must be greater than all keys before.
  mutating func append(_ row: Words) throws(IndexError) {
    leaf.block.append(row, columns: tree.columns)
    try takeLatest()
  }

  /// Adds one of `rows` as the next row.
  mutating func append(_ index: Int, of rows: ArrangedRows) throws(IndexError) {
    rows.append(index, to: &leaf.block.words)
    try takeLatest()
  }

  private mutating func takeLatest() throws(IndexError) {
    guard record.count < UInt64(UInt32.max) else { throw .overflow(tree: tree.id) }
    guard isLatestLast else {
      throw IndexError.outOfStep(
        tree, leaf.block.row(leaf.block.rows - 1, columns: tree.columns), "built out of order")
    }
    record.count += 1
    if !leaf.takeLatest() { try writeLeaf(rows: leaf.block.rows - 1) }
  }

  /// Whether the latest row comes after the one before it, which stays in the block when a node is written.
  private var isLatestLast: Bool {
    let latest = leaf.block.words.count &- tree.columns
    let earlier = latest &- tree.columns
    guard earlier >= 0 else { return true }
    for column in 0..<tree.keyColumns {
      let word = leaf.block.words[latest &+ column]
      let before = leaf.block.words[earlier &+ column]
      if word != before { return word > before }
    }
    return false
  }

  /// Writes the unfinished nodes and returns the tree's record.
  mutating func finish() throws(IndexError) -> DirectoryEntry {
    guard record.count > 0 else { return record }
    try writeLeaf(rows: leaf.block.rows, number: tailNumber)
    var level = 0
    while true {
      if level == levels.count - 1, levels[level].block.rows == 1 {
        // The level below has a single node, which is the root.
        record.root = levels[level].block.words[tree.keyColumns]
        record.height = level + 1
        return record
      }
      try writeInner(level, rows: levels[level].block.rows)
      level += 1
    }
  }

  private static func level(_ store: NodeStore, _ tree: TreeSchema, _ fill: Double, isLeaf: Bool) -> Level {
    let stride = isLeaf ? tree.columns : tree.keyColumns + 2
    let columns = isLeaf ? tree.columns : tree.keyColumns
    let room = store.capacity - Frame.headerBytes(columns: columns, isLeaf: isLeaf)
    return Level(
      block: RowBlock(stride: stride), measure: FrameMeasure(stride: stride),
      limit: Int(Double(room) * fill))
  }

  /// Writes the first rows of the unfinished leaf as a node.
  private mutating func writeLeaf(rows: Int, number given: UInt64? = nil) throws(IndexError) {
    let separator = leaf.block.row(0, columns: tree.keyColumns)
    var bytes = leaf.block.encodeLeaf(0..<rows)
    let number = if let given { given } else { try store.allocate(level: 0, tree: tree.id) }
    try store.write(
      &bytes, number: number, tree: tree.id, kind: NodeKind.numeric, level: 0, count: UInt64(rows))
    record.leafNodes += 1
    leaf.removeFirst(rows)
    try add(number, separator, count: UInt64(rows), to: 0)
  }

  /// Writes the first rows of an unfinished inner node; `level` is its place in `levels`.
  private mutating func writeInner(_ level: Int, rows: Int) throws(IndexError) {
    let block = levels[level].block
    let separator = block.row(0, columns: tree.keyColumns)
    let count = (rows < block.rows ? block.before(rows) : block.total) - block.before(0)
    var bytes = block.encodeInner(0..<rows)
    let number = try store.allocate(level: level + 1, tree: tree.id)
    try store.write(
      &bytes, number: number, tree: tree.id, kind: NodeKind.numeric, level: level + 1, count: count)
    record.innerNodes += 1
    levels[level].removeFirst(rows)
    try add(number, separator, count: count, to: level + 1)
  }

  /// Adds a node to the unfinished inner node above it, which is written without it if it does not fit.
  private mutating func add(
    _ number: UInt64, _ separator: Words, count: UInt64, to level: Int
  ) throws(IndexError) {
    if level == levels.count { levels.append(Self.level(store, tree, fill, isLeaf: false)) }
    levels[level].block.append(separator, columns: tree.keyColumns)
    levels[level].block.words.append(number)
    levels[level].block.words.append(levels[level].block.total)
    levels[level].block.total += count
    if !levels[level].takeLatest() { try writeInner(level, rows: levels[level].block.rows - 1) }
  }
}
