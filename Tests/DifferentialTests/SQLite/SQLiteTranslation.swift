/// Predicates as conditions of SQL, written from the semantics and not from the store's code or the model's.
/// Documentation/SQLiteProof.md tells where the two logics differ, and what is done about it.
struct SQLiteTranslation {
  let kind: ObjectKind
  let user: ByteString
  let types: [ByteString: ModelRecordType]
  /// Whether paths begin at a part `e` of the message, and not at an object of the kind.
  var isOfElement = false

  /// A condition that is 0 or 1 of every row, and never NULL.
  func condition(_ predicate: Predicate) throws -> SQL {
    switch predicate {
    case .and(let operands): return try all(operands, joinedBy: " AND ", empty: "1")
    case .or(let operands): return try all(operands, joinedBy: " OR ", empty: "0")
    case .not(let operand): return "(NOT \(try condition(operand)))"
    case .comparison(let comparison):
      let property =
        try isOfElement
        ? SQLiteProperty(ofElement: comparison.path) : SQLiteProperty(kind, comparison.path, types)
      return try condition(comparison, property)
    case .pair(let pair):
      guard !isOfElement else { throw Untranslated("two properties of one element") }
      return try SQLitePair(
        pair, SQLiteProperty(kind, pair.left, types), SQLiteProperty(kind, pair.right, types)
      ).condition()
    case .elements(let quantifier, _, let inner):
      let holds = try SQLiteTranslation(kind: kind, user: user, types: types, isOfElement: true).condition(
        inner)
      let parts: SQL = "EXISTS (SELECT 1 FROM part e WHERE e.message = m.key AND"
      return switch quantifier {
      case .anyElement: "(\(parts) \(holds)))"
      case .noElement: "(NOT \(parts) \(holds)))"
      case .everyElement: "(NOT \(parts) NOT \(holds)))"
      }
    default:
      // What predicates learn is translated above; until then it is counted.
      guard case .constant(let holds) = predicate else { throw Untranslated("a predicate of another form") }
      return holds ? "1" : "0"
    }
  }

  private func all(_ operands: [Predicate], joinedBy joint: String, empty: SQL) throws -> SQL {
    operands.isEmpty ? empty : "(\(try operands.map(condition).joined(by: joint)))"
  }

  private func condition(_ comparison: Predicate.Comparison, _ property: SQLiteProperty) throws -> SQL {
    if comparison.operation == .related { return try related(comparison, property) }
    let question = try SQLiteComparison(comparison, property.type)
    switch property.place {
    case .value(let value):
      guard comparison.quantifier == nil else { throw Untranslated("a quantifier before one value") }
      if question.isNil { return "(\(value) IS \(question.isComplement ? "NOT NULL" : "NULL"))" }
      return "((\(try question.test(value))) IS \(question.isComplement ? "NOT TRUE" : "TRUE"))"
    case .parts(let message, let column):
      let elements: SQL = "SELECT 1 FROM part e WHERE e.message = \(message) AND"
      if question.isNil {
        return "(\(question.isComplement ? "" : "NOT ")EXISTS (\(elements) \(column) IS NOT NULL))"
      }
      return try quantified(question, elements, test: question.test(column), isThere: nil)
    case .metadata(let owner, let path):
      let rows: SQL =
        "SELECT 1 FROM metadata e WHERE e.owner = \(owner) AND e.path = \(bind: .bytes(path)) AND"
      let isThere: SQL = "EXISTS (\(rows) e.\(MetadataRow.Kind.isValue))"
      if question.isNil { return "(\(question.isComplement ? "" : "NOT ")\(isThere))" }
      if let tree = try question.tree() {
        guard comparison.quantifier == nil else {
          throw Untranslated("an element that is a list or a dictionary")
        }
        let isEqual = equals(tree, owner: owner, at: path)
        return "(\(question.isComplement ? "NOT " : "")\(isEqual))"
      }
      let elements: SQL =
        "\(rows) e.type NOT IN (\(MetadataRow.Kind.list.sql), \(MetadataRow.Kind.dictionary.sql)) AND"
      return try quantified(question, elements, test: question.customTest(), isThere: isThere)
    case .allMetadata(let object) where property.isReferenced && question.isNil,
      .participants(let object) where property.isReferenced && question.isNil:
      return "(\(object) IS \(question.isComplement ? "NOT NULL" : "NULL"))"
    case .allMetadata(let owner):
      guard let tree = try question.tree(), comparison.quantifier == nil else {
        throw Untranslated("metadata and no dictionary")
      }
      let isThere: SQL = property.isReferenced ? "(\(owner) IS NOT NULL)" : "1"
      return
        "(\(question.isComplement ? "NOT " : "")(\(isThere) AND \(equals(tree, owner: owner, at: ""))))"
    case .participants(let conversation):
      guard comparison.quantifier == nil else { throw Untranslated("a quantifier of participants") }
      let holds = try question.participants(of: conversation, user: user)
      return "(\(question.isComplement ? "NOT " : "")\(holds))"
    }
  }

  /// - Parameter isThere: Whether there is a value at all, where all of none are not the same as a missing one.
  private func quantified(
    _ question: SQLiteComparison, _ elements: SQL, test: SQL, isThere: SQL?
  ) throws -> SQL {
    // An element without a value passes complements, and nothing else.
    let passes: SQL = "(\(test)) IS \(question.isComplement ? "NOT TRUE" : "TRUE")"
    switch question.quantifier {
    case nil: return "(\(question.isComplement ? "NOT " : "")EXISTS (\(elements) (\(test)) IS TRUE))"
    case .anyElement: return "EXISTS (\(elements) \(passes))"
    case .noElement: return "(NOT EXISTS (\(elements) \(passes)))"
    case .everyElement:
      let every: SQL = "NOT EXISTS (\(elements) NOT (\(passes)))"
      guard let isThere, !question.isComplement else { return "(\(every))" }
      return "(\(every) AND \(isThere))"
    }
  }

  /// Whether what stands at a path of metadata is a tree, which is a list or a dictionary: as many rows, and each of its own.
  /// - Parameter path: Empty for all of an object's metadata.
  private func equals(_ tree: MetadataTree, owner: SQL, at path: ByteString) -> SQL {
    let own: SQL = "FROM metadata WHERE owner = \(owner)"
    let prefix = path.isEmpty ? path : ByteString(utf8: path.utf8 + [0])
    let below: SQL = "substr(path, 1, \(bind: .integer(Int64(prefix.utf8.count)))) = \(bind: .bytes(prefix))"
    let wanted = MetadataRow.all(of: tree, at: path)
    let count: SQL = "SELECT count(*) \(own)"
    let number = SQLValue.integer(Int64(wanted.count))
    // An empty text is NULL to substr, and all of an object's rows are below it.
    let total: SQL =
      path.isEmpty
      ? "(\(count)) = \(bind: number)"
      : "(\(count) AND (path = \(bind: .bytes(path)) OR \(below))) = \(bind: number)"
    return "(\(([total] + wanted.map { equal($0, own) }).joined(by: " AND ")))"
  }

  private func equal(_ row: MetadataRow, _ own: SQL) -> SQL {
    // Inside of metadata an empty list and an empty dictionary are one.
    let types: SQL =
      row.mayBeDictionary ? "\(MetadataRow.Kind.list.sql), \(MetadataRow.Kind.dictionary.sql)" : row.type.sql
    return """
      EXISTS (SELECT 1 \(own) AND path = \(bind: .bytes(row.path)) AND type IN (\(types)) AND value IS \(bind: row.value))
      """
  }
}
