import SatchelBytes

/// A key as a node holds it.
package struct TextHead: Sendable, Equatable {
  /// The group and at most 240 bytes of the text.
  package var bytes: [UInt8]
  /// The number of the text's continuation; 0 if these bytes are the whole key.
  package var continuation: UInt64
  package var row: UInt64

  package init(bytes: [UInt8], continuation: UInt64, row: UInt64) {
    self.bytes = bytes
    self.continuation = continuation
    self.row = row
  }
}

/// Collects keys in order until a node is full, and encodes the node.
///
/// The builder knows the node's exact size at every step, so that it never encodes a node that is too large. It can be
/// reused: `removeAll` keeps its memory.
package struct TextNodeBuilder {
  private struct Run {
    var start: Int
    var length: Int
    var shared: Int
    var count: Int
    var continuation: UInt64
  }

  let isLeaf: Bool
  /// The number of bytes that a node may have after its header.
  let capacity: Int
  /// The number of bytes after the header with the keys added so far.
  package private(set) var byteCount = 0
  private var heads: [UInt8] = []
  private var runs: [Run] = []
  private var rows: [UInt64] = []
  private var leastRow = UInt64.max
  private var greatestRow: UInt64 = 0
  private var prefixLength = 0
  private var runBytes = 0
  private var children: [UInt64] = []
  private var counts: [UInt64] = []
  private var leastChild = UInt64.max
  private var greatestChild: UInt64 = 0

  package init(isLeaf: Bool, capacity: Int) {
    self.isLeaf = isLeaf
    self.capacity = capacity
  }

  package var keyCount: Int { rows.count }
  /// In a leaf, the number of its entries; in an inner node, the number of entries below all children.
  package var entryCount: UInt64 { isLeaf ? UInt64(rows.count) : counts.last ?? 0 }
  var isEmpty: Bool { rows.isEmpty && children.isEmpty }

  package mutating func removeAll() {
    byteCount = 0
    heads.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    children.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    leastRow = .max
    greatestRow = 0
    leastChild = .max
    greatestChild = 0
    prefixLength = 0
    runBytes = 0
  }

  /// Adds an entry to a leaf, and returns false if the leaf would become larger than `limit`. The entry must come
  /// after the last one.
  package mutating func append(_ head: borrowing RawSpan, continuation: UInt64, row: UInt64, limit: Int)
    -> Bool
  {
    append(head, continuation: continuation, row: row, child: nil, entries: 0, limit: limit)
  }

  /// Adds the first child of an inner node.
  package mutating func append(child: UInt64, entries: UInt64) {
    leastChild = child
    greatestChild = child
    children.append(child)
    counts.append(entries)
    byteCount = size(runBytes: 0, prefix: 0, keys: 0, runs: 0, rowRange: 0, childRange: 0, entries: entries)
  }

  /// Adds another child of an inner node, and returns false if the node would become larger than `limit`.
  package mutating func append(_ separator: TextHead, child: UInt64, entries: UInt64, limit: Int) -> Bool {
    unsafe append(
      separator.bytes.span.bytes, continuation: separator.continuation, row: separator.row, child: child,
      entries: entries, limit: limit)
  }

  private mutating func append(
    _ head: borrowing RawSpan, continuation: UInt64, row: UInt64, child: UInt64?, entries: UInt64, limit: Int
  ) -> Bool {
    let length = head.byteCount
    guard rows.count < Int(UInt16.max) else { return false }
    var shared = 0
    var common = length
    if let last = runs.last {
      let all = unsafe heads.span.bytes
      shared = sharedBytes(all, last.start, head, 0, limit: min(last.length, length))
      // The keys are in order, so that all keys share what the first key and this one share.
      common = min(prefixLength, shared)
    }
    let joins =
      continuation == 0 && !runs.isEmpty && shared == length && runs[runs.count - 1].length == length
      && runs[runs.count - 1].continuation == 0
    var bytes = runBytes
    if common != prefixLength {
      bytes = 0
      for index in runs.indices { bytes &+= cost(runs[index], at: index, prefix: common) }
    }
    var run = Run(
      start: heads.count, length: length, shared: shared, count: 1, continuation: continuation)
    if joins {
      let index = runs.count - 1
      run = runs[index]
      bytes &-= cost(run, at: index, prefix: common)
      run.count &+= 1
      bytes &+= cost(run, at: index, prefix: common)
    } else {
      bytes &+= cost(run, at: runs.count, prefix: common)
    }
    let least = min(leastRow, row)
    let greatest = max(greatestRow, row)
    let low = min(leastChild, child ?? .max)
    let high = max(greatestChild, child ?? 0)
    let total = (counts.last ?? 0) &+ entries
    let size = size(
      runBytes: bytes, prefix: common, keys: rows.count &+ 1, runs: joins ? runs.count : runs.count &+ 1,
      rowRange: greatest &- least, childRange: isLeaf ? 0 : high &- low, entries: total)
    if size > min(limit, capacity) { return false }

    if joins {
      runs[runs.count - 1] = run
    } else {
      unsafe head.withUnsafeBytes { unsafe heads.append(contentsOf: $0) }
      runs.append(run)
    }
    rows.append(row)
    leastRow = least
    greatestRow = greatest
    prefixLength = common
    runBytes = bytes
    byteCount = size
    if let child {
      children.append(child)
      counts.append(total)
      leastChild = low
      greatestChild = high
    }
    return true
  }

  private var interval: Int {
    isLeaf ? TextNodeLayout.leafRestartInterval : TextNodeLayout.innerRestartInterval
  }

  /// Returns the size of the run at `index` if all keys begin with `prefix` common bytes.
  private func cost(_ run: Run, at index: Int, prefix: Int) -> Int {
    let shared = index % interval == 0 ? 0 : run.shared &- prefix
    let own = run.length &- prefix &- shared
    var bytes = 1 &+ own
    if run.count > 256 { bytes &+= 3 } else if run.count > 1 { bytes &+= 2 }
    if run.continuation != 0 { bytes &+= 9 }
    if shared >= 15 { bytes &+= 1 }
    if own >= 14 { bytes &+= 1 }
    return bytes
  }

  private func size(
    runBytes: Int, prefix: Int, keys: Int, runs: Int, rowRange: UInt64, childRange: UInt64, entries: UInt64
  ) -> Int {
    var size = isLeaf ? TextNodeLayout.leafFixedBytes : TextNodeLayout.innerFixedBytes
    size &+= TextNodeLayout.columnBytes(keys, bits: TextNodeLayout.width(of: rowRange))
    if !isLeaf {
      size &+= TextNodeLayout.columnBytes(keys &+ 1, bits: TextNodeLayout.width(of: childRange))
      size &+= TextNodeLayout.columnBytes(keys &+ 1, bits: TextNodeLayout.width(of: entries))
    }
    return size &+ (runs &+ interval &- 1) / interval &* 4 &+ prefix &+ runBytes
  }

  /// Appends the node's body to its header.
  package func encode(to bytes: inout [UInt8]) {
    let rowRange = rows.isEmpty ? 0 : greatestRow &- leastRow
    let rowBits = TextNodeLayout.width(of: rowRange)
    let childBits = isLeaf ? 0 : TextNodeLayout.width(of: greatestChild &- leastChild)
    let countBits = isLeaf ? 0 : TextNodeLayout.width(of: entryCount)
    let restarts = (runs.count + interval - 1) / interval
    var writer = ByteWriter()
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    writer.u16(UInt16(rows.count))
    writer.u16(UInt16(restarts))
    writer.u8(UInt8(prefixLength))
    writer.u8(UInt8(rowBits))
    writer.u8(UInt8(childBits))
    writer.u8(UInt8(countBits))
    let rowBase = rows.isEmpty ? 0 : leastRow
    writer.u64(rowBase)
    if !isLeaf { writer.u64(leastChild) }
    TextNodeLayout.append(rows.lazy.map { $0 &- rowBase }, bits: rowBits, to: &writer.bytes)
    if !isLeaf {
      let childBase = leastChild
      TextNodeLayout.append(children.lazy.map { $0 &- childBase }, bits: childBits, to: &writer.bytes)
      TextNodeLayout.append(counts, bits: countBits, to: &writer.bytes)
    }
    let restartsAt = writer.count
    for _ in 0..<restarts { writer.u32(0) }
    if let first = runs.first {
      writer.bytes.append(contentsOf: heads[first.start..<first.start + prefixLength])
    }
    let runsAt = writer.count
    var key = 0
    for index in runs.indices {
      let run = runs[index]
      if index % interval == 0 {
        let restart = UInt32(writer.count - runsAt) | UInt32(key) << 16
        writer.set(u32: restart, at: restartsAt + index / interval * 4)
      }
      encode(run, at: index, to: &writer)
      key += run.count
    }
  }

  private func encode(_ run: Run, at index: Int, to writer: inout ByteWriter) {
    if run.count > 256 {
      writer.u8(0x1F)
      writer.u16(UInt16(run.count - 1))
    } else if run.count > 1 {
      writer.u8(0x0F)
      writer.u8(UInt8(run.count - 1))
    }
    if run.continuation != 0 {
      writer.u8(0x2F)
      writer.u64(run.continuation)
    }
    let shared = index % interval == 0 ? 0 : run.shared - prefixLength
    let own = run.length - prefixLength - shared
    writer.u8(UInt8(min(shared, 15) << 4 | min(own, 14)))
    if shared >= 15 { writer.u8(UInt8(shared - 15)) }
    if own >= 14 { writer.u8(UInt8(own - 14)) }
    writer.bytes.append(contentsOf: heads[run.start + run.length - own..<run.start + run.length])
  }
}
