import SatchelExecution
import SatchelPlanning
import SatchelStorage

/// The results of a live query, in one of two ways.
enum ResultSet: Sendable {
  /// By runs of an index that has them in order.
  case indexed(IndexedResult)
  /// By references and sort values of all of them.
  case held(HeldResult)
  /// For the moment in which held ones are brought up to date.
  case none

  /// The conversation whose messages alone can be results; nil where there may be others.
  var onlyConversation: UInt32? {
    let conversations: Set<UInt32>? =
      switch self {
      case .indexed(let result): result.namedConversations
      case .held(let result): result.namedConversations
      case .none: nil
      }
    guard let conversations, conversations.count == 1 else { return nil }
    return conversations.first
  }

  /// How many there are.
  func total(in snapshot: Snapshot) throws -> Int {
    switch self {
    case .indexed(let result): try result.total(in: snapshot)
    case .held(let result): result.total
    case .none: 0
    }
  }

  /// The rows at some places of their order; `total` is how many there are.
  func rows(in places: Range<Int>, total: Int, _ executor: Executor) throws -> [RowReference] {
    switch self {
    case .indexed(let result): try result.rows(in: places, total: total, executor)
    case .held(let result): result.rows(in: places)
    case .none: []
    }
  }

  /// The rows around a place, and how many results come before the first of them.
  func rows(
    around place: ListPlace, before: Int, after: Int, total: Int, _ executor: Executor
  ) throws -> (start: Int, rows: [RowReference]) {
    switch self {
    case .indexed(let result):
      try result.rows(around: place, before: before, after: after, total: total, executor)
    case .held(let result): result.rows(around: place, before: before, after: after)
    case .none: (0, [])
    }
  }

  /// Changes held results in place.
  mutating func apply(_ changes: [HeldResult.Change]) {
    guard case .held(var result) = self else { return }
    self = .none
    result.apply(changes)
    self = .held(result)
  }
}
