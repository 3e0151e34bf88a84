internal import RankedKeys

/// The changes of one numeric tree, sorted by key and, for one key, by arrival.
struct SortedOperations: SortedChanges {
  typealias Tree = TreeSchema

  private let operations: [Operation]
  private let keyColumns: Int

  init(_ operations: [Operation], _ tree: TreeSchema) {
    self.operations = Self.sort(operations, keyColumns: tree.keyColumns)
    keyColumns = tree.keyColumns
  }

  var count: Int { operations.count }
  var textBytes: Int { 0 }

  @inline(__always)
  func kind(_ change: Int) -> Operation.Kind { operations[change].kind }

  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    operations[left].row.compare(operations[right].row, columns: keyColumns) == 0
  }

  @inline(__always)
  func compare(_ row: Int, of keys: WordKeys, with change: Int) -> Int {
    for column in 0..<keyColumns {
      let (left, right) = (keys.word(row, column), operations[change].row[column])
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  @inline(__always)
  func append(_ change: Int, to keys: WordKeys, behind count: Int) {
    keys.append(operations[change].row, behind: count)
  }

  func words(_ change: Int) -> [UInt64] { (0..<keyColumns).map { operations[change].row[$0] } }

  /// Returns the changes sorted by key, and by arrival if their keys are equal.
  ///
  /// The keys of one transaction are near each other: after the least value of each column is subtracted, all columns
  /// mostly fit one word together. Such words are sorted with the indices of their changes, instead of the rows. What
  /// does not fit the word is compared only if the words are equal.
  static func sort(_ operations: [Operation], keyColumns: Int) -> [Operation] {
    if isSorted(operations, keyColumns: keyColumns) { return operations }
    guard operations.count >= 16, operations.count <= Int(UInt32.max) else {
      return operations.sorted { Operation.precedes($0, $1, keyColumns: keyColumns) }
    }
    let packing = Packing(operations, keyColumns: keyColumns)
    var order: [(key: UInt64, index: UInt32)] = []
    order.reserveCapacity(operations.count)
    for index in operations.indices {
      order.append((packing.key(of: operations[index].row), UInt32(truncatingIfNeeded: index)))
    }
    if packing.isExact {
      order.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
    } else {
      order.sort {
        $0.key == $1.key
          ? Operation.precedes(operations[Int($0.index)], operations[Int($1.index)], keyColumns: keyColumns)
          : $0.key < $1.key
      }
    }
    var sorted: [Operation] = []
    sorted.reserveCapacity(operations.count)
    for entry in order { sorted.append(operations[Int(entry.index)]) }
    return sorted
  }

  /// Whether there is nothing to sort, as in changes that were folded before.
  private static func isSorted(_ operations: [Operation], keyColumns: Int) -> Bool {
    for index in operations.indices.dropFirst()
    where !Operation.precedes(operations[index - 1], operations[index], keyColumns: keyColumns) {
      return false
    }
    return true
  }

  /// The way in which keys become words: a lesser key has a lesser or equal word.
  private struct Packing {
    private var least = Words(repeating: .max)
    /// For each column: its bits in the word, and how many of its lowest bits are left out.
    private var widths = Words()
    private var dropped = Words()
    private var columns = 0
    /// Whether different keys always have different words.
    private(set) var isExact = true

    init(_ operations: [Operation], keyColumns: Int) {
      var greatest = Words()
      for operation in operations {
        for column in 0..<keyColumns {
          let word = operation.row[column]
          if word < least[column] { least[column] = word }
          if word > greatest[column] { greatest[column] = word }
        }
      }
      var room: UInt64 = 64
      for column in 0..<keyColumns {
        let width = UInt64(64 - (greatest[column] &- least[column]).leadingZeroBitCount)
        guard room > 0 || width == 0 else {
          isExact = false
          break
        }
        widths[column] = min(width, room)
        dropped[column] = width - min(width, room)
        if dropped[column] > 0 { isExact = false }
        room -= min(width, room)
        columns = column + 1
      }
    }

    @inline(__always)
    func key(of row: Words) -> UInt64 {
      var key: UInt64 = 0
      for column in 0..<columns {
        // A shift by all 64 bits gives zero.
        key = key << widths[column] | (row[column] &- least[column]) >> dropped[column]
      }
      return key
    }
  }
}
