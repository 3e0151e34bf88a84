/// Declared fields compare with constants of their types alone: anything else is an error.
extension Snapshot {
  /// The declared field at which a path of records ends; nil of any other property.
  func declaredField(of kind: ObjectKind, _ path: PropertyPath) -> ModelRecordType.Field? {
    guard case .records(var type) = kind else { return ownField(of: kind, path.components) }
    for name in path.components.dropLast() {
      guard let target = types[type]?.fields[name]?.target else { return nil }
      type = target
    }
    return path.components.last.flatMap { types[type]?.fields[$0] }
  }

  /// The same of what a conversation, or that of a message, is to the store's user.
  private func ownField(of kind: ObjectKind, _ path: [ByteString]) -> ModelRecordType.Field? {
    let rest: ArraySlice<ByteString>
    switch kind {
    case .conversations: rest = path[...]
    case .messages where path.first == "conversation": rest = path.dropFirst()
    default: return nil
    }
    guard rest.count == 2, rest.first == "my", let name = rest.last,
      (Responses.flags + Responses.values).contains(name)
    else { return nil }
    return types[Responses.participation]?.fields[name]
  }

  func checkDeclaredField(_ comparison: Predicate.Comparison, of kind: ObjectKind) throws {
    guard let field = declaredField(of: kind, comparison.path), !comparison.fits(field) else { return }
    throw comparison.unsupported("the field is declared as \(field.type.string)")
  }
}

extension Predicate.Comparison {
  /// Whether the operand is of a declared field's type.
  func fits(_ field: ModelRecordType.Field) -> Bool {
    if operand == .null || operation == .related { return true }
    var literals = [operand]
    if case .list(let elements) = operand {
      // A list is equal to a list alone.
      if operation == .equal || operation == .notEqual, field.type != "texts" { return false }
      literals = elements
    }
    return literals.allSatisfy { literal in
      switch (field.type.string, literal) {
      case ("text", .string), ("texts", .string), ("integer", .integer), ("integer", .double),
        ("number", .integer), ("number", .double), ("boolean", .boolean), ("date", .date):
        true
      case (_, .reference): field.isReference
      default: false
      }
    }
  }
}
