internal import RankedKeys
import SatchelBytes

/// Removes many entries that are spread over a range of a string tree, without their texts: of each leaf those whose row is one of some
/// numbers.
///
/// It costs a look at each row of the range, and a write of each leaf that has one of them. Removals that are buffered one by one cost a
/// search each, for which their texts have to be made and sorted, and a leaf is written again for each flush.
extension TextMerge {
  /// Removes entries below a node. Returns the pieces that replace the node, none if it is empty; nil if it stays as it is.
  func sweep(
    _ range: TextRange, of rows: NumberSet, in number: UInt64, level: Int, entries: Int
  ) throws(IndexError) -> [TextPiece]? {
    // The node is copied, because writes of its children may move the file's pages.
    let bytes = unsafe try store.page(number, level: level, entries: entries).buffer.bytes.array
    let pieces =
      level == 0
      ? try sweepLeaf(range, of: rows, number: number, bytes: bytes)
      : try sweepInner(range, of: rows, number: number, level: level, bytes: bytes)
    if let pieces, pieces.isEmpty { try store.free(number) }
    return pieces
  }

  private func sweepLeaf(
    _ range: TextRange, of rows: NumberSet, number: UInt64, bytes: [UInt8]
  ) throws(IndexError) -> [TextPiece]? {
    let span = unsafe bytes.span.bytes
    var kept = TextEntries()
    var reader = TextRunReader()
    var next = 0
    // Freed after the loop: until then, searches of the node's bytes compare with these continuations.
    var unused: [UInt64] = []
    do throws(TextFault) {
      let node = try store.node(span, level: 0)
      let first = try place(of: range.lower, in: node, span)
      let end = try place(of: range.upper, in: node, span)
      guard first < end else { return nil }
      for index in first..<end {
        guard rows.contains(try node.row(span, at: index)) else { continue }
        try kept.append(next..<index, of: node, span, reader: &reader)
        try reader.seek(node, span, to: index)
        if reader.continuation != 0 { unused.append(reader.continuation) }
        next = index + 1
      }
      guard next > 0 else { return nil }
      try kept.append(next..<node.keyCount, of: node, span, reader: &reader)
      for continuation in unused { try store.freeContinuation(continuation) }
      var pieces = try pack(kept, keepsFull: false, number: number)
      if pieces.count == 1 { pieces[0].isMeagre = store.packer(0).isMeagre(pieces[0].bytes) }
      return pieces
    } catch {
      throw store.error(error, node: number)
    }
  }

  private func sweepInner(
    _ range: TextRange, of rows: NumberSet, number: UInt64, level: Int, bytes: [UInt8]
  ) throws(IndexError) -> [TextPiece]? {
    let span = unsafe bytes.span.bytes
    let children = try store.children(span, number: number, level: level)
    let (first, last): (Int, Int)
    do throws(TextFault) {
      let node = try store.node(span, level: level)
      first = try place(of: range.lower, in: node, span)
      last = try place(of: range.upper, in: node, span)
    } catch {
      throw store.error(error, node: number)
    }
    guard first <= last else { return nil }
    var replaced: [Replacement] = []
    for index in first...last {
      let child = children[index]
      let pieces = try sweep(
        range, of: rows, in: child.number, level: level - 1, entries: Int(child.entries))
      if let pieces { replaced.append(Replacement(child: index, pieces: pieces)) }
    }
    return replaced.isEmpty ? nil : try replace(replaced, of: children, number: number, level: level)
  }

  /// Returns how many of a leaf's entries are before a bound; of an inner node, the index of the child that the bound is in.
  private func place(
    of bound: TextBound, in node: TextNode, _ bytes: borrowing RawSpan
  ) throws(TextFault) -> Int {
    guard let target = bound.bytes else { return node.keyCount }
    return unsafe try node.index(
      bytes, target: target.span.bytes, row: bound.row, inclusive: node.level > 0, continuations: store)
  }
}
