import Foundation
import SatchelModel
import SatchelQuery

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    guard let term = translation.variables[key] else {
      throw translation.refusal("the variable of the innermost closure on parts")
    }
    return term
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let root = try translation.term(root)
    if translation.names.counts.contains(keyPath) { return try translation.count(of: root) }
    if translation.names.emptiness.contains(keyPath) {
      return .condition(try translation.comparison(.equal, translation.count(of: root), .value(0)))
    }
    return try translation.property(
      root, keyPath, isOptional: Output.self is any ExpressibleByNilLiteral.Type)
  }
}

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(.and([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(.or([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(.complement(of: try translation.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let test = try translation.condition(test)
    return .condition(
      .anyOf([
        .allOf([test, try translation.condition(trueBranch)]),
        .allOf([.complement(of: test), try translation.condition(falseBranch)]),
      ]))
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(try translation.comparison(.equal, translation.term(lhs), translation.term(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(try translation.comparison(.notEqual, translation.term(lhs), translation.term(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let `operator`: QueryPredicate.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw translation.refusal("<, <=, > or >=")
      }
    return .condition(try translation.comparison(`operator`, translation.term(lhs), translation.term(rhs)))
  }
}

// MARK: - Missing values

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    guard case .property(let path, _) = try translation.term(inner) else {
      throw translation.refusal("a property")
    }
    return .property(path, isOptional: false)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .coalesced(try translation.term(lhs), try translation.term(rhs))
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    guard case .property(let path, _) = try translation.term(wrapped) else {
      throw translation.refusal("a property that may be missing")
    }
    var inner = translation
    inner.variables[variable.key] = .property(path, isOptional: false)
    switch try inner.term(transform) {
    case .property(let path, _): return .property(path, isOptional: true)
    case .condition(let predicate): return .optionalCondition(predicate, of: [path])
    case .optionalCondition(let predicate, let paths):
      return .optionalCondition(predicate, of: [path] + paths)
    case .count(let isEmpty, let paths): return .count(isEmpty: isEmpty, of: [path] + paths)
    default: throw translation.refusal("a property or a condition of what is not missing")
    }
  }
}

// MARK: - Collections and texts

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let element = try translation.term(element)
    switch try translation.term(sequence) {
    case .value(let values): return .condition(try translation.membership(of: element, in: values))
    case .property(let path, _) where path.last == "participants":
      switch element {
      case .value(let user as Identity.ID):
        return .condition(.comparison(QueryPredicate.Comparison(path, .contains, .text(user.rawValue))))
      case .property(let user, _):
        return .condition(.comparison(QueryPredicate.Comparison(user, .in, .path(path))))
      default: throw translation.refusal("the id of a user, or a property that is one")
      }
    default: throw translation.refusal("participants, or a collection of values")
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    guard case .value(let range) = try translation.term(range) else {
      throw translation.refusal("a range of values")
    }
    return .condition(try translation.membership(of: translation.term(element), in: range))
  }
}

// A range of values is one: what comes here has a property as a bound, or its upper bound first.
extension PredicateExpressions.Range: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    throw translation.refusal("two values as bounds, the lower one first")
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    throw translation.refusal("two values as bounds, the lower one first")
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let condition = try translation.onParts(sequence, variable.key, test)
    return .condition(.elements(.any, of: PredicateTranslation.parts, condition))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    let condition = try translation.onParts(sequence, variable.key, test)
    return .condition(.elements(.all, of: PredicateTranslation.parts, condition))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .parts(try translation.onParts(sequence, variable.key, filter))
  }
}

extension PredicateTranslation {
  /// Returns the condition of a part of the queried object, whose paths begin at the part. In it, nothing but the part can be asked for.
  fileprivate func onParts<Sequence: PredicateExpression, Test: PredicateExpression>(
    _ sequence: Sequence, _ variable: PredicateExpressions.VariableID, _ test: Test
  ) throws -> QueryPredicate {
    guard case .property(Self.parts, _) = try term(sequence), !isOfPart else {
      throw refusal("the parts of the object")
    }
    var inner = self
    inner.variables = [variable: .object([])]
    inner.isOfPart = true
    return try inner.condition(test)
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(try translation.text(.contains, translation.term(base), translation.term(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .condition(try translation.text(.beginsWith, translation.term(base), translation.term(prefix)))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    try translation.recipientStatus(wrapped, key)
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
  func term(in translation: PredicateTranslation) throws -> PredicateTerm {
    .coalesced(try translation.recipientStatus(wrapped, key), try translation.term(`default`))
  }
}

extension PredicateTranslation {
  /// Returns the property that is the status of a recipient.
  fileprivate func recipientStatus<Statuses: PredicateExpression, User: PredicateExpression>(
    _ statuses: Statuses, _ user: User
  ) throws -> PredicateTerm {
    guard case .property(let path, _) = try term(statuses), path.last == "recipientStatus",
      case .value(let user as Identity.ID) = try term(user), !user.rawValue.isEmpty
    else { throw refusal("recipientStatus and the id of a user") }
    return .property(path + [user.rawValue], isOptional: true)
  }
}
