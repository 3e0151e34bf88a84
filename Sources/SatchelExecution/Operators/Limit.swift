/// Leaves out the first rows, and ends after a number of rows.
struct Limit {
  private var toSkip: Int
  private var left: Int

  /// - Parameter count: The most rows that are given, at least one; nil for all.
  init(skipping offset: Int, count: Int?) {
    toSkip = offset
    left = count ?? .max
  }

  /// Passes the next row on with `give`, unless it is left out.
  /// - Returns: Whether another row is wanted: false after the last one, and when `give` returns false.
  @inline(__always)
  mutating func pass(_ give: () throws -> Bool) rethrows -> Bool {
    if toSkip > 0 {
      toSkip -= 1
      return true
    }
    left -= 1
    return try give() && left > 0
  }
}
