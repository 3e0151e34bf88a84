internal import LMDB
internal import RankedKeys
import SatchelBytes

/// A node of a string tree in its original memory, valid as long as the `NodePage` that it was read from.
/// As with that one, only to make and to read it is unsafe.
@safe struct TextPage {
  let number: UInt64
  let buffer: UnsafeRawBufferPointer
  let node: TextNode

  /// No node.
  static var none: TextPage {
    unsafe TextPage(number: 0, buffer: UnsafeRawBufferPointer(start: nil, count: 0), node: TextNode())
  }
}

/// The changes of a string tree's numbers of nodes by a flush.
final class TextNodeTally {
  var inner = 0
  var leaves = 0
}

/// One string tree of a transaction: its nodes, and the continuations of its long texts.
struct TextTreeStore {
  let nodes: NodeStore
  let continuations: Database
  let root: DirectoryEntry
  /// Nil if no node can be written, so that a read allocates nothing.
  let tally: TextNodeTally?

  var tree: UInt16 { root.id }

  init(nodes: NodeStore, continuations: Database, root: DirectoryEntry) throws(IndexError) {
    guard root.count <= UInt64(UInt32.max) else { throw .overflow(tree: root.id) }
    self.nodes = nodes
    self.continuations = continuations
    self.root = root
    tally = nodes.writer == nil ? nil : TextNodeTally()
  }

  /// Returns the node that its parent, or the directory, describes with this level and number of entries.
  @inline(__always)
  func page(_ number: UInt64, level: Int, entries: Int) throws(IndexError) -> TextPage {
    let word = NodeHeader.word(tree: tree, level: level, kind: NodeKind.text, count: UInt64(entries))
    let page = try nodes.node(number, word: word)
    let buffer = unsafe page.buffer
    do throws(TextFault) {
      let node = unsafe try node(buffer.bytes, level: level)
      guard level > 0 || node.keyCount == entries else { throw .node }
      return unsafe TextPage(number: number, buffer: buffer, node: node)
    } catch {
      throw self.error(error, node: number)
    }
  }

  @inline(__always)
  func node(_ bytes: borrowing RawSpan, level: Int) throws(TextFault) -> TextNode {
    try TextNode(bytes, level: level, bodyAt: NodeHeader.byteCount)
  }

  /// Returns the bytes that a node of `count` bytes takes in the file: about half a page or more takes a whole page.
  func storedBytes(_ count: Int) -> Int {
    count >= nodes.shortLimit ? nodes.limit + 16 : count
  }

  /// Runs code whose faults do not belong to a particular node.
  func attempt<R>(_ body: () throws(TextFault) -> R) throws(IndexError) -> R {
    do throws(TextFault) { return try body() } catch { throw self.error(error, node: 0) }
  }

  func error(_ fault: TextFault, node: UInt64) -> IndexError {
    switch fault {
    case .node: .corrupt(tree: tree, node: node, what: "the node's parts contradict each other")
    case .continuation(let number):
      .corrupt(tree: tree, node: node, what: "continuation \(number) of a text is missing or damaged")
    case .change: .corrupt(tree: tree, node: node, what: "a change does not fit the tree")
    case .lmdb(let error): .lmdb(error)
    }
  }
}

extension TextTreeStore {
  // MARK: Going down

  /// Finds the leaf that holds a key, or would hold it. Returns the number of entries of the tree before the key.
  func descend(
    to target: borrowing RawSpan, row: UInt64, _ leaf: inout TextPage, leafStart: inout Int
  ) throws(IndexError) -> Int {
    var level = root.height - 1
    var number = root.root
    var entries = Int(root.count)
    var before = 0
    while true {
      let page = try page(number, level: level, entries: entries)
      do throws(TextFault) {
        let index = unsafe try page.node.index(
          page.buffer.bytes, target: target, row: row, inclusive: level > 0, continuations: self)
        if level == 0 {
          leaf = page
          leafStart = before
          return before + index
        }
        let first = unsafe try page.node.entries(page.buffer.bytes, before: index)
        let end = unsafe try page.node.entries(page.buffer.bytes, before: index + 1)
        guard first < end, end <= entries else { throw .node }
        number = unsafe try page.node.child(page.buffer.bytes, at: index)
        before += first
        entries = end - first
        level -= 1
      } catch {
        throw self.error(error, node: page.number)
      }
    }
  }

  /// Finds the leaf that holds the entry at a rank, which must be less than the tree's count.
  func descend(
    toRank rank: Int, _ leaf: inout TextPage, leafStart: inout Int
  ) throws(IndexError) {
    var level = root.height - 1
    var number = root.root
    var entries = Int(root.count)
    var before = 0
    while true {
      let page = try page(number, level: level, entries: entries)
      if level == 0 {
        leaf = page
        leafStart = before
        return
      }
      do throws(TextFault) {
        let index = unsafe try page.node.child(page.buffer.bytes, holding: rank - before)
        let first = unsafe try page.node.entries(page.buffer.bytes, before: index)
        let end = unsafe try page.node.entries(page.buffer.bytes, before: index + 1)
        guard first <= rank - before, rank - before < end, end <= entries else { throw .node }
        number = unsafe try page.node.child(page.buffer.bytes, at: index)
        before += first
        entries = end - first
        level -= 1
      } catch {
        throw self.error(error, node: page.number)
      }
    }
  }

  /// Returns the key at an index of a leaf.
  func key(_ page: TextPage, at index: Int, _ reader: inout TextRunReader) throws(TextFault) -> TextKey {
    let bytes = unsafe page.buffer.bytes
    try reader.seek(page.node, bytes, to: index)
    return try key(
      TextHead(
        bytes: reader.head, continuation: reader.continuation, row: try page.node.row(bytes, at: index)))
  }

  /// Puts the text of the key at an index of a leaf into `text`, in the memory that it has, and returns the text's group.
  func read(
    text: inout [UInt8], _ page: TextPage, at index: Int, _ reader: inout TextRunReader
  ) throws(TextFault) -> UInt64 {
    try reader.seek(page.node, unsafe page.buffer.bytes, to: index)
    guard reader.head.count >= TextLimit.groupBytes else { throw .node }
    let head = unsafe reader.head.span.bytes.extracting(droppingFirst: TextLimit.groupBytes)
    unsafe head.withUnsafeBytes { head in
      if text.count == head.count {
        unsafe text.withUnsafeMutableBytes { unsafe $0.copyMemory(from: head) }
      } else {
        text.removeAll(keepingCapacity: true)
        unsafe text.append(contentsOf: head)
      }
    }
    if reader.continuation != 0 {
      unsafe text.append(contentsOf: try continuation(reader.continuation))
    }
    return reader.head.leadingGroup
  }

  /// Returns the whole key of a head.
  func key(_ head: TextHead) throws(TextFault) -> TextKey {
    guard head.bytes.count >= TextLimit.groupBytes else { throw .node }
    var text = Array(head.bytes[TextLimit.groupBytes...])
    if head.continuation != 0 { unsafe text.append(contentsOf: try continuation(head.continuation)) }
    return TextKey(group: head.bytes.leadingGroup, text: text, row: head.row)
  }

  /// Returns the children of an inner node.
  func children(
    _ bytes: borrowing RawSpan, number: UInt64, level: Int
  ) throws(IndexError) -> [TextChild] {
    do throws(TextFault) {
      let node = try node(bytes, level: level)
      var reader = TextRunReader()
      var children: [TextChild] = []
      children.reserveCapacity(node.childCount + 2)
      var before = 0
      for index in 0..<node.childCount {
        var separator: TextHead?
        if index > 0 {
          try reader.seek(node, bytes, to: index - 1)
          separator = TextHead(
            bytes: reader.head, continuation: reader.continuation, row: try node.row(bytes, at: index - 1))
        }
        let end = try node.entries(bytes, before: index + 1)
        guard before < end else { throw .node }
        children.append(
          TextChild(
            separator: separator, number: try node.child(bytes, at: index), entries: UInt64(end - before)))
        before = end
      }
      return children
    } catch {
      throw self.error(error, node: number)
    }
  }
}

extension TextTreeStore {
  // MARK: Writing

  /// Returns the packer that distributes keys over the nodes of a level.
  func packer(_ level: Int) -> TextPacker {
    TextPacker(
      level: level, headerBytes: NodeHeader.byteCount, capacity: nodes.capacity - NodeHeader.byteCount)
  }

  /// Stores a piece, under a new number if it has none.
  func write(_ piece: TextPiece) throws(IndexError) -> TextChild {
    var bytes = piece.bytes
    if piece.number == nil {
      if piece.level == 0 { tally?.leaves += 1 } else { tally?.inner += 1 }
    }
    let number =
      if let number = piece.number { number } else { try nodes.allocate(level: piece.level, tree: tree) }
    try nodes.write(
      &bytes, number: number, tree: tree, kind: NodeKind.text, level: piece.level, count: piece.entries)
    return TextChild(separator: piece.separator, number: number, entries: piece.entries)
  }

  func free(_ number: UInt64) throws(IndexError) {
    if number < NodeStore.firstLeaf { tally?.inner -= 1 } else { tally?.leaves -= 1 }
    try nodes.free(number, tree: tree)
  }

  /// Frees the continuation of a separator that is no longer used.
  func free(_ separator: TextHead) throws(IndexError) {
    if separator.continuation == 0 { return }
    try attempt { () throws(TextFault) in try freeContinuation(separator.continuation) }
  }

  /// Returns the shortest key that is after `left` and not after `right`, which are neighbours.
  func separator(between left: TextHead, and right: TextHead) throws(TextFault) -> TextHead {
    let shared = unsafe sharedBytes(
      left.bytes.span.bytes, 0, right.bytes.span.bytes, 0, limit: min(left.bytes.count, right.bytes.count))
    if shared < TextLimit.groupBytes {
      return TextHead(bytes: Array(right.bytes.prefix(TextLimit.groupBytes)), continuation: 0, row: 0)
    }
    if shared < right.bytes.count {
      return TextHead(bytes: Array(right.bytes[...shared]), continuation: 0, row: 0)
    }
    if right.continuation == 0 { return right }
    // The keys are equal as far as nodes hold them, so that the separator has a continuation as well.
    let later = unsafe try continuation(right.continuation)
    var kept = unsafe [UInt8](later)
    var row = right.row
    let agreed: Int
    if left.continuation == 0 {
      agreed = 0
    } else {
      let earlier = unsafe try continuation(left.continuation)
      agreed = unsafe sharedBytes(earlier.bytes, 0, kept.span.bytes, 0, limit: min(earlier.count, kept.count))
    }
    if agreed < kept.count {
      kept.removeLast(kept.count - agreed - 1)
      row = 0
    }
    return TextHead(bytes: right.bytes, continuation: try addContinuation(kept[...]), row: row)
  }
}
