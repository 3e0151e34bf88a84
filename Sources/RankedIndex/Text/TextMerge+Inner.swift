import SatchelBytes

extension TextMerge {
  /// A child of a node that is being merged: unchanged, or a piece that is not written yet.
  private enum Item {
    case written(TextChild)
    case made(TextPiece)

    /// Whether the item becomes an additional node.
    var isNew: Bool {
      if case .made(let piece) = self { piece.number == nil } else { false }
    }

    var separator: TextHead? {
      get {
        switch self {
        case .written(let child): child.separator
        case .made(let piece): piece.separator
        }
      }
      set {
        switch self {
        case .written(var child):
          child.separator = newValue
          self = .written(child)
        case .made(var piece):
          piece.separator = newValue
          self = .made(piece)
        }
      }
    }
  }

  /// The pieces that take the place of a child; none if nothing is left of it.
  struct Replacement {
    let child: Int
    let pieces: [TextPiece]
  }

  func mergeInner(
    _ range: Range<Int>, number: UInt64, level: Int, bytes: [UInt8]
  ) throws(IndexError) -> [TextPiece] {
    let children = unsafe try store.children(bytes.span.bytes, number: number, level: level)
    var replaced: [Replacement] = []
    replaced.reserveCapacity(min(range.count, children.count))
    var next = range.lowerBound
    for (index, child) in children.enumerated() {
      let end =
        index + 1 < children.count
        ? try firstChange(from: next, to: range.upperBound, notIn: index, bytes, number: number, level: level)
        : range.upperBound
      if next == end { continue }
      let pieces = try merge(next..<end, into: child.number, level: level - 1, entries: Int(child.entries))
      replaced.append(Replacement(child: index, pieces: pieces))
      next = end
    }
    return try replace(replaced, of: children, number: number, level: level)
  }

  /// Returns the pieces that replace an inner node of which some children, by ascending index, have changed.
  func replace(
    _ replaced: [Replacement], of children: [TextChild], number: UInt64, level: Int
  ) throws(IndexError) -> [TextPiece] {
    var items: [Item] = []
    items.reserveCapacity(children.count + 4)
    var next = 0
    for (index, child) in children.enumerated() {
      guard next < replaced.count, replaced[next].child == index else {
        items.append(.written(child))
        continue
      }
      var pieces = replaced[next].pieces
      next += 1
      if pieces.isEmpty {
        if let separator = child.separator { try store.free(separator) }
      } else {
        pieces[0].separator = child.separator
        items.append(contentsOf: pieces.map { .made($0) })
      }
    }
    // The first child begins where its node begins, so that its separator is not needed.
    if !items.isEmpty, let separator = items[0].separator {
      try store.free(separator)
      items[0].separator = nil
    }
    try joinMeagre(&items, level: level - 1)
    let isAtTail = items.firstIndex(where: \.isNew) ?? 0 > items.lastIndex { !$0.isNew } ?? 0
    var pieces = pack(try write(items), level: level, keepsFull: isAtTail, number: number)
    if items.count < children.count, pieces.count == 1 {
      pieces[0].isMeagre = store.packer(level).isMeagre(pieces[0].bytes)
    }
    return pieces
  }

  /// Returns the end of the changes that belong to child `index`. O(log n) comparisons.
  private func firstChange(
    from start: Int, to end: Int, notIn index: Int, _ bytes: [UInt8], number: UInt64, level: Int
  ) throws(IndexError) -> Int {
    let span = unsafe bytes.span.bytes
    do throws(TextFault) {
      let node = try store.node(span, level: level)
      var low = start
      var high = end
      while low < high {
        let middle = (low + high) / 2
        let child = unsafe try node.index(
          span, target: changes.keys.bytes(middle).bytes, row: changes.keys.value(middle), inclusive: true,
          continuations: store)
        if child <= index { low = middle + 1 } else { high = middle }
      }
      return low
    } catch {
      throw store.error(error, node: number)
    }
  }

  /// Joins each meagre piece with the item after it, or with the item before if it is the last. The result is one
  /// node if that holds both, else two of about equal size.
  private func joinMeagre(_ items: inout [Item], level: Int) throws(IndexError) {
    var index = 0
    while index < items.count {
      guard case .made(let made) = items[index], made.isMeagre, items.count > 1 else {
        index += 1
        continue
      }
      let first = index + 1 < items.count ? index : index - 1
      let left = try self.piece(of: items[first], level: level)
      let right = try self.piece(of: items[first + 1], level: level)
      guard let joined = try join(left, right) else {
        index += 1
        continue
      }
      items.replaceSubrange(first...first + 1, with: joined.map { .made($0) })
      // A single node may still be meagre, and is then joined with its next neighbour.
      index = joined.count == 1 && first == index ? index : first + joined.count
    }
  }

  /// Returns an item as a piece. A written node is read again.
  private func piece(of item: Item, level: Int) throws(IndexError) -> TextPiece {
    switch item {
    case .made(let piece): return piece
    case .written(let child):
      let bytes = unsafe try store.page(child.number, level: level, entries: Int(child.entries)).buffer.bytes
        .array
      return TextPiece(
        separator: child.separator, number: child.number, level: level, entries: child.entries, bytes: bytes)
    }
  }

  /// Joins two nodes into one or two. Returns nil if their content would take more than two, because it packs badly
  /// together.
  private func join(_ left: TextPiece, _ right: TextPiece) throws(IndexError) -> [TextPiece]? {
    var pieces: [TextPiece]
    let packer = store.packer(left.level)
    if left.level == 0 {
      do throws(TextFault) {
        var entries = TextEntries()
        for piece in [left, right] {
          let span = unsafe piece.bytes.span.bytes
          let node = try store.node(span, level: 0)
          var reader = TextRunReader()
          try entries.append(0..<node.keyCount, of: node, span, reader: &reader)
        }
        let packed = self.packed(entries, keepsFull: false)
        if packed.count > 2 { return nil }
        pieces = try self.pieces(of: packed, entries, number: left.number)
      } catch {
        throw store.error(error, node: left.number ?? 0)
      }
      if let separator = right.separator { try store.free(separator) }
    } else {
      var children = unsafe try store.children(
        left.bytes.span.bytes, number: left.number ?? 0, level: left.level)
      var others = unsafe try store.children(
        right.bytes.span.bytes, number: right.number ?? 0, level: left.level)
      others[0].separator = right.separator
      children += others
      pieces = pack(children, level: left.level, keepsFull: false, number: left.number)
      if pieces.count > 2 { return nil }
    }
    pieces[0].separator = left.separator
    if pieces.count > 1 {
      pieces[1].number = right.number
    } else {
      pieces[0].isMeagre = packer.isMeagre(pieces[0].bytes)
      if let number = right.number { try store.free(number) }
    }
    return pieces
  }

  /// Writes the pieces among the items, and returns all items as children.
  private func write(_ items: [Item]) throws(IndexError) -> [TextChild] {
    var children: [TextChild] = []
    children.reserveCapacity(items.count)
    for item in items {
      switch item {
      case .written(let child): children.append(child)
      case .made(let piece): children.append(try store.write(piece))
      }
    }
    return children
  }

  /// Distributes children over inner nodes. The first node takes over `number`.
  func pack(_ children: [TextChild], level: Int, keepsFull: Bool, number: UInt64?) -> [TextPiece] {
    let packed = store.packer(level).pack(children.count, keepsFull: keepsFull) { builder, index, limit in
      let child = children[index]
      if !builder.isEmpty, let separator = child.separator {
        return builder.append(separator, child: child.number, entries: child.entries, limit: limit)
      }
      builder.append(child: child.number, entries: child.entries)
      return true
    }
    return packed.map { node in
      let start = node.range.lowerBound
      return TextPiece(
        separator: children[start].separator, number: start == 0 ? number : nil, level: level,
        entries: node.entries, bytes: node.bytes)
    }
  }
}
