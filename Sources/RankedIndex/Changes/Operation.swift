internal import RankedKeys

/// One buffered change of a numeric tree.
struct Operation {
  enum Kind: UInt8 {
    case insert = 0
    case remove = 1
    case replace = 2
  }

  let kind: Kind
  let row: Words

  init(_ kind: Kind, _ row: Words) {
    self.kind = kind
    self.row = row
  }

  /// Compares the keys. The result is negative, 0 or positive.
  @inline(__always)
  static func compare(_ left: borrowing Operation, _ right: borrowing Operation, _ keyColumns: Int) -> Int {
    for column in 0..<keyColumns {
      let first = left.row[column]
      let second = right.row[column]
      if first != second { return first < second ? -1 : 1 }
    }
    return 0
  }
}

extension IndexError {
  /// The error for a change that the tree, or another change, contradicts.
  static func outOfStep(_ tree: TreeSchema, _ row: Words, _ what: String) -> IndexError {
    .outOfStep(tree: tree.id, key: (0..<tree.keyColumns).map { row[$0] }, what: "\(what) in \(tree.name)")
  }
}
