/// Puts changes in the order of their keys.
enum SortedOperations {
  /// Changes by key, those of one key by arrival.
  ///
  /// The keys of one transaction are near each other: less the least of each column, their columns mostly fit one word
  /// together. So words are sorted, with the places of the changes that they stand for, instead of rows; what does not
  /// fit is compared only where the words are equal.
  static func sort(_ operations: [Operation], keyColumns: Int) -> [Operation] {
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
    for place in order { sorted.append(operations[Int(place.index)]) }
    return sorted
  }

  /// How keys become words that are in the same order, or equal.
  private struct Packing {
    private var least = Words(repeating: .max)
    /// The bits of each column in the word, and how many of its lowest are left out.
    private var widths = Words()
    private var dropped = Words()
    private var columns = 0
    /// Whether different keys are different words.
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
