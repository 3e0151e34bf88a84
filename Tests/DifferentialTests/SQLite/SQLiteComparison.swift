/// A comparison as a test of one value. What negates is the complement of what it negates, which whoever asks takes of the whole.
struct SQLiteComparison {
  let operation: Predicate.Operation
  let isComplement: Bool
  let quantifier: Predicate.Quantifier?
  private let form: TextForm
  private let operand: Predicate.Literal
  private let type: ValueType

  init(_ comparison: Predicate.Comparison, _ type: ValueType) throws {
    switch comparison.operation {
    case .notEqual: (operation, isComplement) = (.equal, true)
    case .notIn: (operation, isComplement) = (.isIn, true)
    // `= nil` is the complement of there being a value.
    default: (operation, isComplement) = (comparison.operation, false)
    }
    quantifier = comparison.quantifier
    form = comparison.form
    operand = comparison.operand
    self.type = type
    if isNil, operation != .equal || quantifier != nil { throw Untranslated("nil beside another operator") }
  }

  /// Whether this is `= nil`, or as a complement `!= nil`.
  var isNil: Bool { operand == .null }

  /// The list or the dictionary that a value of metadata is to be equal to; nil if the operand is another one.
  func tree() throws -> MetadataTree? {
    guard operation == .equal else { return nil }
    switch operand {
    case .list, .dictionary: return try Self.tree(operand)
    default: return nil
    }
  }

  private static func tree(_ literal: Predicate.Literal) throws -> MetadataTree {
    switch literal {
    case .string(let text): return .text(text)
    case .integer(let integer): return .integer(integer)
    case .double(let number): return .number(number)
    case .boolean(let flag): return .boolean(flag)
    case .date(let date): return .date(date)
    case .reference(let reference): return .reference(reference)
    case .dictionary(let members): return .dictionary(try members.mapValues(tree))
    case .list(let elements):
      return .list(
        try elements.map { element in
          guard case .string(let text) = element else { throw Untranslated("a list of other than texts") }
          return text
        })
    default: throw Untranslated("an operand of another form in a dictionary")
    }
  }

  private func elements() throws -> [Predicate.Literal] {
    guard case .list(let elements) = operand else { throw Untranslated("an operand that is no set") }
    return elements
  }
}

/// Properties of one type.
extension SQLiteComparison {
  /// The test of a built-in property's value, NULL where SQLite has it so.
  func test(_ value: SQL) throws -> SQL {
    switch type {
    case .text, .exact, .number, .date, .boolean, .status, .transfer: try test(value, operand: bound)
    case .custom, .users, .dictionary: throw Untranslated("a property that is no one value")
    }
  }

  /// The test of `e`, a value of metadata or an element of a list: the literal's type decides.
  func customTest() throws -> SQL {
    let literals = operation == .isIn || operation == .between ? try elements() : [operand]
    guard let first = literals.first else { return "0" }
    let types = try customTypes(first)
    guard try literals.allSatisfy({ try customTypes($0) == types }) else {
      throw Untranslated("operands of several types")
    }
    let list = types.map(\.sql).joined(by: ", ")
    var test = try test("e.value", operand: customBound)
    if first.isReference {
      // It means the object, which may have another name.
      let wanted = try literals.map { "\(bind: try customBound($0))" as SQL }.joined(by: ", ")
      test =
        "(\(test) OR e.value IN (SELECT other FROM otherName WHERE reference IN (\(wanted))))"
    }
    return "(e.type IN (\(list)) AND \(test))"
  }

  private func customTypes(_ literal: Predicate.Literal) throws -> [MetadataRow.Kind] {
    switch literal {
    case .string: return [.text, .element]
    case .integer, .double: return [.number]
    case .boolean: return [.boolean]
    case .date: return [.date]
    case .reference: return [.reference]
    default: throw Untranslated("an operand of another form beside metadata")
    }
  }

  private func test(_ value: SQL, operand bound: (Predicate.Literal) throws -> SQLValue) throws -> SQL {
    switch operation {
    case .equal: return "\(value) = \(bind: try bound(operand))"
    case .less: return "\(value) < \(bind: try bound(operand))"
    case .lessOrEqual: return "\(value) <= \(bind: try bound(operand))"
    case .greater: return "\(value) > \(bind: try bound(operand))"
    case .greaterOrEqual: return "\(value) >= \(bind: try bound(operand))"
    case .isIn:
      let wanted = try elements().map { "\(bind: try bound($0))" as SQL }
      return "\(value) IN (\(wanted.joined(by: ", ")))"
    case .between:
      let bounds = try elements()
      guard bounds.count == 2 else { throw Untranslated("other than two bounds") }
      return "\(value) BETWEEN \(bind: try bound(bounds[0])) AND \(bind: try bound(bounds[1]))"
    case .like, .beginsWith, .endsWith, .contains, .autocomplete:
      guard case .bytes(let text) = try bound(operand) else {
        throw Untranslated("a pattern that is no text")
      }
      return pattern(text, value)
    case .matchesText:
      guard case .string(let text) = operand else { throw Untranslated("a pattern that is no text") }
      return try SearchQuestion(text).map { try search($0, value) } ?? "0"
    // Complements are taken of the whole; what operators there will be besides is translated here.
    default: throw Untranslated("the operator \(operation.rawValue)")
    }
  }

  private func customBound(_ literal: Predicate.Literal) throws -> SQLValue {
    switch literal {
    case .string(let text): return .bytes(SQLiteTexts.composed(text))
    case .integer(let integer): return .integer(integer)
    case .double(let number): return .real(number)
    case .boolean(let flag): return SQLValue(flag)
    case .date(let date): return .integer(date)
    case .reference(let reference): return .bytes(reference.bytes)
    default: throw Untranslated("an operand of another form beside metadata")
    }
  }

  private func bound(_ literal: Predicate.Literal) throws -> SQLValue {
    switch (type, literal) {
    case (.text, .string(let text)): return .bytes(SQLiteTexts.composed(text))
    case (.exact, .string(let text)): return .bytes(text)
    case (.status, .string(let status)): return .bytes(status)
    case (.transfer, .string(let status)):
      guard let place = transferStatuses.firstIndex(of: status) else { throw Untranslated("no such status") }
      return .integer(Int64(place))
    case (.number, .integer(let integer)): return .integer(integer)
    case (.number, .double(let number)): return .real(number)
    case (.date, .date(let date)): return .integer(date)
    case (.date, .string(let text)):
      guard let date = Timestamp.parse(text) else { throw Untranslated("no date") }
      return .integer(date)
    case (.boolean, .boolean(let flag)): return SQLValue(flag)
    default: throw Untranslated("an operand of another form")
    }
  }
}

/// Texts, which are bytes, and participants.
extension SQLiteComparison {
  private func pattern(_ text: ByteString, _ value: SQL) -> SQL {
    if operation == .like {
      // SQLite's own LIKE, over texts that have no cases left.
      let wanted = SQLValue.bytes(Self.closed(SQLiteTexts.caseless(text)))
      return "CAST(caseless(\(value)) AS TEXT) LIKE CAST(\(bind: wanted) AS TEXT) ESCAPE '\\'"
    }
    if operation == .autocomplete { return beginnings(SQLiteTexts.words(text), value) }
    var (formed, wanted) = (value, text)
    if form.contains(.markless) { (formed, wanted) = ("markless(\(formed))", SQLiteTexts.markless(wanted)) }
    if form.contains(.caseless) { (formed, wanted) = ("caseless(\(formed))", SQLiteTexts.caseless(wanted)) }
    let count: SQL = "\(bind: .integer(Int64(wanted.utf8.count)))"
    // Of bytes that are none there is no part, not even an empty one: substr gives NULL.
    switch operation {
    case .beginsWith:
      return
        "\(formed) IS NOT NULL AND coalesce(substr(\(formed), 1, \(count)), x'') = \(bind: .bytes(wanted))"
    case .endsWith:
      let start: SQL = "length(\(formed)) - \(count) + 1"
      return """
        length(\(formed)) >= \(count) AND coalesce(substr(\(formed), \(start)), x'') = \(bind: .bytes(wanted))
        """
    default: return "instr(\(formed), \(bind: .bytes(wanted))) > 0"
    }
  }

  /// That every one of these words begins a word of the value.
  private func beginnings(_ words: [ByteString], _ value: SQL) -> SQL {
    let tests = words.map { word in
      "instr(words(\(value)), \(bind: .bytes(SQLiteTexts.marked(word)))) > 0" as SQL
    }
    return tests.isEmpty ? "0" : "(\(tests.joined(by: " AND ")))"
  }

  /// What a pattern of full-text search asks of a value.
  private func search(_ question: SearchQuestion, _ value: SQL) throws -> SQL {
    switch question {
    case .field: throw Untranslated(Untranslated.fieldsOfPattern)
    case .all(let parts):
      return "(\(try parts.map { try search($0, value) }.joined(by: " AND ")))"
    case .any(let parts):
      return "(\(try parts.map { try search($0, value) }.joined(by: " OR ")))"
    case .none(let part): return "NOT \(try search(part, value))"
    case .leaf(.part(let wanted)):
      return "instr(sought(\(value)), \(bind: .bytes(ByteString(scalars: wanted)))) > 0"
    case .leaf(.word(let wanted, let isBeginning, let isEnding)):
      let text = SQLiteTexts.marked([wanted], isOpenBefore: isEnding, isOpenBehind: isBeginning)
      return "instr(searched(\(value)), \(bind: .bytes(text))) > 0"
    case .leaf(.phrase(let elements, let isBeginning, let isEnding)):
      guard !elements.contains(where: \.isNext) else { throw Untranslated("characters in a phrase") }
      let text = SQLiteTexts.marked(
        elements.map(\.scalars), isOpenBefore: isEnding && elements[0].isWord,
        isOpenBehind: isBeginning && elements[elements.count - 1].isWord)
      return "instr(placed(\(value)), \(bind: .bytes(text))) > 0"
    }
  }

  /// A pattern whose last escape escapes something: SQLite matches nothing with one that does not, and here it stands for itself.
  private static func closed(_ pattern: ByteString) -> ByteString {
    let escapes = pattern.utf8.reversed().prefix { $0 == 0x5C }.count
    return escapes % 2 == 0 ? pattern : ByteString(utf8: pattern.utf8 + [0x5C])
  }

  /// The set of a conversation's participants: equal to a set to which the store's user is added, some of a set, or one.
  func participants(of conversation: SQL, user: ByteString) throws -> SQL {
    func identifier(_ literal: Predicate.Literal) throws -> ByteString {
      guard case .string(let text) = literal else { throw Untranslated("a participant that is no text") }
      return text
    }
    let all: SQL = "FROM participant WHERE conversation = \(conversation)"
    func among(_ users: Set<ByteString>) -> SQL {
      "\(all) AND user IN (\(users.map { "\(bind: .bytes($0))" as SQL }.joined(by: ", ")))"
    }
    switch operation {
    case .equal:
      let wanted = Set(try elements().map(identifier)).union([user])
      let number = SQLValue.integer(Int64(wanted.count))
      return """
        ((SELECT count(*) \(all)) = \(bind: number) AND (SELECT count(*) \(among(wanted))) = \(bind: number))
        """
    case .isIn: return "EXISTS (SELECT 1 \(among(Set(try elements().map(identifier)))))"
    case .contains: return "EXISTS (SELECT 1 \(all) AND user = \(bind: .bytes(try identifier(operand))))"
    default: throw Untranslated("an operator of participants")
    }
  }
}
