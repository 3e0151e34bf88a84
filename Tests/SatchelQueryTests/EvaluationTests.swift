import SatchelModel
import SatchelQuery
import SatchelText
import TestSupport
import Testing

/// Random predicates over a few properties of made-up objects: what they mean by the rules of the language, read off
/// the predicate, against what their conditions say.
@Suite struct EvaluationTests {
  /// An object as the predicates below see it.
  private struct Row {
    var position: Int64?
    var isUnread: Bool
    var name: String?
    var user: String
    /// Of each part. Those whose size is known and even are complete, the others wait.
    var sizes: [Int64?]

    static func status(ofSize size: Int64?) -> TransferStatus {
      size.map { $0.isMultiple(of: 2) } ?? false ? .complete : .awaitingUpload
    }
  }

  private static let ordering: [QueryPredicate.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .notIn, .between,
  ]

  private static let texts = ["", "a", "ab", "b", "e\u{301}", "\u{E9}", "É", "z"]

  @Test func conditionsMeanWhatPredicatesMean() throws {
    var random = SeededGenerator()
    let rows = (0..<60).map { _ in
      Row(
        position: Int.random(in: 0...4, using: &random) == 0 ? nil : .random(in: 0...4, using: &random),
        isUnread: .random(using: &random),
        name: Int.random(in: 0...4, using: &random) == 0
          ? nil : Self.texts.randomElement(using: &random) ?? "",
        user: Self.texts.randomElement(using: &random) ?? "",
        sizes: (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Int.random(in: 0...3, using: &random) == 0 ? nil : .random(in: 0...4, using: &random)
        })
    }
    let normalizer = Normalizer(kind: .messages, user: "alice")
    for _ in 0..<TestEnvironment.rounds(2000) {
      let predicate = randomPredicate(3, &random)
      let condition = try normalizer.condition(for: predicate)
      let complement = try normalizer.condition(for: .not(predicate))
      for row in rows {
        let expected = meaning(predicate, row)
        #expect(evaluate(condition, row) == expected, "\(predicate) \(row)")
        #expect(evaluate(complement, row) == !expected, "NOT (\(predicate)) \(row)")
      }
    }
  }

  // MARK: Random predicates

  private func randomPredicate(_ depth: Int, _ random: inout SeededGenerator) -> QueryPredicate {
    func several(_ random: inout SeededGenerator) -> [QueryPredicate] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in randomPredicate(depth - 1, &random) }
    }
    switch depth == 0 ? 6 : Int.random(in: 0...7, using: &random) {
    case 0, 1: return .and(several(&random))
    case 2, 3: return .or(several(&random))
    case 4: return .not(randomPredicate(depth - 1, &random))
    case 7:
      return .elements(
        QueryPredicate.Quantifier.allCases.randomElement(using: &random) ?? .any, of: ["parts"],
        randomElementPredicate(depth - 1, &random))
    default: return .comparison(randomComparison(&random))
    }
  }

  /// A predicate of a part, whose paths begin at the part.
  private func randomElementPredicate(_ depth: Int, _ random: inout SeededGenerator) -> QueryPredicate {
    func several(_ random: inout SeededGenerator) -> [QueryPredicate] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in randomElementPredicate(depth - 1, &random) }
    }
    switch depth == 0 ? 3 : Int.random(in: 0...4, using: &random) {
    case 0: return .and(several(&random))
    case 1: return .or(several(&random))
    case 2: return .not(randomElementPredicate(depth - 1, &random))
    default:
      guard Int.random(in: 0...2, using: &random) == 0 else {
        return .comparison(randomNumbers(["size"], nil, Self.ordering, &random))
      }
      let value = QueryPredicate.Constant.text(
        Bool.random(using: &random) ? TransferStatus.complete.name : TransferStatus.awaitingUpload.name)
      let `operator`: QueryPredicate.Operator = Bool.random(using: &random) ? .equal : .notEqual
      return .comparison(QueryPredicate.Comparison(["transferStatus"], `operator`, .constant(value)))
    }
  }

  private func randomComparison(_ random: inout SeededGenerator) -> QueryPredicate.Comparison {
    let ordering = Self.ordering
    let matching: [QueryPredicate.Operator] = [.like, .beginsWith, .endsWith, .contains, .autocomplete]
    switch Int.random(in: 0...4, using: &random) {
    case 0: return randomNumbers(["position"], nil, ordering, &random)
    case 1:
      let quantifiers: [QueryPredicate.Quantifier?] = [nil, nil, .any, .all, QueryPredicate.Quantifier.none]
      return randomNumbers(
        ["parts", "size"], quantifiers.randomElement(using: &random) ?? nil, ordering, &random)
    case 2:
      let value = QueryPredicate.Constant.boolean(.random(using: &random))
      return QueryPredicate.Comparison(
        ["isUnread"], Bool.random(using: &random) ? .equal : .notEqual, .constant(value))
    default:
      let path = Bool.random(using: &random) ? ["sender", "displayName"] : ["sender", "userID"]
      let `operator` = (ordering + matching).randomElement(using: &random) ?? .equal
      func text(_ random: inout SeededGenerator) -> QueryPredicate.Constant {
        .text(Self.texts.randomElement(using: &random) ?? "")
      }
      return QueryPredicate.Comparison(path, `operator`, operand(`operator`, text, &random))
    }
  }

  private func randomNumbers(
    _ path: [String], _ quantifier: QueryPredicate.Quantifier?, _ operators: [QueryPredicate.Operator],
    _ random: inout SeededGenerator
  ) -> QueryPredicate.Comparison {
    if quantifier == nil, Int.random(in: 0...7, using: &random) == 0 {
      return QueryPredicate.Comparison(path, Bool.random(using: &random) ? .equal : .notEqual, .null)
    }
    let `operator` = operators.randomElement(using: &random) ?? .equal
    func number(_ random: inout SeededGenerator) -> QueryPredicate.Constant {
      Bool.random(using: &random)
        ? .integer(.random(in: -1...5, using: &random))
        : .number(Double(Int.random(in: -2...10, using: &random)) / 2)
    }
    return QueryPredicate.Comparison(
      path, `operator`, operand(`operator`, number, &random), quantifier: quantifier)
  }

  private func operand(
    _ operator: QueryPredicate.Operator, _ value: (inout SeededGenerator) -> QueryPredicate.Constant,
    _ random: inout SeededGenerator
  ) -> QueryPredicate.Operand {
    switch `operator` {
    case .in, .notIn: .list((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random) })
    case .between: .list([value(&random), value(&random)])
    default: .constant(value(&random))
    }
  }

  // MARK: What a predicate means

  private func meaning(_ predicate: QueryPredicate, _ row: Row) -> Bool {
    switch predicate.form {
    case .constant(let value): value
    case .and(let predicates): predicates.allSatisfy { meaning($0, row) }
    case .or(let predicates): predicates.contains { meaning($0, row) }
    case .not(let predicate): !meaning(predicate, row)
    case .comparison(let comparison): meaning(comparison, row)
    case .elements(let group):
      switch group.quantifier {
      case .any: row.sizes.contains { meaning(group.predicate, ofPart: $0) }
      case .all: row.sizes.allSatisfy { meaning(group.predicate, ofPart: $0) }
      case .none: !row.sizes.contains { meaning(group.predicate, ofPart: $0) }
      }
    case .invalid: false
    }
  }

  private func meaning(_ predicate: QueryPredicate, ofPart size: Int64?) -> Bool {
    switch predicate.form {
    case .constant(let value): value
    case .and(let predicates): predicates.allSatisfy { meaning($0, ofPart: size) }
    case .or(let predicates): predicates.contains { meaning($0, ofPart: size) }
    case .not(let predicate): !meaning(predicate, ofPart: size)
    case .comparison(let comparison):
      comparison.path == ["size"]
        ? passes(comparison, size.map { .integer($0) })
        : (comparison.operand == .text(Row.status(ofSize: size).name)) == (comparison.operator == .equal)
    case .elements, .invalid: false
    }
  }

  private func meaning(_ comparison: QueryPredicate.Comparison, _ row: Row) -> Bool {
    switch comparison.path.last {
    case "position": passes(comparison, row.position.map { .integer($0) })
    case "isUnread": passes(comparison, .boolean(row.isUnread))
    case "displayName": passes(comparison, row.name.map { .text(NFC.normalized($0)) }, isNormalized: true)
    case "userID": passes(comparison, .text(row.user))
    default: meaningOfSizes(comparison, row.sizes.map { $0.map { .integer($0) } })
    }
  }

  private func meaningOfSizes(_ comparison: QueryPredicate.Comparison, _ sizes: [QueryPredicate.Constant?])
    -> Bool
  {
    let isComplement = comparison.operator == .notEqual || comparison.operator == .notIn
    switch comparison.quantifier {
    case .any?: return sizes.contains { passes(comparison, $0) }
    case .all?: return sizes.allSatisfy { passes(comparison, $0) }
    case .none?: return !sizes.contains { passes(comparison, $0) }
    case nil:
      if comparison.operand == .null { return sizes.contains { $0 != nil } == isComplement }
      return isComplement
        ? sizes.allSatisfy { passes(comparison, $0) } : sizes.contains { passes(comparison, $0) }
    }
  }

  /// Whether one value passes; a missing one passes complements and `= nil` only.
  private func passes(
    _ comparison: QueryPredicate.Comparison, _ value: QueryPredicate.Constant?, isNormalized: Bool = false
  ) -> Bool {
    switch comparison.operator {
    case .notEqual:
      return !passes(.init(comparison.path, .equal, comparison.operand), value, isNormalized: isNormalized)
    case .notIn:
      return !passes(.init(comparison.path, .in, comparison.operand), value, isNormalized: isNormalized)
    default: break
    }
    if comparison.operand == .null { return value == nil }
    guard let value else { return false }
    var operands: [QueryPredicate.Constant] = []
    switch comparison.operand {
    case .constant(let constant): operands = [constant]
    case .list(let list): operands = list
    case .dictionary, .path: return false
    }
    if isNormalized {
      operands = operands.map { if case .text(let text) = $0 { .text(NFC.normalized(text)) } else { $0 } }
    }
    let orders = operands.map { order(value, $0) }
    switch comparison.operator {
    case .equal: return orders[0] == 0
    case .less: return orders[0] < 0
    case .lessOrEqual: return orders[0] <= 0
    case .greater: return orders[0] > 0
    case .greaterOrEqual: return orders[0] >= 0
    case .in: return orders.contains(0)
    case .between: return orders[0] >= 0 && orders[1] <= 0
    default:
      guard case .text(let text) = value, case .text(let pattern) = operands[0] else { return false }
      let (scalars, wanted) = (Array(text.unicodeScalars), Array(pattern.unicodeScalars))
      switch comparison.operator {
      case .beginsWith: return scalars.starts(with: wanted)
      case .endsWith: return scalars.reversed().starts(with: wanted.reversed())
      case .contains:
        return scalars.indices.contains { scalars[$0...].starts(with: wanted) } || wanted.isEmpty
      // Each text is one word, or none.
      case .autocomplete:
        func folded(_ text: String) -> [UInt32] {
          Diacritics.removed(from: text).unicodeScalars.map { CaseFolding.fold($0.value) }
        }
        return !wanted.isEmpty && folded(text).starts(with: folded(pattern))
      // The operands hold no wildcards.
      default:
        return scalars.map { CaseFolding.fold($0.value) } == wanted.map { CaseFolding.fold($0.value) }
      }
    }
  }

  private func order(_ left: QueryPredicate.Constant, _ right: QueryPredicate.Constant) -> Int {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      return UTF8Order.areEqual(left, right) ? 0 : UTF8Order.isLess(left, right) ? -1 : 1
    case (.boolean(let left), .boolean(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .number(let right)):
      return Double(left) < right ? -1 : Double(left) == right ? 0 : 1
    default: return 1
    }
  }

  // MARK: What a condition says

  private func evaluate(_ condition: Condition, _ row: Row) -> Bool {
    switch condition {
    case .always: return true
    case .never: return false
    case .all(let conditions): return conditions.allSatisfy { evaluate($0, row) }
    case .any(let conditions): return conditions.contains { evaluate($0, row) }
    case .pair(let pair):
      Issue.record("No predicate here compares two properties: \(pair)")
      return false
    case .elements(let group):
      return row.sizes.contains { size in group.conditions.allSatisfy { evaluate($0, ofPart: size) } }
        != group.isNegated
    case .test(let test):
      return switch test.property.field {
      case .position: holds(test.values, row.position)
      case .isUnread: holds(test.values, row.isUnread ? 1 : 0)
      case .displayName: holds(test.values, row.name.map(NFC.normalized))
      case .senderUserID: holds(test.values, row.user)
      // That a group holds of any part whatever is a test of its type.
      case .mimeType: row.sizes.isEmpty == test.isNegated
      default: row.sizes.contains { holds(test, ofPart: $0) } != test.isNegated
      }
    }
  }

  private func evaluate(_ condition: Condition, ofPart size: Int64?) -> Bool {
    switch condition {
    case .always: true
    case .never, .elements, .pair: false
    case .all(let conditions): conditions.allSatisfy { evaluate($0, ofPart: size) }
    case .any(let conditions): conditions.contains { evaluate($0, ofPart: size) }
    case .test(let test): holds(test, ofPart: size) && !test.isNegated
    }
  }

  private func holds(_ test: SatchelQuery.Test, ofPart size: Int64?) -> Bool {
    let isOfStatus = test.property.field == .transferStatus
    return holds(test.values, isOfStatus ? Int64(Row.status(ofSize: size).rawValue) : size)
  }

  private func holds(_ values: ValueSet, _ value: Int64?) -> Bool {
    guard case .integers(let set, let missing) = values else { return false }
    return value.map(set.contains) ?? missing
  }

  private func holds(_ values: ValueSet, _ value: String?) -> Bool {
    guard case .text(let set, let missing) = values else { return false }
    guard let value else { return missing }
    switch set {
    case .ranges(let ranges): return ranges.contains(Array(value.utf8))
    case .pattern(let pattern, let complement): return pattern.matches(value) != complement
    }
  }
}
