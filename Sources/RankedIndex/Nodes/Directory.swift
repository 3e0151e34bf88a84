import SatchelBytes

/// The root and the counts of one tree.
package struct DirectoryEntry: Equatable, Sendable {
  package let id: UInt16
  package let kind: UInt8
  /// The number of levels of nodes; 0 if the tree is empty and has no root.
  package var height: Int = 0
  package var root: UInt64 = 0
  /// The number of all entries; wider than the counts in nodes.
  package var count: UInt64 = 0
  package var innerNodes: UInt64 = 0
  package var leafNodes: UInt64 = 0

  package init(
    id: UInt16, kind: UInt8, height: Int = 0, root: UInt64 = 0, count: UInt64 = 0, innerNodes: UInt64 = 0,
    leafNodes: UInt64 = 0
  ) {
    self.id = id
    self.kind = kind
    self.height = height
    self.root = root
    self.count = count
    self.innerNodes = innerNodes
    self.leafNodes = leafNodes
  }
}

/// The roots of all trees of a file, and the numbers that new nodes get next. The caller stores its bytes in a
/// record.
///
///     offset | size | all numbers little-endian
///     0      | 8    | sequence of the last commit that changed a tree
///     8      | 8    | number of the next inner node
///     16     | 8    | number of the next leaf
///     24     | 8    | number of the next continuation of a text
///     32     | 2    | number of trees that follow, by ascending id
///     34     | 44   | each: id (2), kind (1), height (1), root (8), entries (8), inner nodes (8), leaves (8), zero (8)
///            | 8    | checksum: the hash, seed 0, of all bytes before it
package struct Directory: Equatable, Sendable {
  package var sequence: UInt64 = 0
  package var nextInner: UInt64 = 1
  package var nextLeaf: UInt64 = NodeStore.firstLeaf
  package var nextContinuation: UInt64 = 1
  /// Ascending by id.
  package var trees: [DirectoryEntry] = []

  /// The greatest height of a tree: even with only two children per node, a higher tree would have 2^32 leaves.
  static let maximumHeight = 32

  package init() {}

  /// Reads the bytes of a directory.
  /// - Throws: `IndexError.corrupt` if the bytes are not an undamaged directory.
  package init(_ bytes: [UInt8]) throws(IndexError) {
    do {
      unsafe try self.init(reading: bytes.span.bytes)
    } catch {
      throw .corrupt(tree: 0, node: 0, what: "the directory is damaged at byte \(error.offset)")
    }
  }

  private init(reading bytes: RawSpan) throws(ByteError) {
    let end = bytes.byteCount - 8
    guard end >= 34, Checksum.hash(bytes.extracting(0..<end)) == bytes.u64(end) else {
      throw ByteError(offset: 0)
    }
    var reader = ByteReader()
    sequence = try reader.u64(bytes)
    nextInner = try reader.u64(bytes)
    nextLeaf = try reader.u64(bytes)
    nextContinuation = try reader.u64(bytes)
    guard nextInner >= 1, nextInner < NodeStore.firstLeaf, nextLeaf >= NodeStore.firstLeaf,
      nextContinuation >= 1
    else {
      throw ByteError(offset: 8)
    }
    let count = Int(try reader.u16(bytes))
    var last = -1
    for _ in 0..<count {
      let start = reader.offset
      let record = DirectoryEntry(
        id: try reader.u16(bytes), kind: try reader.u8(bytes), height: Int(try reader.u8(bytes)),
        root: try reader.u64(bytes), count: try reader.u64(bytes), innerNodes: try reader.u64(bytes),
        leafNodes: try reader.u64(bytes))
      guard try reader.u64(bytes) == 0, Int(record.id) > last, record.height <= Self.maximumHeight,
        (record.height == 0) == (record.root == 0), (record.height == 0) == (record.count == 0)
      else { throw ByteError(offset: start) }
      last = Int(record.id)
      trees.append(record)
    }
    guard reader.offset == end else { throw ByteError(offset: reader.offset) }
  }

  package func encode() -> [UInt8] {
    var writer = ByteWriter(capacity: 42 + 44 * trees.count)
    writer.u64(sequence)
    writer.u64(nextInner)
    writer.u64(nextLeaf)
    writer.u64(nextContinuation)
    writer.u16(UInt16(trees.count))
    for tree in trees {
      writer.u16(tree.id)
      writer.u8(tree.kind)
      writer.u8(UInt8(tree.height))
      writer.u64(tree.root)
      writer.u64(tree.count)
      writer.u64(tree.innerNodes)
      writer.u64(tree.leafNodes)
      writer.u64(0)
    }
    writer.u64(Checksum.hash(writer.bytes))
    return writer.bytes
  }

  /// Returns the index of a tree in `trees`, or the index at which it would be inserted.
  func find(_ id: UInt16) -> (index: Int, found: Bool) {
    var low = 0
    var high = trees.count
    while low < high {
      let middle = (low + high) / 2
      if trees[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return (low, low < trees.count && trees[low].id == id)
  }

  /// Returns a tree's record, or the record of an empty tree if the directory has none.
  /// - Throws: `IndexError.corrupt` if the tree is of another kind.
  func record(_ id: UInt16, kind: UInt8) throws(IndexError) -> DirectoryEntry {
    let (index, found) = find(id)
    guard found else { return DirectoryEntry(id: id, kind: kind) }
    guard trees[index].kind == kind else {
      throw .corrupt(tree: id, node: 0, what: "the tree is of kind \(trees[index].kind), not \(kind)")
    }
    return trees[index]
  }

  /// Stores a tree's record; removes it if the tree is empty.
  mutating func set(_ record: DirectoryEntry) {
    let (index, found) = find(record.id)
    if record.height == 0 {
      if found { trees.remove(at: index) }
    } else if found {
      trees[index] = record
    } else {
      trees.insert(record, at: index)
    }
  }
}
