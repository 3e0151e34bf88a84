import SatchelExecution
import SatchelPlanning
import SatchelReading

/// The results of a live query, in one of three forms.
enum ResultSet: Sendable {
  /// Runs of an index that has the results in order.
  case indexed(IndexedResult)
  /// References and sort values of all results.
  case held(HeldResult)
  /// The one object of an observer.
  case object(ObservedObject)
  /// Nothing, for the moment in which held results are brought up to date.
  case none

  /// The only conversation by whose changes results can come and go; nil if there may be others, or if records matter.
  var onlyConversation: UInt32? {
    let conversations: Set<UInt32>? =
      switch self {
      case .indexed(let result): result.namedConversations
      case .held(let result): result.namedConversations
      case .object, .none: nil
      }
    guard let conversations, conversations.count == 1 else { return nil }
    return conversations.first
  }

  /// Returns the number of results.
  func total(in snapshot: Snapshot) throws -> Int {
    switch self {
    case .indexed(let result): try result.total(in: snapshot)
    case .held(let result): result.total
    case .object(let object): object.row == nil ? 0 : 1
    case .none: 0
    }
  }

  /// Returns the rows with the given ranks; `total` is the number of results.
  func rows(in ranks: Range<Int>, total: Int, _ executor: Executor) throws -> [RowReference] {
    switch self {
    case .indexed(let result): try result.rows(in: ranks, total: total, executor)
    case .held(let result): result.rows(in: ranks)
    case .object(let object): ranks.contains(0) ? object.row.map { [$0] } ?? [] : []
    case .none: []
    }
  }

  /// Returns how many results come before a row, which need not be one; `total` is the number of results.
  func rank(of row: SortRow, total: Int, _ executor: Executor) throws -> Int {
    switch self {
    case .indexed(let result): try total - executor.count(result.plan, from: .at(row))
    case .held(let result): result.rank(of: row)
    case .object, .none: 0
    }
  }

  /// Returns the rows around a point in the order, and how many results come before the first of these rows.
  func rows(
    around point: OrderPoint, before: Int, after: Int, total: Int, _ executor: Executor
  ) throws -> (start: Int, rows: [RowReference]) {
    switch self {
    case .indexed(let result):
      try result.rows(around: point, before: before, after: after, total: total, executor)
    case .held(let result): result.rows(around: point, before: before, after: after)
    case .object, .none: (0, [])
    }
  }

  /// Applies changes to held results, in place.
  mutating func apply(_ changes: [HeldResult.Change]) {
    guard case .held(var result) = self else { return }
    self = .none
    result.apply(changes)
    self = .held(result)
  }
}
