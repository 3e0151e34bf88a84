internal import RankedKeys
import SatchelBytes

/// Builds a tree from rows in key order, from the leaves up. Holds one unfinished node per level in memory.
struct TreeBuilder {
  private let store: NodeStore
  private let tree: TreeSchema
  /// The part of a node that is filled.
  private let fill: Double
  private var levels: [Level] = []
  private var record: DirectoryEntry
  private var last: Words?
  /// The number reserved for the last leaf, if any.
  private let tailNumber: UInt64?

  private struct Level {
    var block: RowBlock
    var measure: FrameMeasure
    let limit: Int
  }

  /// Begins a tree. `spare` is the part of each node that is left free for later inserts, 0 to 0.5.
  init(_ store: NodeStore, _ tree: TreeSchema, spare: Double, tailNumber: UInt64? = nil) {
    self.store = store
    self.tailNumber = tailNumber
    self.tree = tree
    fill = 1 - min(max(spare, 0), 0.5)
    record = DirectoryEntry(id: tree.id, kind: NodeKind.numeric)
  }

  /// Adds the next row. Its key must be greater than all keys before.
  mutating func append(_ row: Words) throws(IndexError) {
    if let last, last.compare(row, columns: tree.keyColumns) >= 0 {
      throw IndexError.outOfStep(tree, row, "built out of order")
    }
    guard record.count < UInt64(UInt32.max) else { throw .overflow(tree: tree.id) }
    last = row
    record.count += 1
    if levels.isEmpty { addLevel() }
    levels[0].block.append(row, columns: tree.columns)
    try close(0)
  }

  /// Writes the unfinished nodes and returns the tree's record.
  mutating func finish() throws(IndexError) -> DirectoryEntry {
    var level = 0
    while level < levels.count {
      if level > 0, level == levels.count - 1, levels[level].block.rows == 1 {
        // The level below has a single node, which is the root.
        record.root = levels[level].block.words[tree.keyColumns]
        record.height = level
        break
      }
      try write(level, rows: levels[level].block.rows, number: level == 0 ? tailNumber : nil)
      level += 1
    }
    return record
  }

  private mutating func addLevel() {
    let isLeaf = levels.isEmpty
    let stride = isLeaf ? tree.columns : tree.keyColumns + 2
    let columns = isLeaf ? tree.columns : tree.keyColumns
    let room = store.capacity - Frame.headerBytes(columns: columns, isLeaf: isLeaf)
    levels.append(
      Level(
        block: RowBlock(stride: stride), measure: FrameMeasure(stride: stride),
        limit: Int(Double(room) * fill)))
  }

  /// Writes the node of a level without its latest row, if that row does not fit.
  private mutating func close(_ level: Int) throws(IndexError) {
    let block = levels[level].block
    let latest = block.words.count - block.stride
    if levels[level].measure.extend(block.words, at: latest, limit: levels[level].limit) { return }
    try write(level, rows: block.rows - 1)
    _ = levels[level].measure.extend(levels[level].block.words, at: 0, limit: levels[level].limit)
  }

  /// Writes the first rows of a level as a node, and adds that node to the level above.
  private mutating func write(_ level: Int, rows: Int, number given: UInt64? = nil) throws(IndexError) {
    let isLeaf = level == 0
    let separator = levels[level].block.row(0, columns: tree.keyColumns)
    let count: UInt64
    var bytes: [UInt8]
    if isLeaf {
      count = UInt64(rows)
      bytes = levels[level].block.encodeLeaf(0..<rows)
    } else {
      let block = levels[level].block
      count = (rows < block.rows ? block.before(rows) : block.total) - block.before(0)
      bytes = block.encodeInner(0..<rows)
    }
    let number = given ?? store.allocate(level: level)
    try store.write(
      &bytes, number: number, tree: tree.id, kind: NodeKind.numeric, level: level, count: count)
    if isLeaf { record.leafNodes += 1 } else { record.innerNodes += 1 }
    levels[level].block.words.removeFirst(rows * levels[level].block.stride)
    levels[level].measure.reset()
    if level + 1 == levels.count { addLevel() }
    let parent = level + 1
    levels[parent].block.append(separator, columns: tree.keyColumns)
    levels[parent].block.words.append(number)
    levels[parent].block.words.append(levels[parent].block.total)
    levels[parent].block.total += count
    try close(parent)
  }
}
