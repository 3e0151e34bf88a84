public import SatchelModel

/// Which range of a query's results a controller holds and reports on.
///
/// A ``tail(_:)`` grows with the rows that arrive: it is the window for a conversation. All other windows keep their
/// size: a row that comes in at one end pushes a row out at the other end. A window may be larger than the number of
/// results.
public enum ListWindow: Sendable, Hashable {
  /// All results.
  case all
  /// A number of rows from the top; at least 1.
  case first(Int)
  /// The last rows, at first so many; at least 1. The window hangs on its oldest row: rows that arrive after it make the
  /// window larger, so that nothing that a reader sees is pushed out; rows that are deleted make it smaller, and no
  /// older row is pulled in. When all of its rows are gone, it begins again with the last rows.
  ///
  /// While the query has fewer results than the number, the window is all of them, wherever rows arrive. To make a
  /// window that has grown small again, set it again.
  case tail(Int)
  /// So many rows from the bottom; at least 1. Each row that arrives pushes the oldest one out: for the few newest rows
  /// of a list that nobody scrolls.
  case last(Int)
  /// The object with this identifier, with the given numbers of rows before and after it. The window stays where it is
  /// while rows come and go elsewhere, even if the object itself goes.
  case around(String, before: Int, after: Int)
  /// The given numbers of rows before a date and from the date on. The query's first sort key has to be a date, or the
  /// position of messages: the first row at or after the date is then found among the positions, in O(log² n) if an
  /// index has the results in order, and the window stays with that row.
  case aroundDate(Timestamp, before: Int, after: Int)

  /// The object with this identifier, with the given numbers of rows before and after it, as ``around(_:before:after:)``
  /// with a string.
  public static func around(_ id: some StoredIdentifier, before: Int, after: Int) -> ListWindow {
    .around(id.identifier, before: before, after: after)
  }

  /// Makes a window from Layer's notation: a number of rows from the top, or a negative number for rows from the
  /// bottom, which is a ``tail(_:)``; nil for all results.
  /// - Throws: ``SatchelError`` `invalidValue` for zero.
  public init(paginationWindow: Int?) throws {
    switch paginationWindow {
    case nil: self = .all
    case 0?:
      throw SatchelError(
        .invalidValue, "A pagination window holds one row at least; nil holds all", ["window": "0"])
    case let rows? where rows > 0: self = .first(rows)
    case let rows?: self = .tail(rows == .min ? .max : -rows)
    }
  }

  /// The window in Layer's notation; nil for all results, and for a window around an object or a date.
  public var paginationWindow: Int? {
    switch self {
    case .first(let rows): rows
    case .tail(let rows), .last(let rows): rows == .min ? .max : -rows
    case .all, .around, .aroundDate: nil
    }
  }

  func check() throws {
    let isValid =
      switch self {
      case .all: true
      case .first(let rows), .tail(let rows), .last(let rows): rows >= 1
      case .around(_, let before, let after), .aroundDate(_, let before, let after): before >= 0 && after >= 0
      }
    guard isValid else {
      throw SatchelError(
        .invalidValue, "A window holds one row at least, or 0 or more around an object or a date",
        ["window": String(describing: self)])
    }
  }

  /// True if the window lies at an object or a date, and not at an end of the list.
  var liesAtAPoint: Bool {
    switch self {
    case .around, .aroundDate: true
    case .all, .first, .tail, .last: false
    }
  }

  /// Returns the same window with more rows after its last row; a window that ends at the bottom stays as it is.
  func grown(by rows: Int) -> ListWindow {
    switch self {
    case .all, .tail, .last: self
    case .first(let count): .first(Self.sum(count, rows))
    case .around(let id, let before, let after):
      .around(id, before: before, after: Self.sum(after, rows))
    case .aroundDate(let date, let before, let after):
      .aroundDate(date, before: before, after: Self.sum(after, rows))
    }
  }

  /// Returns the same window with more rows before its first row; a window that begins at the top stays as it is. Where
  /// a tail begins is no part of the window: see ``LiveSpecification/Place``.
  func grownBackwards(by rows: Int) -> ListWindow {
    switch self {
    case .all, .first, .tail: self
    case .last(let count): .last(Self.sum(count, rows))
    case .around(let id, let before, let after):
      .around(id, before: Self.sum(before, rows), after: after)
    case .aroundDate(let date, let before, let after):
      .aroundDate(date, before: Self.sum(before, rows), after: after)
    }
  }

  /// Checks by how many rows a window is to grow.
  static func check(growth rows: Int) throws {
    guard rows >= 0 else {
      throw SatchelError(
        .invalidValue, "A window grows by 0 rows or more; setWindow makes it smaller", ["rows": String(rows)])
    }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
