import SatchelModel
import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Moving the window. The asynchronous methods return when the rows have been read and the delegate has been told of
// them.
extension QueryController {
  /// The window in Layer's notation: a number of rows from the top, or a negative number for rows from the bottom. Nil
  /// for all rows, and for a window around an object or a date. Setting a negative number makes a
  /// ``ListWindow/tail(_:)``.
  public var paginationWindow: Int? { window.paginationWindow }

  /// Sets the window in Layer's notation; see ``paginationWindow``.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public func setPaginationWindow(_ rows: Int?) throws { try setWindow(ListWindow(paginationWindow: rows)) }

  /// Sets the window in Layer's notation, and returns when the difference has been delivered to the delegate.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public func setPaginationWindow(_ rows: Int?) async throws {
    try await setWindow(ListWindow(paginationWindow: rows))
  }

  /// Grows the window by a number of rows after its last row, in the order of the list: in an ascending order these are
  /// newer rows. A window that ends at the bottom stays as it is.
  /// - Throws: ``SatchelError`` `invalidValue` for a negative number; or for a closed controller, or if the store cannot be read; the
  ///   window then stays as it is.
  public func loadNext(_ rows: Int) throws {
    try ListWindow.check(growth: rows)
    try change { $0.loadNext(rows) }
  }

  /// Grows the window by a number of rows after its last row, and returns when the difference has been delivered to the
  /// delegate.
  /// - Throws: The same errors as the synchronous form.
  public func loadNext(_ rows: Int) async throws {
    try ListWindow.check(growth: rows)
    try await change { $0.loadNext(rows) }
  }

  /// Grows the window by a number of rows before its first row, in the order of the list: in an ascending order these are
  /// older rows. A window that begins at the top stays as it is.
  /// - Throws: ``SatchelError`` `invalidValue` for a negative number; or for a closed controller, or if the store cannot be read; the
  ///   window then stays as it is.
  public func loadPrevious(_ rows: Int) throws {
    try ListWindow.check(growth: rows)
    try change { $0.loadPrevious(rows) }
  }

  /// Grows the window by a number of rows before its first row, and returns when the difference has been delivered to the
  /// delegate.
  /// - Throws: The same errors as the synchronous form.
  public func loadPrevious(_ rows: Int) async throws {
    try ListWindow.check(growth: rows)
    try await change { $0.loadPrevious(rows) }
  }

  /// Moves the window to an object, with the given numbers of rows before and after it.
  /// - Throws: ``SatchelError`` `invalidValue` for an object that does not exist or that the list does not hold, such as a
  ///   message of another conversation; the window then stays as it is.
  public func loadAround(_ id: Object.ID, before: Int, after: Int) throws {
    try setWindow(.around(id.identifier, before: before, after: after))
  }

  /// Moves the window to an object, and returns when the difference has been delivered to the delegate.
  /// - Throws: The same errors as the synchronous form.
  public func loadAround(_ id: Object.ID, before: Int, after: Int) async throws {
    try await setWindow(.around(id.identifier, before: before, after: after))
  }

  /// Moves the window to a date, with `before` rows before the date and `after` rows from the date on.
  ///
  /// In a list that is sorted by position, the first row at or after the date is looked for among the positions; in a
  /// descending list, the first row at or before the date. A message without a date goes with the row after it.
  /// - Throws: ``SatchelError`` `invalidValue` if the query's first sort key is neither a date nor the position of
  ///   messages; the window then stays as it is.
  /// - Complexity: O(log² n) for n results in the order of positions, if an index has them in order.
  public func loadAround(_ date: Date, before: Int, after: Int) throws {
    try setWindow(.aroundDate(Timestamp(date), before: before, after: after))
  }

  /// Moves the window to a date, and returns when the difference has been delivered to the delegate.
  /// - Throws: The same errors as the synchronous form.
  /// - Complexity: As the synchronous form.
  public func loadAround(_ date: Date, before: Int, after: Int) async throws {
    try await setWindow(.aroundDate(Timestamp(date), before: before, after: after))
  }

  /// True if and only if there are results after the last row of the window.
  public var hasMoreAfter: Bool { list.rowsAfter > 0 }

  /// True if and only if there are results before the first row of the window.
  public var hasMoreBefore: Bool { list.rowsBefore > 0 }
}

extension LiveSpecification {
  fileprivate mutating func loadNext(_ rows: Int) { window = window.grown(by: rows) }

  fileprivate mutating func loadPrevious(_ rows: Int) {
    window = window.grownBackwards(by: rows)
    place = .older(rows)
  }
}
