import SatchelIndexing
import SatchelModel
import SatchelQuery

/// Puts references in the place of conditions on what records refer to: to the objects that meet them, which a question of its own finds.
/// In the place of conditions on what conversations are to the store's user it puts the identifiers of the conversations.
/// What reads an index or tests a record then meets conditions on the record's own fields only. A condition stays as it is if very many
/// objects meet it.
struct ReferenceResolver {
  private let source: any PlanningSource
  /// How many results are wanted; nil if that is not known, or all are.
  private let wanted: Int?
  /// Whether a condition has stayed only because few results are wanted.
  private(set) var hasMore = false
  /// How many more conditions may be resolved.
  private var room = 64
  /// The shares of the objects that meet the conditions that have stayed, as far as they are known.
  private(set) var shares: [Test: Double] = [:]

  init(_ source: any PlanningSource, wanted: Int?) {
    self.source = source
    self.wanted = wanted
  }

  /// Returns a condition that the same records meet, as long as nothing changes.
  mutating func resolve(_ condition: Condition) throws -> Condition {
    switch condition {
    case .test: return try .conjunction(resolve(conjuncts: [condition]))
    case .all(let list): return try .conjunction(resolve(conjuncts: list))
    case .any(let list):
      guard list.contains(where: \.hasReferences) else { return condition }
      return try .disjunction(list.map { try resolve($0) })
    case .always, .never, .pair, .elements: return condition
    }
  }

  /// Conditions on the same object are resolved together.
  private mutating func resolve(conjuncts: [Condition]) throws -> [Condition] {
    var result: [Condition] = []
    var joint: [(step: ReferenceStep, outer: [Test], inner: [Condition])] = []
    for condition in conjuncts {
      if case .test(let test) = condition, case .referenced(let step, let inner) = test.property.field,
        !test.passesIfMissing
      {
        let condition = test.behindStep(inner)
        if let place = joint.firstIndex(where: { $0.step == step }) {
          joint[place].outer.append(test)
          joint[place].inner.append(condition)
        } else {
          joint.append((step, [test], [condition]))
        }
      } else if case .test(let test) = condition, let others = try othersThanFailing(test) {
        result.append(others)
      } else if case .any = condition {
        result.append(try resolve(condition))
      } else {
        result.append(condition)
      }
    }
    for (step, outer, inner) in joint {
      if room > 0, let test = try references(step, .conjunction(inner), outer) {
        result.append(test)
      } else {
        result += outer.map { .test($0) }
      }
      room -= 1
    }
    return result
  }

  /// Returns the test whether a field refers to one of the objects that meet a condition; nil if there are very many.
  private mutating func references(
    _ step: ReferenceStep, _ condition: Condition, _ outer: [Test]
  ) throws -> Condition? {
    switch try source.references(by: step, meeting: condition, limit: SegmentSpans.limit) {
    case .all(let references):
      guard !references.isEmpty else { return .never }
      guard !step.isOwnState else { return Self.identifier(in: ByteRanges(points: references)) }
      if let user = step.user {
        let ids = references.map { Array($0.dropFirst(step.target.utf8.count + 1)) }
        return .test(Test(user, .text(.ranges(ByteRanges(points: ids)), missing: false)))
      }
      let points = ByteRanges(points: references.map { [ValueKey.Tag.reference] + $0 })
      return .test(
        Test(
          ObjectProperty([], .recordValue(MetadataPath([step.field]))), .text(.ranges(points), missing: false)
        ))
    case .unknown(let share):
      if let share, let first = outer.first { shares[first] = share }
      return nil
    }
  }

  /// Returns the condition that a conversation is none of those that do not pass a test of what they are to the store's user, if the test
  /// is passed by those of which nothing is said; nil of other tests, and if there are very many. To find one costs as much as to test a
  /// conversation: if few results are wanted, these are tested.
  private mutating func othersThanFailing(_ test: Test) throws -> Condition? {
    guard case .referenced(let step, let inner) = test.property.field, step.isOwnState, test.passesIfMissing,
      room > 0, let failing = test.failing(inner)
    else { return nil }
    room -= 1
    let limit = min(SegmentSpans.limit, max(wanted ?? .max, Self.fewest))
    guard case .all(let names) = try source.references(by: step, meeting: failing, limit: limit) else {
      if limit < SegmentSpans.limit { hasMore = true }
      return nil
    }
    return names.isEmpty ? .always : Self.identifier(in: ByteRanges(points: names).complement)
  }

  /// So many are looked for in any case.
  private static var fewest: Int { 16 }

  private static func identifier(in names: ByteRanges) -> Condition {
    .test(Test(ObjectProperty([], .identifier), .text(.ranges(names), missing: false)))
  }
}

extension Condition {
  /// Whether a test in it is about what a record refers to.
  fileprivate var hasReferences: Bool {
    tests.contains { if case .referenced = $0.property.field { true } else { false } }
  }
}
