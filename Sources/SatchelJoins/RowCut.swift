/// A bound between two objects in the order of their creation.
package struct RowCut {
  private let sequence: UInt64
  private let isAfter: Bool

  /// - Parameters:
  ///   - sequence: That of an object.
  ///   - isAfter: Whether the bound is behind the object.
  package init(sequence: UInt64, isAfter: Bool) {
    self.sequence = sequence
    self.isAfter = isAfter
  }

  /// Returns the sequence from which on a scan gives objects; nil if none is on its side of the bound.
  fileprivate func first(descending: Bool) -> UInt64? {
    guard descending else { return !isAfter ? sequence : sequence < .max ? sequence + 1 : nil }
    return isAfter ? sequence : sequence > 0 ? sequence - 1 : nil
  }
}

extension SearchStream {
  /// Moves to the first row behind a bound.
  package func begin(at cut: RowCut, descending: Bool) throws {
    try advance(
      to: cut.first(descending: descending).map { $0 ^ Self.mask(descending: descending) } ?? Self.end)
  }
}
