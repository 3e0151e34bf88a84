/// A pattern as conditions on single fields: each has a pattern without names of fields.
package indirect enum FieldConditions: Hashable, Sendable {
  /// One text of a field matches a pattern; nil is the property that is searched.
  case words(SearchTree, field: String?)
  case all([FieldConditions])
  case any([FieldConditions])
  case none(FieldConditions)
}

extension SearchTree {
  /// Whether the pattern names a field.
  package var namesFields: Bool {
    switch self {
    case .words: false
    case .conjunction(let parts), .disjunction(let parts): parts.contains(where: \.namesFields)
    case .negation(let part): part.namesFields
    case .inField: true
    }
  }

  /// The names of fields in their order, each as often as it is there.
  var fieldNames: [String] {
    switch self {
    case .words: []
    case .conjunction(let parts), .disjunction(let parts): parts.flatMap(\.fieldNames)
    case .negation(let part): part.fieldNames
    case .inField(let name, let part): [name] + part.fieldNames
    }
  }

  /// The pattern as conditions on single fields. What stands together, by AND or by OR, and names no field is one condition, so that one text has to match it;
  /// each name of a field begins another one. Of fields in one another the innermost counts. A NOT of what names fields is one of the object.
  package var fieldConditions: FieldConditions { conditions(in: nil) }

  private func conditions(in field: String?) -> FieldConditions {
    guard namesFields else { return .words(self, field: field) }
    switch self {
    case .words: return .words(self, field: field)
    case .conjunction(let parts): return Self.joined(parts, in: field, SearchTree.and, FieldConditions.all)
    case .disjunction(let parts): return Self.joined(parts, in: field, SearchTree.or, FieldConditions.any)
    case .negation(let part): return .none(part.conditions(in: field))
    case .inField(let name, let part): return part.conditions(in: name)
    }
  }

  private static func joined(
    _ parts: [SearchTree], in field: String?, _ join: ([SearchTree]) -> SearchTree,
    _ joinConditions: ([FieldConditions]) -> FieldConditions
  ) -> FieldConditions {
    let own = parts.filter { !$0.namesFields }
    let others = parts.filter(\.namesFields).map { $0.conditions(in: field) }
    return joinConditions((own.isEmpty ? [] : [.words(join(own), field: field)]) + others)
  }

  /// The pattern with `localhost:8080` as two words that follow one another, where the name is not that of a field: what stands there is
  /// the name of a computer, and a port of it.
  func readingPorts(unless isField: (String) -> Bool) -> SearchTree {
    switch self {
    case .words: return self
    case .conjunction(let parts): return .and(parts.map { $0.readingPorts(unless: isField) })
    case .disjunction(let parts): return .or(parts.map { $0.readingPorts(unless: isField) })
    case .negation(let part): return .not(part.readingPorts(unless: isField))
    case .inField(let name, .words(let text, let stars)):
      guard !stars.contains(.before), Self.beginsWithPort(text), !isField(name) else { return self }
      return .words("\(name):\(text)", stars)
    case .inField(let name, let part): return .field(name, part.readingPorts(unless: isField))
    }
  }

  /// Whether a text is the number of a port, perhaps with the path of an address behind it.
  private static func beginsWithPort(_ text: String) -> Bool {
    let digits = text.utf8.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard UInt16(String(decoding: digits, as: UTF8.self)) != nil else { return false }
    return text.utf8.dropFirst(digits.count).first.map("/?#".utf8.contains) ?? true
  }

  /// The pattern without what is looked for in fields that are left out: what is to be marked in the texts of the others.
  /// - Parameter isKept: Whether a field is kept; of nil, the property that is searched.
  func keeping(_ isKept: (String?) -> Bool, in field: String? = nil) -> SearchTree {
    switch self {
    case .words: isKept(field) ? self : .nothing
    case .conjunction(let parts): .and(parts.map { $0.keeping(isKept, in: field) })
    case .disjunction(let parts): .or(parts.map { $0.keeping(isKept, in: field) }.filter { $0 != .nothing })
    case .negation(let part): .not(part.keeping(isKept, in: field))
    case .inField(let name, let part): part.keeping(isKept, in: name)
    }
  }
}
