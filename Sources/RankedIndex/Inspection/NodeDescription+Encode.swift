internal import RankedKeys

extension NodeDescription {
  /// Encodes these rows or keys as a new node with a correct checksum. Returns nil if there are none, if they do not
  /// fit one node, if rows differ in their number of columns, or if the children do not match the keys.
  ///
  /// The bytes may differ from those of a node that was changed in place: such a node may have wider columns with
  /// smaller least values.
  package func encoded(pageSize: Int = 4096) -> [UInt8]? {
    let limit = NodeStore.limit(pageSize: pageSize)
    guard var bytes = kind == NodeKind.numeric ? encodedRows(limit) : encodedTexts(limit) else { return nil }
    NodeHeader.finish(
      &bytes,
      word: NodeHeader.word(tree: tree, level: level, kind: kind, count: UInt64(truncatingIfNeeded: entries)),
      number: number, sequence: sequence, limit: limit)
    return bytes
  }

  private func encodedRows(_ limit: Int) -> [UInt8]? {
    let inner = level > 0 ? 2 : 0
    guard let stride = rows.first?.count, rows.allSatisfy({ $0.count == stride }), stride > inner,
      stride <= Words.count + inner
    else { return nil }
    var block = RowBlock(stride: stride)
    block.words = rows.flatMap(\.self)
    let bytes = level == 0 ? block.encodeLeaf(0..<rows.count) : block.encodeInner(0..<rows.count)
    return bytes.count + NodeHeader.spare <= limit ? bytes : nil
  }

  private func encodedTexts(_ limit: Int) -> [UInt8]? {
    let capacity = limit - NodeHeader.spare - NodeHeader.byteCount
    var builder = TextNodeBuilder(isLeaf: level == 0, capacity: capacity)
    if level == 0 {
      guard !keys.isEmpty else { return nil }
      for key in keys {
        let bytes = unsafe key.bytes.span.bytes
        guard builder.append(bytes, continuation: key.continuation, row: key.row, limit: capacity) else {
          return nil
        }
      }
    } else {
      guard children.count == keys.count + 1 else { return nil }
      var before = 0
      for (index, child) in children.enumerated() {
        guard child.through >= before else { return nil }
        let entries = UInt64(child.through - before)
        before = child.through
        if index == 0 {
          builder.append(child: child.number, entries: entries)
        } else if !builder.append(
          keys[index - 1], child: child.number, entries: entries, limit: capacity)
        {
          return nil
        }
      }
    }
    var bytes = [UInt8](repeating: 0, count: NodeHeader.byteCount)
    builder.encode(to: &bytes)
    return bytes
  }
}
