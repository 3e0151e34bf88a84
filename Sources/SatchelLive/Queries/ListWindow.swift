public import SatchelModel

/// Which range of a query's results a controller holds and reports on. The window keeps its size: a row that comes in
/// at one end pushes a row out at the other end.
///
/// A window may be larger than the number of results.
public enum ListWindow: Sendable, Hashable {
  /// All results.
  case all
  /// A number of rows from the top; at least 1.
  case first(Int)
  /// A number of rows from the bottom; at least 1.
  case last(Int)
  /// The object with this identifier, with the given numbers of rows before and after it. The window stays where it is
  /// while rows come and go elsewhere, even if the object itself goes.
  case around(String, before: Int, after: Int)
  /// The given numbers of rows before a date and from the date on. The query's first sort key has to be a date.
  case aroundDate(Timestamp, before: Int, after: Int)

  /// The object with this identifier, with the given numbers of rows before and after it, as ``around(_:before:after:)``
  /// with a string.
  public static func around<Object>(_ id: ObjectID<Object>, before: Int, after: Int) -> ListWindow {
    .around(id.rawValue, before: before, after: after)
  }

  /// Makes a window from Layer's notation: a number of rows from the top, or a negative number for rows from the
  /// bottom; nil for all results.
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

  /// The window in Layer's notation; nil for all results, and for a window around an object or a date.
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
        .invalidValue, "A window holds one row at least, or 0 or more around an object or a date",
        ["window": String(describing: self)])
    }
  }

  /// Returns the same window with more rows; a window around an object or a date grows towards the end.
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

  /// Returns the same window with more rows before it; a window that begins at the top stays as it is.
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
