import SatchelBytes

/// A node of a string tree that a flush has built but not yet written: it may still be joined with a neighbour, until
/// its parent has all neighbours.
struct TextPiece {
  /// The separator between this piece and the piece or child before; nil if the parent already has it.
  var separator: TextHead?
  /// The number of the node that this piece replaces; nil if it is an additional node.
  var number: UInt64?
  let level: Int
  let entries: UInt64
  /// The encoded node, with room for its header at the start.
  let bytes: [UInt8]
  /// Whether the node lost entries and has too few left, so that it should be joined with a neighbour.
  var isMeagre = false
}

/// A child of an inner node.
struct TextChild {
  /// The separator between this child and the one before; nil for the first child, whose start is known to the levels
  /// above.
  var separator: TextHead?
  var number: UInt64
  var entries: UInt64
}

/// Decoded entries of leaves. Entries of one run share their bytes.
struct TextEntries {
  private(set) var heads: [UInt8] = []
  private(set) var entries: [Entry] = []

  struct Entry {
    var start: Int
    var length: Int
    var continuation: UInt64
    var row: UInt64
  }

  var count: Int { entries.count }

  mutating func append(_ head: borrowing RawSpan, continuation: UInt64, row: UInt64) {
    let start = heads.count
    unsafe head.withUnsafeBytes { unsafe heads.append(contentsOf: $0) }
    entries.append(Entry(start: start, length: head.byteCount, continuation: continuation, row: row))
  }

  /// Appends the entries of a leaf in an index range.
  mutating func append(
    _ range: Range<Int>, of node: TextNode, _ bytes: borrowing RawSpan, reader: inout TextRunReader
  ) throws(TextFault) {
    var index = range.lowerBound
    while index < range.upperBound {
      try reader.seek(node, bytes, to: index)
      let start = heads.count
      heads.append(contentsOf: reader.head)
      let end = min(reader.keys.upperBound, range.upperBound)
      while index < end {
        entries.append(
          Entry(
            start: start, length: reader.head.count, continuation: reader.continuation,
            row: try node.row(bytes, at: index)))
        index &+= 1
      }
    }
  }

  subscript(index: Int) -> TextHead {
    let entry = entries[index]
    return TextHead(
      bytes: Array(heads[entry.start..<entry.start + entry.length]), continuation: entry.continuation,
      row: entry.row)
  }
}

/// Distributes keys over as few nodes as can hold them.
struct TextPacker {
  let level: Int
  /// The room for the header before a node's body, and the number of bytes that the body may have.
  let headerBytes: Int
  let capacity: Int

  /// One node of the result: the range of indices that it holds, and its bytes.
  struct Packed {
    let range: Range<Int>
    let entries: UInt64
    let bytes: [UInt8]
  }

  /// Packs `count` keys or children. `append` adds the one at `index` to a node, or returns false if the node would
  /// become larger than `limit`.
  ///
  /// With `keepsFull`, all nodes but the last are filled, which suits keys that arrive in order. Otherwise all nodes
  /// are about equally full, so that the next keys find room everywhere.
  func pack(
    _ count: Int, keepsFull: Bool, append: (inout TextNodeBuilder, _ index: Int, _ limit: Int) -> Bool
  ) -> [Packed] {
    let full = pack(count, limit: capacity, target: .max, nodes: .max, append: append)
    if full.count < 2 || keepsFull { return full }
    let total = full.reduce(0) { $0 + $1.bytes.count - headerBytes }
    return pack(count, limit: capacity, target: total / full.count, nodes: full.count, append: append)
  }

  private func pack(
    _ count: Int, limit: Int, target: Int, nodes: Int,
    append: (inout TextNodeBuilder, _ index: Int, _ limit: Int) -> Bool
  ) -> [Packed] {
    var result: [Packed] = []
    var builder = TextNodeBuilder(isLeaf: level == 0, capacity: capacity)
    var start = 0
    func close(_ end: Int) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(headerBytes + builder.byteCount)
      bytes.append(contentsOf: repeatElement(0, count: headerBytes))
      let entries = builder.entryCount
      builder.encode(to: &bytes)
      result.append(Packed(range: start..<end, entries: entries, bytes: bytes))
      builder.removeAll()
      start = end
    }
    for index in 0..<count {
      let isEnough = builder.byteCount >= target && result.count + 1 < nodes
      if isEnough || !append(&builder, index, limit) {
        close(index)
        // Every node can hold at least eight keys, so that an empty one takes any key.
        let isTaken = append(&builder, index, limit)
        precondition(isTaken, "a key larger than a node")
      }
    }
    if start < count { close(count) }
    return result
  }

  /// Whether a node of this size should be joined with a neighbour if it has lost entries.
  func isMeagre(_ bytes: [UInt8]) -> Bool { bytes.count - headerBytes < capacity / 3 }
}
