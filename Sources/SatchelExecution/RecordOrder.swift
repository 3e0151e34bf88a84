package import SatchelPlanning

/// The order in which the records of messages are best read: by conversation, as they lie in the file. Rows that come
/// by date or creation jump between conversations, and each jump costs a descent and a page that is not in the
/// processor's cache.
package enum RecordOrder {
  /// Returns the indices of the rows, by conversation and otherwise in the given order; nil if the rows already have
  /// that order, or are too few to gain by it.
  /// - Complexity: O(n).
  package static func indices(of rows: [RowReference]) -> [Int]? {
    guard rows.count >= fewest else { return nil }
    var isOrdered = true
    var differing: UInt32 = 0
    var last = rows[0].conversation
    for row in rows {
      if row.conversation < last { isOrdered = false }
      differing |= row.conversation ^ last
      last = row.conversation
    }
    if isOrdered { return nil }
    // By the lower digits first; each pass keeps the order of the previous one among equal digits.
    var indices = Array(rows.indices)
    var next = indices
    for shift in stride(from: 0, to: UInt32.bitWidth, by: digitBits) where differing >> shift & mask != 0 {
      var starts = [Int](repeating: 0, count: Int(mask) + 1)
      for row in rows { starts[Int(row.conversation >> shift & mask)] += 1 }
      var start = 0
      for digit in starts.indices { (starts[digit], start) = (start, start + starts[digit]) }
      for index in indices {
        let digit = Int(rows[index].conversation >> shift & mask)
        next[starts[digit]] = index
        starts[digit] += 1
      }
      swap(&indices, &next)
    }
    return indices
  }

  private static let fewest = 64
  private static let digitBits = 11
  private static var mask: UInt32 { 1 << UInt32(digitBits) - 1 }
}
