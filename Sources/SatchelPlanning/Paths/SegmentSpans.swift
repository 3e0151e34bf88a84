import SatchelCoding
package import SatchelIndexing
package import SatchelModel
import SatchelQuery

/// Turns the conjuncts that concern one segment of an index into runs of its words.
package struct SegmentSpans {
  /// The maximum number of runs that a path unites. A condition that would need more runs is tested row by row.
  package static let limit = 256

  package let kind: ObjectKind
  package let conjuncts: Conjuncts
  package let source: any PlanningSource
  private let memory: ConstraintMemory
  /// What to make of a condition that allows all names but some. If true, it becomes the runs between the numbers of
  /// the excluded names; if false, one point for each other number. The runs between are fewer, which is good for a
  /// count, but they cannot be narrowed further and have no order.
  private let prefersComplements: Bool

  init(
    kind: ObjectKind, conjuncts: Conjuncts, source: any PlanningSource, memory: ConstraintMemory,
    prefersComplements: Bool = false
  ) {
    self.memory = memory
    self.prefersComplements = prefersComplements
    self.kind = kind
    self.conjuncts = conjuncts
    self.source = source
  }

  /// Runs of a segment's words, and the indices of the conjuncts that they ensure.
  package struct Constraint {
    package var spans: [KeySpan]
    package var consumed: ConjunctSet
  }

  /// Returns the runs of a segment that the conjuncts leave; nil if no conjunct bounds the segment, or the runs would
  /// be too many.
  package func constraint(of segment: Segment) throws -> Constraint? {
    switch segment {
    case .conversation: return try conversations()
    case .member, .memberSet: return try participants(of: segment)
    case .sequence, .row: return nil
    case .recordType: return Constraint(spans: [KeySpan(point: [UInt64(source.recordType)])], consumed: [])
    default: break
    }
    var result: Constraint?
    for (index, (offset, test)) in conjuncts.tests.enumerated() where conjuncts.segments[index] == segment {
      guard let spans = try spans(of: segment, test) else { continue }
      if let earlier = result {
        result = Constraint(
          spans: Self.intersection(earlier.spans, spans), consumed: earlier.consumed.union([offset]))
      } else {
        result = Constraint(spans: spans, consumed: [offset])
      }
    }
    guard let result, result.spans.count <= Self.limit else { return nil }
    return result
  }

  private func spans(of segment: Segment, _ test: Test) throws -> [KeySpan]? {
    switch (segment, test.values) {
    case (.optional, .integers(let set, let missing)):
      return (missing ? [KeySpan(point: [0, 0])] : []) + set.ranges.map { Self.span($0, behind: 1) }
    case (.position, .integers(let set, let missing)):
      return set.ranges.map { Self.span($0, behind: 0) } + (missing ? [KeySpan(point: [1, 0])] : [])
    case (.partIndex, .integers(let set, _)):
      return set.ranges.compactMap { range in
        guard range.upperBound >= 0 else { return nil }
        return KeySpan(lower: [UInt64(max(0, range.lowerBound))], upper: [UInt64(range.upperBound)])
      }
    case (.sender, .text(let set, _)), (.user, .text(let set, _)):
      return try numbers(in: set) { try source.users(in: $0) }
    case (.mimeType, .text(let set, _)):
      return try numbers(in: set) { try source.mimeTypes(in: $0) }
    case (.typeSet, .text(let set, _)):
      guard let sets = try source.typeSets(holdingSomeOf: set) else { return nil }
      return test.isNegated ? Self.runs(outside: sets) : Self.runs(of: sets)
    default: return nil
    }
  }

  /// Returns the runs of the numbers that the names in a set have. If these are too many but few names are left out,
  /// the runs are those between the numbers of the names that are left out; nil if both are too many.
  private func numbers(in set: TextSet, _ resolve: (TextSet) throws -> [UInt32]?) throws -> [KeySpan]? {
    let others = set.complement
    if prefersComplements, case .ranges(let names) = others, names.points != nil,
      let numbers = try resolve(others)
    {
      return Self.runs(outside: numbers)
    }
    if let numbers = try resolve(set) { return Self.runs(of: numbers) }
    return try resolve(others).map(Self.runs(outside:))
  }

  private func conversations() throws -> Constraint? {
    if let known = memory.conversations { return known }
    let found = try findConversations()
    memory.conversations = .some(found)
    return found
  }

  private func findConversations() throws -> Constraint? {
    var conditions: [Condition] = []
    var consumed: ConjunctSet = []
    for (offset, condition) in conjuncts.list.enumerated() {
      guard let inner = condition.stripping(.conversation) else { continue }
      conditions.append(inner)
      consumed.insert(offset)
    }
    guard !conditions.isEmpty,
      let rows = try source.conversationRows(
        meeting: conditions.count == 1 ? conditions[0] : .all(conditions), limit: Self.limit)
    else { return nil }
    return Constraint(spans: rows.map { KeySpan(point: [UInt64($0)]) }, consumed: consumed)
  }

  private func participants(of segment: Segment) throws -> Constraint? {
    for (offset, test) in conjuncts.tests {
      guard case .participants = test.property.field, test.property.relations.isEmpty, !test.isNegated,
        case .participants(let participants) = test.values
      else { continue }
      switch (segment, participants) {
      case (.memberSet, .equals(let users)):
        let set = try source.participantSet(users)
        return Constraint(spans: set.map { [KeySpan(point: [UInt64($0), 0])] } ?? [], consumed: [offset])
      case (.member, .overlaps(let users)) where users.count == 1,
        (.member, .containsAll(let users)) where users.count == 1:
        return Constraint(spans: try member(users[0]), consumed: [offset])
      case (.member, .containsAll(let users)) where users.count > 1:
        // Every match also has the first user; the other users are tested.
        return Constraint(spans: try member(users[0]), consumed: [])
      default: continue
      }
    }
    return nil
  }

  private func member(_ user: Identity.ID) throws -> [KeySpan] {
    (try source.users(in: .ranges(ByteRanges(points: [Array(user.rawValue.utf8)]))) ?? []).map {
      KeySpan(point: [UInt64($0)])
    }
  }
}

/// Remembers what has been found out about a question's conjuncts, because several indexes begin with the same segment.
final class ConstraintMemory {
  /// The runs of conversations that the conjuncts leave. The outer optional is nil until they have been looked for.
  var conversations: SegmentSpans.Constraint??
}

extension SegmentSpans {
  private static func span(_ range: ClosedRange<Int64>, behind flag: UInt64) -> KeySpan {
    KeySpan(lower: [flag, KeyWords.word(range.lowerBound)], upper: [flag, KeyWords.word(range.upperBound)])
  }

  /// Returns a run for each of some ascending numbers: a point can be narrowed further, and has its rows in order. If
  /// there are more points than a path unites, adjacent points are joined.
  static func runs(of numbers: [UInt32]) -> [KeySpan] {
    let points = numbers.map { KeySpan(point: [UInt64($0)]) }
    return points.count > limit ? joined(points) : points
  }

  /// Returns ascending runs of one column, with adjacent runs joined.
  static func joined(_ runs: [KeySpan]) -> [KeySpan] {
    var spans: [KeySpan] = []
    for run in runs {
      if let last = spans.last, last.upper[0] < .max, last.upper[0] + 1 == run.lower[0] {
        spans[spans.count - 1].upper = run.upper
      } else {
        spans.append(run)
      }
    }
    return spans
  }

  /// Returns the runs of all numbers except the given ones, which are ascending.
  static func runs(outside numbers: [UInt32]) -> [KeySpan] {
    var spans: [KeySpan] = []
    var next: UInt64 = 0
    for number in numbers {
      if UInt64(number) > next { spans.append(KeySpan(lower: [next], upper: [UInt64(number) - 1])) }
      next = UInt64(number) + 1
    }
    spans.append(KeySpan(lower: [next], upper: [.max]))
    return spans
  }

  /// Returns the intersection of two ascending lists of runs of the same columns.
  static func intersection(_ left: [KeySpan], _ right: [KeySpan]) -> [KeySpan] {
    var result: [KeySpan] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let lower = left[i].lower.lexicographicallyPrecedes(right[j].lower) ? right[j].lower : left[i].lower
      let leftEndsFirst = left[i].upper.lexicographicallyPrecedes(right[j].upper)
      let upper = leftEndsFirst ? left[i].upper : right[j].upper
      if !upper.lexicographicallyPrecedes(lower) { result.append(KeySpan(lower: lower, upper: upper)) }
      if leftEndsFirst { i += 1 } else { j += 1 }
    }
    return result
  }
}
