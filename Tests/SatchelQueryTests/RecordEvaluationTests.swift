import SatchelModel
import SatchelQuery
import SatchelText
import TestSupport
import Testing

/// Random predicates over two fields of made-up records: what they mean by the rules of the language, read off the predicate, against
/// what their conditions say. A field has values of all types, or none.
@Suite struct RecordEvaluationTests {
  private typealias Row = [String: MetadataValue]

  private static let texts = ["", "a", "ab", "b", "e\u{301}", "\u{E9}", "z"]
  private static let references = [
    Reference(type: "list", name: "a"), Reference(type: "list", name: "ab"),
    Reference(type: "list", name: "b"), Reference(type: "lis", name: "ta"),
    Reference(type: "todo", name: "a"), Reference(Message.ID("a")),
  ]
  private static let dictionaries: [Metadata] = [
    ["k": 1], ["k": 1.0, "l": "a"], ["k": .reference(references[0])], ["k": .reference(references[1])],
  ]
  private static let equality: [QueryPredicate.Operator] = [.equal, .notEqual, .in, .notIn, .member]
  private static let ordering: [QueryPredicate.Operator] = [
    .less, .lessOrEqual, .greater, .greaterOrEqual, .between,
  ]
  private static let matching: [QueryPredicate.Operator] = [.beginsWith, .endsWith, .contains]

  @Test func conditionsMeanWhatPredicatesMean() throws {
    var random = SeededGenerator()
    let rows = (0..<80).map { _ in
      var row = Row()
      for field in ["a", "b"] { row[field] = randomValue(&random) }
      return row
    }
    let normalizer = Normalizer(kind: .records, user: "alice")
    for _ in 0..<TestEnvironment.rounds(2000) {
      let predicate = randomPredicate(3, &random)
      #expect(try QueryPredicate(format: predicate.description) == predicate)
      let condition = try normalizer.condition(for: predicate)
      let complement = try normalizer.condition(for: .not(predicate))
      for row in rows {
        let expected = meaning(predicate, row)
        #expect(evaluate(condition, row) == expected, "\(predicate) \(row)")
        #expect(evaluate(complement, row) == !expected, "NOT (\(predicate)) \(row)")
      }
    }
  }

  // MARK: Random values and predicates

  private func randomValue(_ random: inout SeededGenerator) -> MetadataValue? {
    switch random.below(9) {
    case 0: nil
    case 1: .boolean(random.oneIn(2))
    case 2: .integer(Int64(random.below(4)) - 1)
    case 3: .date(Timestamp(microseconds: Int64(random.below(3))))
    case 4: .list(randomTexts(&random))
    case 5: .dictionary(random.pick(Self.dictionaries))
    case 6: .text(random.pick(Self.texts))
    default: .reference(random.pick(Self.references))
    }
  }

  private func randomTexts(_ random: inout SeededGenerator) -> [String] {
    (0..<random.below(3)).map { _ in random.pick(Self.texts) }
  }

  private func randomPredicate(_ depth: Int, _ random: inout SeededGenerator) -> QueryPredicate {
    let kind = depth == 0 ? 5 : random.below(8)
    switch kind {
    case 0, 1: return .and((0..<random.below(4)).map { _ in randomPredicate(depth - 1, &random) })
    case 2, 3: return .or((0..<random.below(4)).map { _ in randomPredicate(depth - 1, &random) })
    case 4: return .not(randomPredicate(depth - 1, &random))
    default: return .comparison(randomComparison(&random))
    }
  }

  private func randomComparison(_ random: inout SeededGenerator) -> QueryPredicate.Comparison {
    let path = [random.pick(["a", "b"])]
    let isEqual: QueryPredicate.Operator = random.oneIn(2) ? .equal : .notEqual
    switch random.below(10) {
    case 0: return .init(path, isEqual, .null)
    case 1: return .init(path, isEqual, .list(randomTexts(&random).map { .text($0) }))
    case 2: return .init(path, isEqual, .dictionary(random.pick(Self.dictionaries)))
    default: break
    }
    let type = random.below(6)
    func constant() -> QueryPredicate.Constant {
      switch type {
      case 0: .boolean(random.oneIn(2))
      case 1: .integer(Int64(random.below(4)) - 1)
      case 2: .date(Timestamp(microseconds: Int64(random.below(3))))
      case 3: .text(random.pick(Self.texts))
      default: .reference(random.pick(Self.references))
      }
    }
    let operators: [QueryPredicate.Operator] =
      switch type {
      case 0: Self.equality
      case 1, 2: Self.equality + Self.ordering
      case 3: Self.equality + Self.ordering + Self.matching
      default: Self.equality
      }
    let `operator` = random.pick(operators)
    let operand: QueryPredicate.Operand =
      switch `operator` {
      case .in, .notIn: .list((0..<random.below(4)).map { _ in constant() })
      case .between: .list([constant(), constant()])
      default: .constant(constant())
      }
    let quantifiers: [QueryPredicate.Quantifier?] = [nil, nil, .any, .all, QueryPredicate.Quantifier.none]
    return .init(path, `operator`, operand, quantifier: random.pick(quantifiers))
  }

  // MARK: What a predicate means

  private func meaning(_ predicate: QueryPredicate, _ row: Row) -> Bool {
    switch predicate.form {
    case .constant(let value): value
    case .and(let predicates): predicates.allSatisfy { meaning($0, row) }
    case .or(let predicates): predicates.contains { meaning($0, row) }
    case .not(let predicate): !meaning(predicate, row)
    case .comparison(let comparison): meaning(comparison, row)
    case .elements, .invalid: false
    }
  }

  private func meaning(_ comparison: QueryPredicate.Comparison, _ row: Row) -> Bool {
    let value = comparison.path.first.flatMap { row[$0] }
    let isComplement = comparison.operator == .notEqual || comparison.operator == .notIn
    switch comparison.operand {
    case .constant(.null): return (elements(value) == nil) != isComplement
    case .dictionary(let dictionary): return (value == .dictionary(dictionary)) != isComplement
    case .list(let list) where comparison.operator == .equal || comparison.operator == .notEqual:
      return (value == .list(list.compactMap { if case .text(let text) = $0 { text } else { nil } }))
        != isComplement
    default: break
    }
    let elements = elements(value) ?? []
    switch comparison.quantifier {
    case nil: return elements.contains { passes($0, comparison) } != isComplement
    case .any?: return elements.contains { passes($0, comparison) != isComplement }
    case .none?: return !elements.contains { passes($0, comparison) != isComplement }
    case .all?:
      // A missing value passes complements only; an empty list has no element that fails.
      return (isComplement || self.elements(value) != nil)
        && elements.allSatisfy { passes($0, comparison) != isComplement }
    }
  }

  /// The single values that a value has; nil if it is missing.
  private func elements(_ value: MetadataValue?) -> [MetadataValue]? {
    switch value {
    case nil, .dictionary?: nil
    case .list(let texts)?: texts.map { .text($0) }
    case let value?: [value]
    }
  }

  /// Whether a single value passes; for a complement, whether it passes what that is the complement of.
  private func passes(_ value: MetadataValue, _ comparison: QueryPredicate.Comparison) -> Bool {
    let operands: [QueryPredicate.Constant]
    switch comparison.operand {
    case .constant(let constant): operands = [constant]
    case .list(let list): operands = list
    case .dictionary, .path: return false
    }
    let orders = operands.map { order(value, $0) }
    switch comparison.operator {
    case .equal, .notEqual, .in, .notIn, .member: return orders.contains(0)
    case .less: return orders[0].map { $0 < 0 } ?? false
    case .lessOrEqual: return orders[0].map { $0 <= 0 } ?? false
    case .greater: return orders[0].map { $0 > 0 } ?? false
    case .greaterOrEqual: return orders[0].map { $0 >= 0 } ?? false
    case .between: return (orders[0].map { $0 >= 0 } ?? false) && (orders[1].map { $0 <= 0 } ?? false)
    default:
      guard case .text(let text) = value, case .text(let wanted) = operands[0] else { return false }
      let scalars = Array(NFC.normalized(text).unicodeScalars)
      let part = Array(NFC.normalized(wanted).unicodeScalars)
      return switch comparison.operator {
      case .beginsWith: scalars.starts(with: part)
      case .endsWith: scalars.reversed().starts(with: part.reversed())
      default: part.isEmpty || scalars.indices.contains { scalars[$0...].starts(with: part) }
      }
    }
  }

  /// How a value lies to a constant: negative before it, positive behind it; nil if they are of different types.
  private func order(_ value: MetadataValue, _ constant: QueryPredicate.Constant) -> Int? {
    switch (value, constant) {
    case (.boolean(let value), .boolean(let wanted)): return value == wanted ? 0 : 1
    case (.integer(let value), .integer(let wanted)): return value < wanted ? -1 : value == wanted ? 0 : 1
    case (.date(let value), .date(let wanted)): return value < wanted ? -1 : value == wanted ? 0 : 1
    case (.reference(let value), .reference(let wanted)):
      return value.type == wanted.type && value.name == wanted.name ? 0 : 1
    case (.text(let value), .text(let wanted)):
      let (value, wanted) = (NFC.normalized(value), NFC.normalized(wanted))
      return UTF8Order.areEqual(value, wanted) ? 0 : UTF8Order.isLess(value, wanted) ? -1 : 1
    default: return nil
    }
  }

  // MARK: What a condition says

  private func evaluate(_ condition: Condition, _ row: Row) -> Bool {
    switch condition {
    case .always: return true
    case .never: return false
    case .all(let conditions): return conditions.allSatisfy { evaluate($0, row) }
    case .any(let conditions): return conditions.contains { evaluate($0, row) }
    case .pair, .elements:
      Issue.record(
        "No predicate here compares two properties, or has conditions of one element: \(condition)")
      return false
    case .test(let test):
      guard case .recordValue(let path) = test.property.field else {
        Issue.record("A test of no field: \(test)")
        return false
      }
      return holds(test.values, path.keys.first.flatMap { row[$0] }) != test.isNegated
    }
  }

  private func holds(_ values: ValueSet, _ value: MetadataValue?) -> Bool {
    switch values {
    case .metadata(let dictionary): return value == .dictionary(dictionary)
    case .text(let set, let missing): return value.flatMap { contains(set, $0) } ?? missing
    case .integers, .participants, .related:
      Issue.record("A set of other values: \(values)")
      return false
    }
  }

  /// Whether a value is in a set by its key, a list also by one of its texts; nil if it counts as missing.
  private func contains(_ set: TextSet, _ value: MetadataValue) -> Bool? {
    switch value {
    case .dictionary: return nil
    case .text(let text): return contains(set.texts, text)
    case .list(let texts): return set.hasLists || texts.contains { contains(set.texts, $0) }
    case .reference(let reference): return set.scalars.contains([ValueKey.Tag.reference] + reference.keyBytes)
    case .integer, .number, .boolean, .date:
      return MetadataScalar(value)?.key.map { set.scalars.contains($0.bytes) }
    }
  }

  private func contains(_ texts: TextSet, _ text: String) -> Bool {
    switch texts {
    case .ranges(let ranges): ranges.contains(NFC.bytes(text))
    case .pattern(let pattern, let complement): pattern.matches(NFC.normalized(text)) != complement
    }
  }
}
