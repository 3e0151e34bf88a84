public import SatchelModel

/// Which stretch of a query's results a controller holds and reports on. It keeps its size: a row that comes in at one
/// end pushes one out at the other.
///
/// A stretch longer than the results is harmless.
public enum ListWindow: Sendable, Hashable {
  /// Everything.
  case all
  /// So many from the top; 1 at least.
  case first(Int)
  /// So many from the bottom; 1 at least.
  case last(Int)
  /// The object of an identifier with so many rows before and after it. The window stays where it is while rows come
  /// and go elsewhere, even when the object itself goes.
  case around(String, before: Int, after: Int)
  /// So many rows before a date and so many from it on. The query's first sort key has to be a date.
  case aroundDate(Timestamp, before: Int, after: Int)

  /// Layer's spelling: so many from the top, with a negative number from the bottom; nil for everything.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public init(paginationWindow: Int?) throws {
    switch paginationWindow {
    case nil: self = .all
    case 0?:
      throw SatchelError(
        .invalidValue, "A pagination window holds one row at least; nil holds all", ["window": "0"])
    case let rows? where rows > 0: self = .first(rows)
    case let rows?: self = .last(rows == .min ? .max : -rows)
    }
  }

  /// Layer's spelling of the window; nil for everything and for a window around a place.
  public var paginationWindow: Int? {
    switch self {
    case .first(let rows): rows
    case .last(let rows): rows == .min ? .max : -rows
    case .all, .around, .aroundDate: nil
    }
  }

  func check() throws {
    let isValid =
      switch self {
      case .all: true
      case .first(let rows), .last(let rows): rows >= 1
      case .around(_, let before, let after), .aroundDate(_, let before, let after): before >= 0 && after >= 0
      }
    guard isValid else {
      throw SatchelError(
        .invalidValue, "A window holds one row at least, or 0 or more around a place",
        ["window": String(describing: self)])
    }
  }

  /// The same window with more rows; one around a place grows towards the end.
  func grown(by rows: Int) -> ListWindow {
    switch self {
    case .all: self
    case .first(let count): .first(Self.sum(count, rows, atLeast: 1))
    case .last(let count): .last(Self.sum(count, rows, atLeast: 1))
    case .around(let id, let before, let after):
      .around(id, before: before, after: Self.sum(after, rows, atLeast: 0))
    case .aroundDate(let date, let before, let after):
      .aroundDate(date, before: before, after: Self.sum(after, rows, atLeast: 0))
    }
  }

  /// The same window with more rows before it; one that begins at the top has none.
  func grownBackwards(by rows: Int) -> ListWindow {
    switch self {
    case .all, .first: self
    case .last: grown(by: rows)
    case .around(let id, let before, let after):
      .around(id, before: Self.sum(before, rows, atLeast: 0), after: after)
    case .aroundDate(let date, let before, let after):
      .aroundDate(date, before: Self.sum(before, rows, atLeast: 0), after: after)
    }
  }

  private static func sum(_ left: Int, _ right: Int, atLeast least: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right > 0 ? .max : least) : max(least, sum)
  }
}
