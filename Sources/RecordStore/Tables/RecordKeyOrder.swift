internal import RankedIndex

/// The order of changes by their keys.
package enum RecordKeyOrder {
  /// Returns the indices of the changes in the order of their keys and, for one key, of their arrival.
  package static func indices(of changes: [RecordChange]) -> [UInt32] {
    var isSorted = true
    for index in changes.indices.dropFirst() where changes[index].key < changes[index - 1].key {
      isSorted = false
      break
    }
    if isSorted { return Array(0..<UInt32(changes.count)) }
    // For few, comparing costs less than counting.
    guard changes.count > 64 else {
      return (0..<UInt32(changes.count)).sorted { left, right in
        let (first, second) = (changes[Int(left)].key, changes[Int(right)].key)
        return first == second ? left < right : first < second
      }
    }
    var order = RadixOrder(count: changes.count)
    // The last word first. Keys of one beginning and different lengths are the last ones to tell apart.
    order.sort(by: changes.map { UInt64($0.key.count) })
    order.sort(by: changes.map(\.key.third))
    order.sort(by: changes.map(\.key.second))
    order.sort(by: changes.map(\.key.first))
    return order.indices
  }
}
