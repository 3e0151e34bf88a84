import SatchelIndexing
import SatchelModel
import SatchelQuery
import SatchelRecords

/// Puts the users who are related to another one in the place of conditions that ask for them: then the conditions are such as any on user
/// ids. One stays as it is if there are very many of these users, and is tested by a look-up of their edges.
struct RelationResolver {
  private let source: any PlanningSource
  private let limit: Int
  /// Whether a condition has stayed.
  private(set) var hasMore = false

  init(_ source: any PlanningSource, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Returns a condition that the same objects meet, as long as no relation changes.
  mutating func resolve(_ condition: Condition) throws -> Condition {
    switch condition {
    case .always, .never, .pair, .elements: return condition
    case .all(let list): return try .conjunction(list.map { try resolve($0) })
    case .any(let list): return try .disjunction(list.map { try resolve($0) })
    case .test(let test):
      guard case .related(let users) = test.values else { return condition }
      guard let ids = try source.ids(of: users, limit: limit) else {
        hasMore = true
        return condition
      }
      return test.asking(for: ids)
    }
  }
}

extension Test {
  /// Returns the condition that the user is one of these, or none of them if the test is negated.
  fileprivate func asking(for ids: [[UInt8]]) -> Condition {
    switch property.type {
    case .participants:
      guard !ids.isEmpty else { return isNegated ? .always : .never }
      let users = ids.map { Identity.ID(String(decoding: $0, as: UTF8.self)) }.sorted()
      return .test(Test(property, .participants(.overlaps(users)), isNegated: isNegated))
    case .custom:
      let points = ids.map { [ValueKey.Tag.reference] + Reference.identityPrefix + $0 }
      return .test(
        property, .text(.ranges(ByteRanges(points: points)), missing: false), complemented: isNegated)
    default:
      return .test(property, .text(.ranges(ByteRanges(points: ids)), missing: false), complemented: isNegated)
    }
  }
}
