internal import RankedKeys

/// The buffered changes of one tree.
enum PendingChanges {
  case none
  case rows(PendingRows)
  case texts(PendingTextRows)

  var count: Int {
    switch self {
    case .none: 0
    case .rows(let rows): rows.count
    case .texts(let texts): texts.count
    }
  }
}

/// The buffered changes of all trees, in an array indexed by the tree's id: ids are small and dense, and every change
/// of every object passes through this table.
struct PendingTable {
  private var slots: [PendingChanges] = []

  /// The number of changes of all trees. O(trees).
  var count: Int { slots.reduce(0) { $0 + $1.count } }

  /// Returns a copy of the changes, to which others can be added.
  func copy() -> PendingTable {
    var copy = PendingTable()
    copy.slots = slots.map { changes in
      switch changes {
      case .none: .none
      case .rows(let rows): .rows(rows.copy())
      case .texts(let texts): .texts(texts.copy())
      }
    }
    return copy
  }

  /// The ids of the trees with changes, in ascending order.
  var trees: [UInt16] { slots.indices.filter { slots[$0].count > 0 }.map { UInt16($0) } }

  /// Removes the changes of a tree and returns them.
  mutating func remove(_ id: UInt16) -> PendingChanges {
    guard Int(id) < slots.count else { return .none }
    let changes = slots[Int(id)]
    if case .none = changes { return changes }
    slots[Int(id)] = .none
    return changes
  }

  /// Returns what is pending for a numeric tree; nil if nothing is.
  @inline(__always)
  func rowsIfAny(_ id: UInt16) -> PendingRows? {
    guard Int(id) < slots.count, case .rows(let rows) = slots[Int(id)] else { return nil }
    return rows
  }

  /// Returns the buffer of a numeric tree, and creates it if it is missing.
  mutating func rows(_ tree: TreeSchema) -> PendingRows {
    if Int(tree.id) < slots.count, case .rows(let rows) = slots[Int(tree.id)] { return rows }
    let rows = PendingRows(tree)
    put(.rows(rows), tree.id)
    return rows
  }

  /// Returns what is pending for a string tree; nil if nothing is.
  @inline(__always)
  func textsIfAny(_ id: UInt16) -> PendingTextRows? {
    guard Int(id) < slots.count, case .texts(let texts) = slots[Int(id)] else { return nil }
    return texts
  }

  /// Returns the buffer of a string tree, and creates it if it is missing.
  mutating func texts(_ tree: TextTreeSchema) -> PendingTextRows {
    if Int(tree.id) < slots.count, case .texts(let texts) = slots[Int(tree.id)] { return texts }
    let texts = PendingTextRows(tree)
    put(.texts(texts), tree.id)
    return texts
  }

  private mutating func put(_ changes: PendingChanges, _ id: UInt16) {
    while slots.count <= Int(id) { slots.append(.none) }
    slots[Int(id)] = changes
  }
}
