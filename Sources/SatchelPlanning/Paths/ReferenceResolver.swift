import SatchelIndexing
import SatchelModel
import SatchelQuery

/// Puts references in the place of conditions on what records refer to: to the objects that meet them, which a question of its own finds.
/// What reads an index or tests a record then meets conditions on the record's own fields only. A condition stays as it is if very many
/// objects meet it.
struct ReferenceResolver {
  private let source: any PlanningSource
  /// How many more conditions may be resolved.
  private var room = 64
  /// The shares of the objects that meet the conditions that have stayed, as far as they are known.
  private(set) var shares: [Test: Double] = [:]

  init(_ source: any PlanningSource) { self.source = source }

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
        let condition = Condition.test(Test(inner, test.values, isNegated: test.isNegated))
        if let place = joint.firstIndex(where: { $0.step == step }) {
          joint[place].outer.append(test)
          joint[place].inner.append(condition)
        } else {
          joint.append((step, [test], [condition]))
        }
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
}

extension Condition {
  /// Whether a test in it is about what a record refers to.
  fileprivate var hasReferences: Bool {
    tests.contains { if case .referenced = $0.property.field { true } else { false } }
  }
}
