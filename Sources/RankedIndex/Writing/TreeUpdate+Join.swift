import SatchelBytes

extension TreeUpdate {
  /// Joins each unwritten node with the neighbour that has fewer entries, into as few nodes as hold both.
  mutating func joinPending(_ nodes: [ChildEntry], level: Int) throws(IndexError) -> [ChildEntry] {
    var joined: [ChildEntry] = []
    joined.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      guard let last = joined.last, last.pending != nil || node.pending != nil else {
        joined.append(node)
        continue
      }
      // The next one is joined with it.
      if last.pending == nil, index + 1 < nodes.count, nodes[index + 1].count < last.count {
        joined.append(node)
        continue
      }
      joined.removeLast()
      joined.append(contentsOf: try join(last, node, level: level))
    }
    // A single node has no neighbour here, and is written as it is. Its parent is joined in turn, or is the root.
    if joined.count == 1, let block = joined[0].pending {
      joined = try writeNodes(
        block, level: level, reusing: [joined[0].number], .even, separator: joined[0].separator)
    }
    return joined
  }

  private mutating func join(
    _ left: ChildEntry, _ right: ChildEntry, level: Int
  ) throws(IndexError) -> [ChildEntry] {
    var block = try rows(of: left, level: level)
    let more = try rows(of: right, level: level)
    if level == 0 {
      block.words.append(contentsOf: more.words)
    } else {
      let first = block.words.count
      block.words.append(contentsOf: more.words)
      var index = first + block.stride - 1
      while index < block.words.count {
        block.words[index] += block.total
        index += block.stride
      }
      // The first separator of a node is only a placeholder. Here it separates two children, and needs its true
      // value.
      for column in 0..<tree.keyColumns { block.words[first + column] = right.separator[column] }
      block.total += more.total
    }
    return try writeNodes(
      block, level: level, reusing: [left.number, right.number], .even, separator: left.separator)
  }

  private func rows(of node: ChildEntry, level: Int) throws(IndexError) -> RowBlock {
    if let block = node.pending { return block }
    if level > 0 {
      return block(of: try children(of: node.number, level: level, count: node.count))
    }
    let page = try self.node(node.number, level: level, count: node.count)
    let bytes = unsafe page.buffer.bytes
    let frame = try frame(bytes, node.number, level: level, count: node.count)
    var block = RowBlock(stride: tree.columns)
    block.append(bytes, frame, rows: 0..<frame.rows)
    return block
  }
}
