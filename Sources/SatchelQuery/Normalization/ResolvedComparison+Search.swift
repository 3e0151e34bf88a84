import SatchelModel
import SatchelRecords
import SatchelSearch
import SatchelText

extension ResolvedComparison {
  /// Returns the pattern that is looked for.
  func searchPattern() throws -> SearchPattern {
    if let fieldless { return fieldless }
    guard case .text(let text) = try single() else { throw wrongType }
    do {
      return try SearchPattern(text).readingPorts { queried.hasProperty(named: $0, of: relation) }
    } catch let error as SatchelError {
      throw error.adding(names.merging(["value": comparison.operand.description]) { own, _ in own })
    }
  }

  /// Returns the condition of a pattern that names fields: each is a condition on the property of that name, and what names none one on the property
  /// that the comparison names. Nil if no field is named.
  func fieldsCondition(isNegated: Bool) throws -> Condition? {
    guard comparison.operator == .matchesText, case .constant(.text(let text)) = comparison.operand,
      fieldless == nil, text.utf8.contains(UInt8(ascii: ":"))
    else { return nil }
    let pattern = try searchPattern()
    guard pattern.namesFields else { return nil }
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
    let path = queried.path(named: name, of: relation)
    if queried.isText(relation + path) { return path }
    let texts =
      relation.isEmpty ? queried.type?.namesOfTexts ?? kind.searchedTexts : ObjectKind.parts.searchedTexts
    throw SearchPattern.error(noField: name, among: texts)
      .adding(names).adding(["kind": queried.type?.name ?? kind.rawValue])
  }
}

extension QueriedType {
  /// Whether a pattern may mean a property by a name, with texts or without. Of a declared type, what is not declared is a word.
  package func hasProperty(named name: String, of relation: [String] = []) -> Bool {
    let path = relation + path(named: name, of: relation)
    guard let found = try? property(path) else { return ObjectKind.isSearched(name) }
    return type == nil || type?.field(named: path[0]) != nil || found.field.keyPath == nil
  }

  /// Returns the key path that a pattern means by a name, behind a relation.
  fileprivate func path(named name: String, of relation: [String]) -> [String] {
    if relation.isEmpty, type?.field(named: name) != nil { return [name] }
    return (relation.isEmpty ? kind : .parts).searchedPath(name)
  }

  /// Whether a path leads to a text. Of a declared type, what is not declared is taken for a slip.
  fileprivate func isText(_ path: [String]) -> Bool {
    guard let found = try? property(path), found.supports(.matchesText) else { return false }
    guard let type else { return true }
    guard let field = type.field(named: path[0]) else { return found.field.keyPath == nil }
    if path.count == 1 { return field.type.isText }
    guard case .reference(let target?) = field.type,
      let next = types.first(where: { UTF8Order.areEqual($0.name, target) })
    else { return true }
    return QueriedType(next, among: types).isText(Array(path.dropFirst()))
  }
}
