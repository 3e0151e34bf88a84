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

extension IndexError {
  /// The error for a change that the tree, or another change, contradicts.
  static func outOfStep(_ tree: TreeSchema, _ row: Words, _ what: String) -> IndexError {
    .outOfStep(tree: tree.id, key: (0..<tree.keyColumns).map { row[$0] }, what: "\(what) in \(tree.name)")
  }
}
