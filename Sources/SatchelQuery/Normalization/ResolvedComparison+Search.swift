import SatchelModel
import SatchelRecords
import SatchelSearch

// Patterns of full-text search.
extension ResolvedComparison {
  /// Returns the pattern that is looked for; nil if the comparison looks for none.
  func searchPattern() throws -> SearchPattern? {
    guard comparison.operator == .matchesText, case .constant(.text(let text)) = comparison.operand else {
      return nil
    }
    if let fieldless { return fieldless }
    do { return try SearchPattern(text) } catch let error as SatchelError {
      throw error.adding(names.merging(["value": comparison.operand.description]) { own, _ in own })
    }
  }

  /// Returns the condition of a pattern that names fields: each is a condition on the property of that name, and what names none one on the property
  /// that the comparison names. Nil if no field is named.
  func fieldsCondition(isNegated: Bool) throws -> Condition? {
    guard let pattern = try searchPattern(), pattern.namesFields else { return nil }
    guard comparison.quantifier != .all else {
      throw unsupported(
        "A pattern that names fields is about an object, not about each of its texts: leave ALL out")
    }
    return try pattern.condition(
      isNegated: isNegated != (comparison.quantifier == QueryPredicate.Quantifier.none),
      all: Condition.conjunction, any: Condition.disjunction
    ) { words, field, isNegated in
      let comparison = QueryPredicate.Comparison(
        try field.map(path(ofField:)) ?? comparison.path, .matchesText, comparison.operand,
        quantifier: field == nil && comparison.quantifier != nil ? .any : nil)
      return try ResolvedComparison(comparison, of: queried, user: user, relation, searchingFor: words)
        .condition(isNegated: isNegated)
    }
  }

  /// Returns the key path of the text that a pattern names.
  private func path(ofField name: String) throws -> [String] {
    if let path = queried.pathOfText(name, of: relation) { return path }
    throw SearchPattern.error(noField: name, among: queried.texts(of: relation))
      .adding(names).adding(["kind": queried.type?.name ?? kind.rawValue])
  }
}

extension QueriedType {
  /// Returns the key path of the text that a pattern names, behind a relation; nil if there is no such text.
  fileprivate func pathOfText(_ name: String, of relation: [String]) -> [String]? {
    if relation.isEmpty {
      if let path = kind.searchedNames[name] { return path }
      if let field = type?.field(named: name) { return field.type.isText ? [name] : nil }
    }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let found = try? property(relation + path), found.supports(.matchesText) else { return nil }
    // Of a declared type, what is not declared is taken for a slip.
    if type != nil, found.field.keyPath != nil { return nil }
    return path
  }

  /// The texts that patterns may name.
  fileprivate func texts(of relation: [String]) -> [String] {
    guard relation.isEmpty else { return ObjectKind.parts.searchedTexts }
    return type.map { $0.namesOfTexts } ?? kind.searchedTexts
  }
}
