import SatchelBytes

/// A node of a string tree that a flush has made and not yet written: until its parent has seen all its neighbours, it
/// may still be joined with one of them.
struct TextPiece {
  /// What stands between it and the piece or child before it; nil if its parent already has that.
  var separator: TextHead?
  /// The number that it takes over from the node it came from; nil for one more node.
  var number: UInt64?
  let level: Int
  let entries: UInt64
  /// The encoded node, behind room for its header.
  let bytes: [UInt8]
  /// Whether entries went and too few are left, so that it should be joined with a neighbour.
  var isMeagre = false
}

/// A child of an inner node.
struct TextChild {
  /// What stands between it and the child before; nil for the first child, whose beginning its parent's parent knows.
  var separator: TextHead?
  var number: UInt64
  var entries: UInt64
}

/// Entries of leaves, decoded. Entries of one run share their bytes.
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
    head.withUnsafeBytes { heads.append(contentsOf: $0) }
    entries.append(Entry(start: start, length: head.byteCount, continuation: continuation, row: row))
  }

  /// Appends the entries of a leaf at these positions.
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

/// Distributes keys over as few nodes as hold them.
struct TextPacker {
  let level: Int
  /// Room for the header before a node's body, and the bytes the body may have.
  let headerBytes: Int
  let capacity: Int

  /// One node of the result: the positions it holds, and its bytes.
  struct Packed {
    let range: Range<Int>
    let entries: UInt64
    let bytes: [UInt8]
  }

  /// Packs `count` keys or children; `append` adds one to a node, the first in it if so told, or says it is full.
  ///
  /// With `keepsFull` all nodes but the last are left full, as suits keys that arrive in order; else the nodes are
  /// about equally full, so that the next keys find room everywhere.
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
        // Every node holds at least eight keys, so an empty one takes any.
        let isTaken = append(&builder, index, limit)
        precondition(isTaken, "a key larger than a node")
      }
    }
    if start < count { close(count) }
    return result
  }

  /// Whether a node of this many bytes should be joined with a neighbour once entries have gone from it.
  func isMeagre(_ bytes: [UInt8]) -> Bool { bytes.count - headerBytes < capacity / 3 }
}
