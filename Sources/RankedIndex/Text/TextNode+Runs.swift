internal import RankedKeys
import SatchelBytes

/// One run of a node: keys of equal text.
struct TextRun {
  /// The number of bytes shared with the run before, including the node's common beginning.
  var shared: Int
  /// The offset and the number of the run's own bytes.
  var ownAt: Int
  var ownLength: Int
  /// The number of keys of the run.
  var count: Int
  /// The number of the text's continuation; 0 if the node holds the whole text.
  var continuation: UInt64
  /// The offset of the next run.
  var next: Int

  var length: Int { shared &+ ownLength }
}

extension TextNode {
  /// Reads the run at `offset`.
  @inline(__always)
  func run(_ bytes: borrowing RawSpan, at offset: Int) throws(TextFault) -> TextRun {
    var at = offset
    var count = 1
    var continuation: UInt64 = 0
    guard at >= runsAt, at < bytes.byteCount else { throw .node }
    var head = Int(bytes.u8(at))
    at &+= 1
    if head & 15 == 15 {
      switch head &>> 4 {
      case 0:
        guard bytes.contains(at, count: 2) else { throw .node }
        count = Int(bytes.u8(at)) &+ 1
        at &+= 1
      case 1:
        guard bytes.contains(at, count: 3) else { throw .node }
        count = Int(bytes.u16(at)) &+ 1
        at &+= 2
      case 2:
        guard bytes.contains(at, count: 9) else { throw .node }
        continuation = bytes.u64(at)
        at &+= 8
        guard continuation != 0 else { throw .node }
      default: throw .node
      }
      head = Int(bytes.u8(at))
      at &+= 1
    }
    var shared = head &>> 4
    var own = head & 15
    if shared == 15 {
      guard at < bytes.byteCount else { throw .node }
      shared &+= Int(bytes.u8(at))
      at &+= 1
    }
    if own >= 14 {
      guard own == 14, at < bytes.byteCount else { throw .node }
      own &+= Int(bytes.u8(at))
      at &+= 1
    }
    shared &+= prefixLength
    // A text has a continuation only if the node holds as much of it as a node can.
    guard shared &+ own <= TextLimit.headBytes, bytes.contains(at, count: own),
      continuation == 0 || shared &+ own == TextLimit.headBytes
    else { throw .node }
    return TextRun(
      shared: shared, ownAt: at, ownLength: own, count: count, continuation: continuation, next: at &+ own)
  }

  /// Returns the offset of a restart's run, and the index of its first key. An index past the last restart gives the
  /// end.
  @inline(__always)
  func restart(_ bytes: borrowing RawSpan, _ index: Int) -> (offset: Int, key: Int) {
    if index >= restarts { return (bytes.byteCount, keyCount) }
    let at = restartsAt &+ 4 &* index
    return (runsAt &+ Int(bytes.u16(at)), Int(bytes.u16(at &+ 2)))
  }

  /// Returns the run of a restart, which must share only the common beginning.
  @inline(__always)
  func run(_ bytes: borrowing RawSpan, restart index: Int) throws(TextFault) -> (run: TextRun, key: Int) {
    let (offset, key) = restart(bytes, index)
    let run = try run(bytes, at: offset)
    guard run.shared == prefixLength else { throw .node }
    return (run, key)
  }
}

/// Walks forward over the runs of a node and assembles their texts.
package struct TextRunReader: Equatable {
  /// The bytes of the current run's keys, as far as the node holds them.
  package private(set) var head: [UInt8] = []
  /// The number of the current run's continuation; 0 if there is none.
  package private(set) var continuation: UInt64 = 0
  /// The indices of the current run's keys; empty before the first run.
  package private(set) var keys: Range<Int> = 0..<0
  /// The offset of the next run.
  private(set) var next = 0

  private static var few: Int { 4 }

  package init() {}

  /// Leaves the node, and keeps the memory.
  package mutating func reset() {
    keys = 0..<0
    head.removeAll(keepingCapacity: true)
  }

  /// Moves to the run that holds the key at `index`: run by run if it is near, else from a restart.
  package mutating func seek(_ node: TextNode, _ bytes: borrowing RawSpan, to index: Int) throws(TextFault) {
    guard index >= 0, index < node.keyCount else { throw .node }
    if keys.contains(index) { return }
    if keys.isEmpty || index < keys.lowerBound
      || index >= keys.upperBound &+ TextNodeLayout.leafRestartInterval
    {
      var low = 0
      var high = node.restarts
      while high &- low > 1 {
        let middle = (low &+ high) &>> 1
        if node.restart(bytes, middle).key <= index { low = middle } else { high = middle }
      }
      let (run, key) = try node.run(bytes, restart: low)
      guard key <= index else { throw .node }
      head.removeAll(keepingCapacity: true)
      append(bytes, from: node.prefixAt, count: node.prefixLength)
      take(run, bytes, firstKey: key)
    }
    while index >= keys.upperBound { try advance(node, bytes) }
  }

  /// Moves to the first run.
  package mutating func start(_ node: TextNode, _ bytes: borrowing RawSpan) throws(TextFault) {
    reset()
    try seek(node, bytes, to: 0)
  }

  /// Moves to the next run; `keys.upperBound` must be less than the node's number of keys.
  package mutating func advance(_ node: TextNode, _ bytes: borrowing RawSpan) throws(TextFault) {
    let run = try node.run(bytes, at: next)
    guard run.shared <= head.count else { throw .node }
    shorten(to: run.shared)
    take(run, bytes, firstKey: keys.upperBound)
  }

  private mutating func take(_ run: TextRun, _ bytes: borrowing RawSpan, firstKey: Int) {
    append(bytes, from: run.ownAt, count: run.ownLength)
    continuation = run.continuation
    keys = firstKey..<firstKey &+ run.count
    next = run.next
  }

  // Texts that follow each other mostly differ in their last few bytes: one by one, these cost less than a call for all of them.

  private mutating func shorten(to count: Int) {
    guard head.count &- count <= Self.few else { return head.removeLast(head.count &- count) }
    while head.count > count { _ = head.popLast() }
  }

  private mutating func append(_ bytes: borrowing RawSpan, from offset: Int, count: Int) {
    guard count > Self.few else {
      for place in offset..<offset &+ count { head.append(bytes.u8(place)) }
      return
    }
    unsafe bytes.extracting(offset..<offset &+ count).withUnsafeBytes { unsafe head.append(contentsOf: $0) }
  }
}
