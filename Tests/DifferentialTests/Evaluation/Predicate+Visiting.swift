extension Predicate {
  /// Visits all comparisons of a property with a value.
  func visitComparisons(_ visit: (Comparison) -> Void) {
    switch self {
    case .constant, .pair: break
    case .and(let operands), .or(let operands): for operand in operands { operand.visitComparisons(visit) }
    case .not(let operand): operand.visitComparisons(visit)
    case .comparison(let comparison): visit(comparison)
    case .elements(_, _, let predicate): predicate.visitComparisons(visit)
    }
  }

  /// Visits the comparisons of two properties, each with whether it stands beside something else.
  func visitPairs(isBeside: Bool = false, _ visit: (Pair, Bool) -> Void) {
    switch self {
    case .constant, .comparison, .elements: break
    case .and(let operands), .or(let operands):
      for operand in operands { operand.visitPairs(isBeside: true, visit) }
    case .not(let operand): operand.visitPairs(isBeside: isBeside, visit)
    case .pair(let pair): visit(pair, isBeside)
    }
  }

  /// Visits the groups of conditions of several comparisons.
  func visitGroups(_ visit: (Quantifier) -> Void) {
    switch self {
    case .constant, .comparison, .pair: break
    case .and(let operands), .or(let operands): for operand in operands { operand.visitGroups(visit) }
    case .not(let operand): operand.visitGroups(visit)
    case .elements(let quantifier, _, let predicate):
      var comparisons = 0
      predicate.visitComparisons { _ in comparisons += 1 }
      if comparisons > 1 { visit(quantifier) }
    }
  }
}
