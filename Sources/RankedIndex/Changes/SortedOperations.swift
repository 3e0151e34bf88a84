internal import RankedKeys

/// The changes of one numeric tree, sorted by key and, for one key, by arrival. They stay where they are: the order is that of
/// their indices.
struct SortedOperations: SortedChanges {
  typealias Tree = TreeSchema

  private let operations: [Operation]
  private let keyColumns: Int
  /// The number of operations before the first change.
  private let first: Int
  /// The indices of the changes in their order; empty if that is how they came.
  private let order: [UInt32]

  /// - Parameter first: The number of operations to leave out.
  init(_ operations: [Operation], from first: Int, _ tree: TreeSchema) {
    self.operations = operations
    self.first = first
    keyColumns = tree.keyColumns
    order = Self.order(operations, first, keyColumns)
  }

  var count: Int { operations.count &- first }
  var textBytes: Int { 0 }

  @inline(__always)
  private func index(_ change: Int) -> Int { order.isEmpty ? first &+ change : Int(order[change]) }

  @inline(__always)
  func kind(_ change: Int) -> Operation.Kind { operations[index(change)].kind }

  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    Operation.compare(operations[index(left)], operations[index(right)], keyColumns) == 0
  }

  @inline(__always)
  func compare(_ row: Int, of keys: WordKeys, with change: Int) -> Int {
    keys.compare(row, operations[index(change)].row)
  }

  @inline(__always)
  func append(_ change: Int, to keys: WordKeys, behind count: Int) {
    keys.append(operations[index(change)].row, behind: count)
  }

  func words(_ change: Int) -> [UInt64] { (0..<keyColumns).map { operations[index(change)].row[$0] } }

  /// Returns the indices of the changes from `first` on, sorted by key and by arrival if their keys are equal; none if that is
  /// how they came.
  ///
  /// The keys of one transaction are near each other: after the least value of each column is subtracted, all columns
  /// mostly fit one word together. Such words are sorted with the indices of their changes, instead of the rows. What
  /// does not fit the word is compared only if the words are equal.
  private static func order(_ operations: [Operation], _ first: Int, _ keyColumns: Int) -> [UInt32] {
    // More changes than that are refused when they are merged, in whatever order.
    if operations.count > Int(UInt32.max) || areSorted(operations, first, keyColumns) { return [] }
    let indices = UInt32(first)..<UInt32(operations.count)
    func precede(_ left: UInt32, _ right: UInt32) -> Bool {
      let order = Operation.compare(operations[Int(left)], operations[Int(right)], keyColumns)
      return order == 0 ? left < right : order < 0
    }
    guard indices.count >= 16 else { return indices.sorted(by: precede) }
    let packing = Packing(operations[first...], keyColumns: keyColumns)
    var order = indices.map { (key: packing.key(of: operations[Int($0)].row), index: $0) }
    if packing.isExact {
      order.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
    } else {
      order.sort { $0.key == $1.key ? precede($0.index, $1.index) : $0.key < $1.key }
    }
    return order.map { $0.index }
  }

  /// Whether there is nothing to sort, as in changes that come from a tree.
  private static func areSorted(_ operations: [Operation], _ first: Int, _ keyColumns: Int) -> Bool {
    for index in operations.indices[first...].dropFirst()
    where Operation.compare(operations[index - 1], operations[index], keyColumns) > 0 {
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

    init(_ operations: ArraySlice<Operation>, keyColumns: Int) {
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
