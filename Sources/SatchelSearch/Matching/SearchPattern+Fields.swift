package import SatchelModel

extension SearchPattern {
  /// The names of the fields that the pattern names, in their order, each once.
  public var fields: [String] { matchers.condition.fields }

  /// Returns what the pattern looks for in one field, to mark it in a text of that: of `title:work milk`, `work` for `"title"`, and `milk` for nil.
  /// What it looks for elsewhere is left out, so that nothing may be left.
  /// - Parameter name: The field's name as the pattern has it; nil for what names no field.
  public func inField(_ name: String?) -> SearchPattern { inFields([name]) }

  /// Returns what the pattern looks for in some fields; of nil, what names none.
  package func inFields(_ names: Set<String?>) -> SearchPattern {
    SearchPattern(tree.keeping(names.contains))
  }

  /// Returns the pattern for objects with known fields: of a name that is none, a number behind its colon is a port, and both are words.
  package func readingPorts(unless isField: (String) -> Bool) -> SearchPattern {
    namesFields ? SearchPattern(tree.readingPorts(unless: isField)) : self
  }

  /// All of some patterns.
  package static func all(_ patterns: [SearchPattern]) -> SearchPattern {
    patterns.count == 1 ? patterns[0] : SearchPattern(.and(patterns.map(\.tree)))
  }

  /// Whether the pattern names a field.
  package var namesFields: Bool { tree.namesFields }

  /// Returns what a query makes of the pattern, from the conditions on single fields.
  /// - Parameters:
  ///   - isNegated: Whether it is to be the complement: then NOTs are moved down to the conditions.
  ///   - condition: The condition that a text of a field matches a pattern, or its complement; of nil, a text of the property that is searched.
  package func condition<Condition>(
    isNegated: Bool, all: ([Condition]) -> Condition, any: ([Condition]) -> Condition,
    _ condition: (SearchPattern, String?, _ isNegated: Bool) throws -> Condition
  ) rethrows -> Condition {
    func combined(_ conditions: FieldConditions, _ isNegated: Bool) throws -> Condition {
      switch conditions {
      case .words(let words, let field): try condition(SearchPattern(words), field, isNegated)
      case .all(let parts): try (isNegated ? any : all)(parts.map { try combined($0, isNegated) })
      case .any(let parts): try (isNegated ? all : any)(parts.map { try combined($0, isNegated) })
      case .none(let part): try combined(part, !isNegated)
      }
    }
    return try combined(tree.fieldConditions, isNegated)
  }

  /// The error of a name that is no field.
  /// - Parameter texts: The fields that there are, of which the first one makes an example.
  package static func error(noField name: String, among texts: [String]) -> SatchelError {
    let example = texts.first.map { "\($0):noon, or quotation marks" } ?? "quotation marks"
    return SatchelError(
      .unqueryableProperty, "A pattern looks for words in a field that is no text of the searched objects",
      [
        "field": name, "available": texts.isEmpty ? "none" : texts.joined(separator: ", "),
        "expected": "\(example), if it is no field: \"\(name):…\"",
      ])
  }
}
