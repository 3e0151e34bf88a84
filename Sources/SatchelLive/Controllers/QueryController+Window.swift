import SatchelModel
import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Moving the window. Each of these returns when the rows are there and the delegate has been told of them.
extension QueryController {
  /// Layer's spelling of the window: so many rows from the top, with a negative number from the bottom; nil for all,
  /// and for a window around a place.
  public var paginationWindow: Int? { window.paginationWindow }

  /// Sets the window in Layer's spelling.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public func setPaginationWindow(_ rows: Int?) throws { try setWindow(ListWindow(paginationWindow: rows)) }

  /// Sets the window in Layer's spelling, and returns when the difference has been delivered.
  public func setPaginationWindow(_ rows: Int?) async throws {
    try await setWindow(ListWindow(paginationWindow: rows))
  }

  /// Grows the window by rows after its last one; one from the bottom grows upwards.
  public func loadNext(_ rows: Int) async throws { try await setWindow(window.grown(by: rows)) }

  /// Grows the window by rows before its first one. A window that begins at the top has none, and stays.
  public func loadPrevious(_ rows: Int) async throws { try await setWindow(window.grownBackwards(by: rows)) }

  /// Moves the window to an object, with so many rows before and after it.
  /// - Throws: ``SatchelError`` `invalidValue` for an object that does not exist; the window stays then.
  public func loadAround(_ id: Object.ID, before: Int, after: Int) async throws {
    try await setWindow(.around(id.rawValue, before: before, after: after))
  }

  /// Moves the window to a date, with so many rows before it and so many from it on.
  /// - Throws: ``SatchelError`` `invalidValue` where the query's first sort key is no date.
  public func loadAround(_ date: Date, before: Int, after: Int) async throws {
    try await setWindow(.aroundDate(Timestamp(date), before: before, after: after))
  }

  /// True exactly when there are results behind the last row of the window.
  public var hasMoreAfter: Bool { list.rowsAfter > 0 }

  /// True exactly when there are results before the first row of the window.
  public var hasMoreBefore: Bool { list.rowsBefore > 0 }
}
