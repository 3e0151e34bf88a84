import SatchelModel
import SatchelQuery
import SatchelReading
import SatchelRecords
import SatchelText

extension Executor {
  /// Checks that what declared fields, also those behind `my`, are compared with is of their types: a field of whole numbers is equal to no
  /// text, and only a user is related to users. Of a field that is not declared, the type of the constant decides, and a value of another one
  /// passes nothing but complements.
  /// - Parameters:
  ///   - kind: The kind of the objects that are asked for.
  ///   - type: The type of the records that are asked for; nil for other objects.
  /// - Throws: ``SatchelError`` `invalidValue`, or `unsupportedPredicate` for RELATED, which names the field's type and what would be right.
  func checkDeclaredFields(
    _ predicate: QueryPredicate, of kind: ObjectKind, ofRecords type: RecordType?
  ) throws {
    switch predicate.form {
    case .constant, .elements, .invalid: return
    case .not(let predicate): try checkDeclaredFields(predicate, of: kind, ofRecords: type)
    case .and(let predicates), .or(let predicates):
      for predicate in predicates { try checkDeclaredFields(predicate, of: kind, ofRecords: type) }
    case .comparison(let comparison):
      let field =
        try type.map { try declaredField(comparison.path, of: $0) }
        ?? Self.ownField(comparison.path, of: kind)
      guard let field, !field.type.takes(comparison) else { return }
      guard comparison.operator != .related else {
        throw SatchelError(
          .unsupportedPredicate, "A field that is asked for relations refers to identities",
          [
            "property": comparison.path.spelledPath, "operator": comparison.operator.rawValue,
            "found": field.type.description,
          ])
      }
      // What the parser and a closure make of a path alone.
      let isPathAlone = comparison.operator == .equal && comparison.operand == .boolean(true)
      throw SatchelError(
        .invalidValue,
        "A declared field compares with values of its type, and the value is of another one",
        [
          "property": comparison.path.spelledPath, "declared": field.type.description,
          "operator": comparison.operator == .member ? "IN" : comparison.operator.rawValue,
          "value": comparison.operand.description,
          "expected": field.type.expected(insteadOf: comparison.operand)
            + (isPathAlone ? "; a property alone means = TRUE" : ""),
        ])
    }
  }

  /// Returns the declared field behind `my` at which a path ends; nil of any other property.
  private static func ownField(_ path: [String], of kind: ObjectKind) -> RecordType.Field? {
    OwnState.field(path, of: kind).flatMap { StoreFeature.participations.recordType.field(named: $0) }
  }

  /// Returns the declared field at which a path ends, through references to records; nil of any other property.
  private func declaredField(_ path: [String], of type: RecordType) throws -> RecordType.Field? {
    var owner: RecordType? = type
    for name in path.dropLast() {
      guard let target = owner?.field(named: name)?.type.neededType else { return nil }
      owner = try snapshot.recordType(named: target)?.type
    }
    return path.last.flatMap { owner?.field(named: $0) }
  }
}

extension FieldType {
  /// Whether a value of the type may pass a comparison, as far as types decide that.
  fileprivate func takes(_ comparison: QueryPredicate.Comparison) -> Bool {
    if comparison.operator == .related {
      // Its operand says what the relation is.
      guard case .reference(let target) = self else { return false }
      return target.map { UTF8Order.areEqual($0, Reference.identities) } ?? true
    }
    switch comparison.operand {
    case .path, .constant(.null): return true
    case .constant(let constant): return takes(constant)
    case .dictionary: return false
    case .list(let constants):
      let isWhole = comparison.operator == .equal || comparison.operator == .notEqual
      return (!isWhole || self == .texts) && constants.allSatisfy(takes)
    }
  }

  private func takes(_ constant: QueryPredicate.Constant) -> Bool {
    switch (self, constant) {
    case (.text, .text), (.texts, .text), (.integer, .integer), (.integer, .number), (.number, .integer),
      (.number, .number), (.boolean, .boolean), (.date, .date), (.reference, .reference):
      true
    default: false
    }
  }

  fileprivate func expected(insteadOf operand: QueryPredicate.Operand) -> String {
    switch self {
    case .text: return "a text in quotation marks"
    case .integer, .number: return "a number"
    case .boolean: return "TRUE or FALSE"
    case .date:
      guard case .constant(.text(let text)) = operand, let date = try? RFC3339.parse(text),
        let spelled = try? RFC3339.format(microseconds: date)
      else { return "a date without quotation marks, such as 2026-01-31T09:30:00Z" }
      return "a date without quotation marks: \(spelled)"
    case .texts: return "a text, or behind = and != a list of texts"
    case .reference(let target):
      return "a reference, such as REFERENCE('\((target ?? Reference.messages).oneLine)', 'NAME')"
    }
  }
}
