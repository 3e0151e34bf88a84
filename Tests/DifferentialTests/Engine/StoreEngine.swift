import Foundation
import IndexChurn
import Satchel
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The store, as the engine under test.
///
/// Each query is run on the path that the planner chooses and then on every other path that it considered: all of them
/// have to give the same answer, in the same order.
final class StoreEngine: QueryEngine {
  private let store: MessageStore
  /// True to run every path; false for the chosen one alone.
  private let comparesPaths: Bool
  /// How many paths have been run beside the chosen ones.
  private(set) var pathsCompared = 0
  /// How many of those were of declared indexes.
  private(set) var declaredCompared = 0
  private(set) var indexes: DeclaredIndexes?

  /// - Parameter indexSeed: The seed of the indexes that are declared and dropped between queries; nil for none.
  init(_ store: MessageStore, comparesPaths: Bool, indexSeed: UInt64? = nil) {
    self.store = store
    self.comparesPaths = comparesPaths
    indexes = indexSeed.map { DeclaredIndexes(seed: $0) }
  }

  func run(_ query: GeneratedQuery) throws -> EngineAnswer {
    try indexes?.come(after: Self.description(of: query), to: store, onceIn: 12)
    return try store.read { try run(query, on: $0) }
  }

  /// Runs a query on a snapshot at hand, such as that of a write.
  func run(_ query: GeneratedQuery, on snapshot: StoreSnapshot) throws -> EngineAnswer {
    let description = try Self.description(of: query)
    if query.select == .groups { return .identifiers(try Self.groups(description, query, snapshot)) }
    let executor = snapshot.executor
    let plan = try executor.plan(executor.question(description, isCount: query.select == .count))
    let answer = try Self.answer(plan, query, executor)
    if comparesPaths {
      let all = try executor.plan(plan.question, exhaustive: true)
      for place in all.paths.indices {
        let other = try Self.answer(all.choosing(place), query, executor)
        pathsCompared += 1
        if case .textScan(let scan) = all.paths[place].source, scan.declaredIndex != nil {
          declaredCompared += 1
        }
        if let difference = DifferentialRun.difference(answer, .success(other)) {
          throw PathDifference(
            chosen: all.chosen, other: place, difference: difference, plan: all.explanation)
        }
      }
    }
    return answer
  }

  private static func answer(_ plan: Plan, _ query: GeneratedQuery, _ executor: Executor) throws
    -> EngineAnswer
  {
    switch query.select {
    case .count: return .count(try executor.count(plan))
    case .identifiers, .groups:
      var identifiers: [String] = []
      try executor.forEach(plan) { row in
        identifiers.append(try executor.identifier(of: row, plan.question.kind))
        return true
      }
      return .identifiers(identifiers)
    }
  }

  private static func groups(
    _ description: QueryDescription, _ query: GeneratedQuery, _ snapshot: StoreSnapshot
  ) throws -> [String] {
    let clocks = query.clocks
    let groups = GroupingDescription(
      property: try SatchelQuery.SortKey(query.countedBy ?? "").path,
      periods: clocks.map { clocks in CalendarPeriods(.day) { _ in clocks } })
    let counts = try snapshot.counts(of: description, by: groups)
    // The results may come in another order than a count needs, but they are as many.
    let total = counts.reduce(0) { $0 + $1.count }
    let number = try snapshot.count(description)
    guard total == number else { throw QueryError("\(total) in groups, but \(number) results") }
    return counts.map { group, count in
      switch group {
      case .null: GroupText.missing(count)
      case .boolean(let flag): GroupText.boolean(flag, count)
      case .integer(let number): GroupText.number(number, count)
      case .number(let number): GroupText.number(number, count)
      case .text(let text): GroupText.text(text, count)
      case .date(let date): GroupText.date(date.microseconds, count)
      case .reference(let reference):
        GroupText.reference(
          ModelReference(type: ByteString(reference.type), name: ByteString(reference.name)), count)
      }
    }
  }

  private static func description(of query: GeneratedQuery) throws -> QueryDescription {
    // What is the name of no other kind is that of a record type.
    let builtIn = SatchelModel.ObjectKind(rawValue: query.kind)
    let kind = builtIn ?? .records
    var description = QueryDescription(
      kind: kind, predicate: try query.predicate.map { try QueryPredicate(format: $0) } ?? .true,
      sort: try query.sort.map { try SatchelQuery.SortKey($0) }, limit: query.limit,
      offset: query.offset ?? 0,
      anchor: query.anchor.map(Self.anchor))
    if builtIn == nil { description.recordType = query.kind }
    description.membersOf = query.membersOf.map { Conversation.ID($0) }
    // A query for records is asked as a program has it that has kept it.
    if builtIn == nil {
      description = try JSONDecoder().decode(QueryDescription.self, from: JSONEncoder().encode(description))
    }
    return description
  }
}

extension StoreEngine {
  private static func anchor(_ anchor: ExpectedAnchor) -> QueryAnchor {
    switch anchor {
    case .after(let identifier): .after(identifier)
    case .before(let identifier): .before(identifier)
    case .around(let identifier, let before, let after): .around(identifier, before: before, after: after)
    case .aroundDate(let date, let before, let after):
      .aroundDate(SatchelModel.Timestamp(microseconds: date), before: before, after: after)
    }
  }
}

/// Two paths to one query's answer that do not agree.
struct PathDifference: Error, CustomStringConvertible {
  let chosen: Int
  let other: Int
  let difference: String
  let plan: String

  var description: String { "paths \(chosen) (model's side) and \(other) differ: \(difference)\n\(plan)" }
}
