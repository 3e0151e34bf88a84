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
  /// for all rows, and for a window around an object or a date.
  public var paginationWindow: Int? { window.paginationWindow }

  /// Sets the window in Layer's notation; see ``paginationWindow``.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public func setPaginationWindow(_ rows: Int?) throws { try setWindow(ListWindow(paginationWindow: rows)) }

  /// Sets the window in Layer's notation, and returns when the difference has been delivered to the delegate.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public func setPaginationWindow(_ rows: Int?) async throws {
    try await setWindow(ListWindow(paginationWindow: rows))
  }

  /// Grows the window by a number of rows after its last row; a window from the bottom grows upwards.
  public func loadNext(_ rows: Int) async throws { try await setWindow(window.grown(by: rows)) }

  /// Grows the window by a number of rows before its first row. A window that begins at the top stays as it is.
  public func loadPrevious(_ rows: Int) async throws { try await setWindow(window.grownBackwards(by: rows)) }

  /// Moves the window to an object, with the given numbers of rows before and after it.
  /// - Throws: ``SatchelError`` `invalidValue` for an object that does not exist; the window then stays as it is.
  public func loadAround(_ id: Object.ID, before: Int, after: Int) async throws {
    try await setWindow(.around(id.rawValue, before: before, after: after))
  }

  /// Moves the window to a date, with `before` rows before the date and `after` rows from the date on.
  /// - Throws: ``SatchelError`` `invalidValue` if the query's first sort key is not a date; the window then stays as it
  ///   is.
  public func loadAround(_ date: Date, before: Int, after: Int) async throws {
    try await setWindow(.aroundDate(Timestamp(date), before: before, after: after))
  }

  /// True if and only if there are results after the last row of the window.
  public var hasMoreAfter: Bool { list.rowsAfter > 0 }

  /// True if and only if there are results before the first row of the window.
  public var hasMoreBefore: Bool { list.rowsBefore > 0 }
}
