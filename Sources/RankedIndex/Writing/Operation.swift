internal import RankedKeys

/// One buffered change of a numeric tree.
struct Operation {
  enum Kind: UInt64 {
    case insert = 0
    case remove = 1
    case replace = 2
  }

  var row: Words
  /// The order of arrival, with the kind in the lowest two bits.
  private var tag: UInt64

  init(_ kind: Kind, _ row: Words, order: Int) {
    self.row = row
    tag = UInt64(order) << 2 | kind.rawValue
  }

  var kind: Kind {
    get {
      switch tag & 3 {
      case 0: .insert
      case 1: .remove
      default: .replace
      }
    }
    set { tag = tag & ~3 | newValue.rawValue }
  }

  /// Whether `left` comes before `right`: by key, then by arrival.
  @inline(__always)
  static func precedes(_ left: borrowing Operation, _ right: borrowing Operation, keyColumns: Int) -> Bool {
    for column in 0..<keyColumns {
      let first = left.row[column]
      let second = right.row[column]
      if first != second { return first < second }
    }
    return left.tag < right.tag
  }
}

/// The buffered changes of one numeric tree, in order of arrival.
final class PendingRows {
  let tree: TreeSchema
  /// Unchecked because every change is appended here; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var operations: [Operation] = []

  init(_ tree: TreeSchema) {
    self.tree = tree
  }

  var count: Int { operations.count }

  /// Returns a copy of the changes, to which others can be added.
  func copy() -> PendingRows {
    let rows = PendingRows(tree)
    rows.operations = operations
    return rows
  }

  /// Reserves memory for `count` changes, if there are none yet: these are then taken to be most of all changes.
  func reserve(_ count: Int) {
    if operations.isEmpty { operations.reserveCapacity(count) }
  }

  func append(_ kind: Operation.Kind, _ row: Words) {
    operations.append(Operation(kind, row, order: operations.count))
  }

  /// Merges the changes into the tree and updates the forest's directory. Called once.
  func apply(to forest: Forest) throws(IndexError) {
    let sorted = try Self.fold(operations, tree)
    operations = []
    guard !sorted.isEmpty else { return }
    var update = TreeUpdate(forest.store, tree, try forest.directory.record(tree.id, kind: NodeKind.numeric))
    try update.apply(sorted)
    forest.directory.set(update.record)
  }

  /// Combines the changes of each key, in the order of arrival, into at most one change. Returns these sorted by key.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  static func fold(_ operations: [Operation], _ tree: TreeSchema) throws(IndexError) -> [Operation] {
    let columns = tree.keyColumns
    var sorted = operations
    var isSorted = true
    for index in sorted.indices.dropFirst()
    where !Operation.precedes(sorted[index - 1], sorted[index], keyColumns: columns) {
      isSorted = false
      break
    }
    if !isSorted { sorted = SortedOperations.sort(operations, keyColumns: columns) }
    var kept = 0
    var index = 0
    while index < sorted.count {
      var change: Operation? = sorted[index]
      let first = sorted[index]
      index += 1
      // The kind of the first change shows whether the key was present before.
      while index < sorted.count, sorted[index].row.compare(first.row, columns: columns) == 0 {
        change = try follow(first.kind, change, sorted[index], tree)
        index += 1
      }
      if let change {
        sorted[kept] = change
        kept += 1
      }
    }
    sorted.removeSubrange(kept...)
    return sorted
  }

  /// Combines `change`, the combination of a key's changes so far, with the key's next change. `first` is the kind of
  /// the key's first change. Returns nil if no change is left.
  private static func follow(
    _ first: Operation.Kind, _ change: Operation?, _ next: Operation, _ tree: TreeSchema
  ) throws(IndexError) -> Operation? {
    var result = next
    let isPresent = change.map { $0.kind != .remove } ?? false
    switch next.kind {
    case .insert:
      guard !isPresent else { throw outOfStep(tree, next.row, "inserted twice") }
      result.kind = first == .insert ? .insert : .replace
    case .remove:
      guard isPresent else { throw outOfStep(tree, next.row, "removed twice") }
      if first == .insert { return nil }
    case .replace:
      guard isPresent else { throw outOfStep(tree, next.row, "replaced after it was removed") }
      result.kind = first == .insert ? .insert : .replace
    }
    return result
  }

  static func outOfStep(_ tree: TreeSchema, _ row: Words, _ what: String) -> IndexError {
    .outOfStep(tree: tree.id, key: (0..<tree.keyColumns).map { row[$0] }, what: "\(what) in \(tree.name)")
  }
}
