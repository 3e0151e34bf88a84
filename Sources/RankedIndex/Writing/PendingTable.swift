/// The buffered changes of one tree.
enum PendingChanges {
  case none
  case rows(PendingRows)
  case texts(PendingTextChanges)

  var count: Int {
    switch self {
    case .none: 0
    case .rows(let rows): rows.count
    case .texts(let texts): texts.count
    }
  }
}

/// The buffered changes of all trees, by the tree's id: ids are small and dense, and every change of every object comes
/// by here.
struct PendingTable {
  private var slots: [PendingChanges] = []

  /// All changes; counts the trees' own.
  var count: Int { slots.reduce(0) { $0 + $1.count } }

  /// The same changes, to add others to.
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

  /// The trees with changes, by ascending id.
  var trees: [UInt16] { slots.indices.filter { slots[$0].count > 0 }.map { UInt16($0) } }

  /// Takes the changes of a tree out.
  mutating func remove(_ id: UInt16) -> PendingChanges {
    guard Int(id) < slots.count else { return .none }
    let changes = slots[Int(id)]
    if case .none = changes { return changes }
    slots[Int(id)] = .none
    return changes
  }

  /// The buffer of a numeric tree, made when it is missing.
  mutating func rows(_ tree: TreeSchema) -> PendingRows {
    if Int(tree.id) < slots.count, case .rows(let rows) = slots[Int(tree.id)] { return rows }
    let rows = PendingRows(tree)
    put(.rows(rows), tree.id)
    return rows
  }

  /// The buffer of a string tree, made when it is missing.
  mutating func texts(_ tree: TextTreeSchema) -> PendingTextChanges {
    if Int(tree.id) < slots.count, case .texts(let texts) = slots[Int(tree.id)] { return texts }
    let texts = PendingTextChanges(tree)
    put(.texts(texts), tree.id)
    return texts
  }

  private mutating func put(_ changes: PendingChanges, _ id: UInt16) {
    while slots.count <= Int(id) { slots.append(.none) }
    slots[Int(id)] = changes
  }
}
