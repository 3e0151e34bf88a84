internal import RankedKeys

/// The buffered changes of one tree.
enum TreeBuffer {
  case none
  case rows(RowBuffer)
  case texts(TextBuffer)

  var count: Int {
    switch self {
    case .none: 0
    case .rows(let rows): rows.buffer.count
    case .texts(let texts): texts.buffer.count
    }
  }
}

/// The buffered changes of all trees: what one write makes, or what many commits have made, as they are read from their bytes.
///
/// They are in an array indexed by the tree's id: ids are small and dense, and every change of every object passes through
/// this.
package struct ForestBuffer {
  fileprivate var slots: [TreeBuffer] = []
  /// What is pending from commits before; nil if nothing is, or if it has been flushed.
  private(set) var earlier: PendingForest?

  /// No changes.
  package init() {}

  /// - Parameter earlier: What is pending already, from commits before.
  init(over earlier: PendingForest?) {
    self.earlier = earlier
  }

  /// The number of changes of all trees, without what was pending before them. O(trees).
  var count: Int { slots.reduce(0) { $0 + $1.count } }

  /// Returns a copy of the changes, to which others can be added.
  func copy() -> ForestBuffer {
    var copy = ForestBuffer(over: earlier)
    copy.slots = slots.map { changes in
      switch changes {
      case .none: .none
      case .rows(let rows): .rows(RowBuffer(rows.buffer))
      case .texts(let texts): .texts(TextBuffer(texts.buffer))
      }
    }
    return copy
  }

  /// Returns the changes, at most one a key. They say what changes after what was pending before.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  package func folded() throws(IndexError) -> ForestChanges {
    var changes = ForestChanges()
    for slot in slots {
      switch slot {
      case .none: break
      case .rows(let rows):
        let folded = try rows.buffer.folded()
        if folded.count > 0 { changes.rows.append(folded) }
      case .texts(let texts):
        let folded = try texts.buffer.folded()
        if folded.count > 0 { changes.texts.append(folded) }
      }
    }
    return changes
  }

  /// The ids of the trees for which something is pending, in ascending order.
  var trees: [UInt16] {
    let all = 0..<max(slots.count, earlier?.treeCount ?? 0)
    return all.map { UInt16($0) }.filter { id in
      (Int(id) < slots.count && slots[Int(id)].count > 0) || earlier?.has(id) == true
    }
  }

  /// Removes what is pending for a tree and returns it.
  mutating func remove(_ id: UInt16) -> TreeBuffer {
    var changes = Int(id) < slots.count ? slots[Int(id)] : .none
    if case .none = changes {
      if let runs = earlier?.rows(id) { changes = .rows(RowBuffer(Buffer(runs.tree, over: runs))) }
      if let texts = earlier?.texts(id) { changes = .texts(TextBuffer(Buffer(texts.tree, over: texts))) }
    } else {
      slots[Int(id)] = .none
    }
    earlier?.remove(id)
    return changes
  }

  /// Returns what is pending for a numeric tree as runs; nil if nothing is.
  @inline(__always)
  func runs(_ id: UInt16) throws(IndexError) -> Runs<TreeSchema>? {
    if let rows = knownRows(id) { return try rows.buffer.settled() }
    return earlier?.rows(id)
  }

  /// Returns what is pending for a string tree as runs; nil if nothing is.
  @inline(__always)
  func texts(_ id: UInt16) throws(IndexError) -> Runs<TextTreeSchema>? {
    if let texts = knownTexts(id) { return try texts.buffer.settled() }
    return earlier?.texts(id)
  }

  /// Returns what is pending for a string tree as runs, without the changes that nobody has read yet; nil if nothing is.
  func knownTextRuns(_ id: UInt16) -> Runs<TextTreeSchema>? {
    if let texts = knownTexts(id) { return texts.buffer.known }
    return earlier?.texts(id)
  }

  /// Returns the buffer of a numeric tree; nil if it has none.
  @inline(__always)
  func knownRows(_ id: UInt16) -> RowBuffer? {
    if Int(id) < slots.count, case .rows(let rows) = slots[Int(id)] { return rows }
    return nil
  }

  /// Returns the buffer of a string tree; nil if it has none.
  @inline(__always)
  func knownTexts(_ id: UInt16) -> TextBuffer? {
    if Int(id) < slots.count, case .texts(let texts) = slots[Int(id)] { return texts }
    return nil
  }

  /// Returns the buffer of a numeric tree, and creates it if it is missing.
  mutating func rows(_ tree: TreeSchema) -> RowBuffer {
    if let rows = knownRows(tree.id) { return rows }
    let rows = RowBuffer(Buffer(tree, over: earlier?.rows(tree.id)))
    put(.rows(rows), tree.id)
    return rows
  }

  /// Returns the buffer of a string tree, and creates it if it is missing.
  mutating func texts(_ tree: TextTreeSchema) -> TextBuffer {
    if let texts = knownTexts(tree.id) { return texts }
    let texts = TextBuffer(Buffer(tree, over: earlier?.texts(tree.id)))
    put(.texts(texts), tree.id)
    return texts
  }

  private mutating func put(_ changes: TreeBuffer, _ id: UInt16) {
    if slots.isEmpty { slots.reserveCapacity(Self.usualCount) }
    while slots.count <= Int(id) { slots.append(.none) }
    slots[Int(id)] = changes
  }

  /// More than the greatest id of the trees that almost every commit changes.
  private static let usualCount = 64
}

extension PendingForest {
  /// Returns this with all changes of a buffer, which forgets them: the memory of one tree serves what is made of the next.
  /// - Throws: `outOfStep` if a change contradicts what is pending, or another change.
  package func adding(_ changes: ForestBuffer) throws(IndexError) -> PendingForest {
    var result = self
    for slot in changes.slots {
      switch slot {
      case .none: break
      case .rows(let rows): try result.add(rows.buffer.takeSorted(), to: rows.buffer.changes.tree)
      case .texts(let texts): try result.add(texts.buffer.takeSorted(), to: texts.buffer.changes.tree)
      }
    }
    return result
  }
}
