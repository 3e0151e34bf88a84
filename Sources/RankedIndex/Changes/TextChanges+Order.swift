import SatchelBytes

extension TextChanges {
  /// Returns the changes in the order of their keys and, for one key, of their arrival.
  ///
  /// Many are sorted by words: first by their rows, then by the bytes behind those that all have in common, eight at a time from the last
  /// to the first. What more bytes than that would tell apart is left to a sort by comparisons, which finds most of the order there.
  func inOrder(_ changes: [Change]) -> [Change] {
    guard changes.count > 1, !isOrdered(changes) else { return changes }
    var changes = changes
    if changes.count >= Self.many { sortByWords(&changes) }
    if !isOrdered(changes) {
      // Swift's sort is stable: changes of one key stay in the order in which they were made.
      changes.sort { Self.compare($0, $1, bytes) < 0 }
    }
    return changes
  }

  /// For fewer, comparing costs less than counting.
  private static let many = 64
  /// The most words of a key, behind what all have in common, that are sorted by.
  private static let mostWords = 4

  private func isOrdered(_ changes: [Change]) -> Bool {
    for index in 1..<changes.count where Self.compare(changes[index - 1], changes[index], bytes) > 0 {
      return false
    }
    return true
  }

  private func sortByWords(_ changes: inout [Change]) {
    guard changes.count <= Int(UInt32.max) else { return }
    let all = unsafe bytes.span.bytes
    let first = changes[0].bytes
    var common = first.count
    var longest = 0
    for change in changes {
      let length = change.bytes.count
      longest = max(longest, length)
      common = sharedBytes(
        all, first.lowerBound, all, change.bytes.lowerBound, limit: min(common, length))
    }
    var order = RadixOrder(count: changes.count)
    order.sort(by: changes.map(\.row))
    let words = min(Self.mostWords, (longest - common + 7) / 8)
    for word in (0..<words).reversed() {
      var keys: [UInt64] = []
      keys.reserveCapacity(changes.count)
      for change in changes {
        let start = min(change.bytes.lowerBound + common + 8 * word, change.bytes.upperBound)
        keys.append(all.extracting(start..<change.bytes.upperBound).start)
      }
      order.sort(by: keys)
    }
    changes = order.indices.map { changes[Int($0)] }
  }
}
