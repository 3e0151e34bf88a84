internal import RankedKeys
import SatchelBytes

/// Builds a string tree from its entries in order: first the leaves, each written once, then the inner nodes. Holds
/// one separator per leaf in memory.
struct TextTreeBuilder {
  let store: TextTreeStore
  private var leaf: TextNodeBuilder
  private var leaves: [TextChild] = []
  /// The separator between the unfinished leaf and the leaf before.
  private var separator: TextHead?
  private var last: TextHead?
  private var lastBytes: [UInt8] = []

  /// The number of bytes that a leaf may have after its header; the rest of the leaf stays free.
  private let limit: Int

  /// Begins a tree. The tree in the store must be empty, or be emptied at the same time.
  init(_ store: TextTreeStore, spare: Double) {
    self.store = store
    let capacity = store.packer(0).capacity
    limit = max(capacity / 2, Int(Double(capacity) * (1 - min(max(spare, 0), 0.5))))
    leaf = TextNodeBuilder(isLeaf: true, capacity: capacity)
  }

  /// Adds an entry, which must come after all entries added before.
  mutating func append(_ key: TextKey) throws(IndexError) {
    let bytes = [UInt8](group: key.group, text: key.text)
    if let last {
      let order = unsafe lastBytes.span.bytes.compare(bytes.span.bytes)
      guard order < 0 || order == 0 && last.row < key.row else {
        throw .outOfStep(
          tree: store.tree, key: [key.group, key.row], what: "texts to build from are out of order")
      }
    }
    var head = TextHead(bytes: bytes, continuation: 0, row: key.row)
    if bytes.count > TextLimit.headBytes {
      head.bytes.removeLast(bytes.count - TextLimit.headBytes)
      head.continuation = try store.attempt { () throws(TextFault) in
        try store.addContinuation(bytes[TextLimit.headBytes...])
      }
    }
    try append(head)
    lastBytes = bytes
  }

  /// Adds an entry whose continuation, if any, is already in the side table.
  mutating func append(_ head: TextHead) throws(IndexError) {
    if !add(head) {
      let before = last ?? head
      try close()
      separator = try store.attempt { () throws(TextFault) in try store.separator(between: before, and: head)
      }
      // Every node can hold at least eight keys, so that an empty one takes any key.
      let isTaken = add(head)
      precondition(isTaken, "a key larger than a node")
    }
    last = head
  }

  /// Writes the unfinished leaf, then the levels above. Returns the tree's record.
  mutating func finish() throws(IndexError) -> DirectoryEntry {
    if !leaf.isEmpty { try close() }
    let merge = TextMerge(store: store)
    var children = leaves
    var level = 0
    while children.count > 1 {
      level += 1
      children = try store.write(merge.pack(children, level: level, keepsFull: true, number: nil))
    }
    return store.record(children.first, level: level)
  }

  private mutating func add(_ head: TextHead) -> Bool {
    unsafe leaf.append(head.bytes.span.bytes, continuation: head.continuation, row: head.row, limit: limit)
  }

  private mutating func close() throws(IndexError) {
    let packer = store.packer(0)
    var bytes = [UInt8](repeating: 0, count: packer.headerBytes)
    let entries = leaf.entryCount
    leaf.encode(to: &bytes)
    leaf.removeAll()
    leaves.append(
      try store.write(
        TextPiece(separator: separator, number: nil, level: 0, entries: entries, bytes: bytes)))
    separator = nil
  }
}
