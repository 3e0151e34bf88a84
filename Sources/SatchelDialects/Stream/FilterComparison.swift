import SatchelModel
import SatchelQuery

/// A comparison of a filter, on its way to a predicate. That the key has the operator is known.
struct FilterComparison {
  let translation: FilterTranslation
  let key: String
  let comparing: FilterOperator
  let operand: QueryPredicate.Operand
  let meaning: KeyMeaning

  func predicate() throws -> QueryPredicate {
    switch comparing {
    case .notEqual: try equality(of: values(oneOrAll: true)).complement
    case .notIn: try oneOf(values()).complement
    case .equal: try equality(of: values(oneOrAll: true))
    case .in: try oneOf(values())
    case .exists: try exists()
    case .contains, .autocomplete: try matching()
    case .greater: try ordered(.greater)
    case .greaterOrEqual: try ordered(.greaterOrEqual)
    case .less: try ordered(.less)
    case .lessOrEqual: try ordered(.lessOrEqual)
    // The key does not have them.
    case .query, .and, .or, .nor: throw invalid("another operator")
    }
  }

  // MARK: Values

  /// Returns the values of the operand.
  /// - Parameter oneOrAll: Whether it may be a single value: then a list means all of its values.
  private func values(oneOrAll: Bool = false) throws -> [QueryPredicate.Constant] {
    switch operand {
    case .constant(let value) where oneOrAll: return [value]
    case .list(let values):
      guard !oneOrAll || isOfSeveral || values.count == 1 else {
        throw invalid("a single value, because the key has one: $in asks for one of several")
      }
      return values
    default: throw invalid(oneOrAll ? "a value or a list of values" : "a list of values")
    }
  }

  private func single() throws -> QueryPredicate.Constant {
    guard case .constant(let value) = operand else { throw invalid("a single value") }
    return value
  }

  /// Returns a value as those of the key are: none for null. A custom key may have a text as a date as well.
  private func converted(_ value: QueryPredicate.Constant) throws -> [QueryPredicate.Constant] {
    if value == .null {
      guard mayBeMissing else { throw invalid("a value, because this one is never missing") }
      return []
    }
    switch (kind, value) {
    case (.text, .text), (.identifier, .text), (.list, .text), (.participants, .text): return [value]
    case (.number, .integer), (.number, .number), (.date, .date): return [value]
    case (.date, .text(let text)):
      guard let date = Self.date(text) else { throw invalid(takes) }
      return [date]
    case (.custom, .text(let text)): return [value] + (Self.date(text).map { [$0] } ?? [])
    case (.custom, .integer), (.custom, .number), (.custom, .boolean), (.custom, .date): return [value]
    default: throw invalid(takes)
    }
  }

  private static func date(_ text: String) -> QueryPredicate.Constant? {
    (try? RFC3339.parse(text)).map { .date(Timestamp(microseconds: $0)) }
  }

  // MARK: Conditions

  private func compare(
    _ path: [String], _ comparing: QueryPredicate.Operator, _ operand: QueryPredicate.Operand
  ) -> QueryPredicate {
    .comparison(QueryPredicate.Comparison(translation.path(path), comparing, operand))
  }

  /// One value is equal, or a list has all of the values.
  private func equality(of values: [QueryPredicate.Constant]) throws -> QueryPredicate {
    if case .value(let path, .participants) = meaning {
      return compare(path, .contains, .list(try values.flatMap { try converted($0) }))
    }
    return .and(try values.map { try oneOf([$0]) })
  }

  /// The value is one of these, or a list has one of them.
  private func oneOf(_ values: [QueryPredicate.Constant]) throws -> QueryPredicate {
    switch meaning {
    case .flag(let path, let truths): return try flag(path, truths, values)
    case .firstDate(let first, let second):
      let dates = try values.flatMap { try converted($0) }
      return dates.isEmpty ? .false : either(first, second) { isOne(of: dates, $0) }
    case .value(let path, _):
      let isMissing = values.contains(.null) ? [compare(path, .equal, .null)] : []
      let present = try values.flatMap { try converted($0) }
      // A list of metadata's values has values of one type.
      let groups = (0...3).map { group in present.filter { Self.group($0) == group } }
      return .or(groups.filter { !$0.isEmpty }.map { isOne(of: $0, path) } + isMissing)
    case .attachmentTypes: return .or(try values.map { try attachment($0) })
    case .attachments, .missing, .refused: throw invalid(takes)
    }
  }

  /// Which values go together in a list.
  private static func group(_ value: QueryPredicate.Constant) -> Int {
    switch value {
    case .text, .null, .reference: 0
    case .integer, .number: 1
    case .boolean: 2
    case .date: 3
    }
  }

  private func isOne(of values: [QueryPredicate.Constant], _ path: [String]) -> QueryPredicate {
    if values.count == 1, kind != .participants { return compare(path, .equal, .constant(values[0])) }
    return compare(path, .in, .list(values))
  }

  private func ordered(_ comparing: QueryPredicate.Operator) throws -> QueryPredicate {
    let value = try single()
    if value == .null { throw invalid("a value: only $eq, $ne, $in and $nin take null") }
    if case .boolean = value, kind == .custom { throw invalid("a text, a number or a date") }
    let values = try converted(value)
    switch meaning {
    case .firstDate(let first, let second):
      return either(first, second) { path in .or(values.map { compare(path, comparing, .constant($0)) }) }
    case .value(let path, _): return .or(values.map { compare(path, comparing, .constant($0)) })
    default: throw invalid(takes)
    }
  }

  /// The condition on the first date, and where that is missing on the second one.
  private func either(
    _ first: [String], _ second: [String], _ condition: ([String]) -> QueryPredicate
  ) -> QueryPredicate {
    condition(first) || (compare(first, .equal, .null) && condition(second))
  }

  private func flag(
    _ path: [String], _ truths: [QueryPredicate.Constant], _ values: [QueryPredicate.Constant]
  ) throws -> QueryPredicate {
    let wanted = try Set(
      values.map { value in
        guard case .boolean(let truth) = value else { throw invalid(takes) }
        return truth
      })
    guard wanted.count == 1 else { return wanted.isEmpty ? .false : .true }
    let isTrue = wanted == [true]
    guard truths.count > 1 else {
      return compare(path, isTrue ? .equal : .notEqual, .constant(truths.first ?? .null))
    }
    return compare(path, isTrue ? .in : .notIn, .list(truths))
  }

  private func matching() throws -> QueryPredicate {
    let value = try single()
    guard case .text = value else { throw invalid("a text") }
    switch meaning {
    case .value(let path, _) where comparing == .autocomplete:
      return compare(path, .autocomplete, .constant(value))
    case .value(let path, .list), .value(let path, .custom): return compare(path, .member, .constant(value))
    case .value(let path, _): return compare(path, .contains, .constant(value))
    case .attachmentTypes: return try attachment(value)
    default: throw invalid(takes)
    }
  }

  private func exists() throws -> QueryPredicate {
    guard case .constant(.boolean(let exists)) = operand else { throw invalid("true or false") }
    switch meaning {
    case .value(let path, _) where mayBeMissing: return compare(path, exists ? .notEqual : .equal, .null)
    case .value, .firstDate, .flag: return exists ? .true : .false
    case .missing: return exists ? .false : .true
    case .attachments, .attachmentTypes:
      let isText = compare(["mimeType"], .beginsWith, .text("text/"))
      return .elements(exists ? .any : .none, of: ["parts"], .not(isText))
    case .refused: throw invalid(takes)
    }
  }

  /// The message has a part of a type: one of those that Stream tells by what is in a file, or a MIME type.
  private func attachment(_ value: QueryPredicate.Constant) throws -> QueryPredicate {
    let path = ["parts", "mimeType"]
    guard case .text(let type) = value else { throw invalid(takes) }
    if ["image", "video", "audio"].contains(type) { return compare(path, .beginsWith, .text(type + "/")) }
    guard type.utf8.contains(UInt8(ascii: "/")) else { throw invalid(takes) }
    return compare(path, .equal, .text(type))
  }

  private func invalid(_ instead: String) -> SatchelError {
    var context = translation.context(key, comparing)
    if case .list(let values) = operand, values.count > 20 {
      context["value"] = "a list of \(values.count)"
    } else {
      context["value"] = operand.description
    }
    context["instead"] = instead
    return SatchelError(.invalidValue, "The key and the operator do not take the value", context)
  }
}

extension QueryPredicate {
  /// What is true for exactly the other objects, without NOT where an operator has a complement.
  fileprivate var complement: QueryPredicate {
    if case .constant(let value) = form { return value ? .false : .true }
    guard case .comparison(let comparison) = form, comparison.quantifier == nil else { return .not(self) }
    let complements: [Operator: Operator] = [.equal: .notEqual, .notEqual: .equal, .in: .notIn, .notIn: .in]
    guard let comparing = complements[comparison.operator] else { return .not(self) }
    return .comparison(Comparison(comparison.path, comparing, comparison.operand))
  }
}

extension FilterTranslation {
  /// Returns the path from the objects that the predicate is about. The identifier of what a property leads to is that property.
  fileprivate func path(_ path: [String]) -> [String] {
    path == ["identifier"] && !prefix.isEmpty ? prefix : prefix + path
  }
}

extension FilterComparison {
  /// The type of the key's values.
  private var kind: KeyMeaning.ValueKind? {
    switch meaning {
    case .value(_, let kind): kind
    case .firstDate: .date
    default: nil
    }
  }

  /// Whether an object may have several values of the key.
  private var isOfSeveral: Bool {
    if case .attachmentTypes = meaning { return true }
    return kind == .participants || kind == .list || kind == .custom
  }

  private var mayBeMissing: Bool {
    guard case .value(_, let kind) = meaning else { return false }
    return [.text, .date, .list, .custom].contains(kind)
  }

  /// The values that the key takes, for an error.
  private var takes: String {
    if case .attachmentTypes = meaning {
      return "image, video, audio or a MIME type, such as application/pdf"
    }
    return kind?.rawValue ?? "true or false"
  }
}
