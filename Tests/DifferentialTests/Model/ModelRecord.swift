/// What names an object in a field of a record: a record type, `conversations`, `messages` or `identities`, and an identifier.
struct ModelReference: Hashable, Sendable {
  let type: ByteString
  let name: ByteString

  /// What references compare by: the type, a zero byte, the identifier.
  var bytes: ByteString { ByteString(utf8: type.utf8 + [0] + name.utf8) }
}

/// A declared type of records.
struct ModelRecordType: Sendable {
  enum Action: String, Sendable { case restrict, nullify, cascade }

  struct Field: Sendable {
    /// As the interchange format spells it.
    let type: ByteString
    /// Nil for the usual one.
    var action: Action?
  }

  let name: ByteString
  var fields: [ByteString: Field] = [:]
}

extension ModelRecordType.Field {
  var isReference: Bool { type == "reference" || target != nil }

  /// The type of the objects that are referred to; nil if it may be any, or if these are no references.
  var target: ByteString? {
    let prefix = "reference to ".utf8
    return type.utf8.starts(with: prefix) ? ByteString(utf8: Array(type.utf8.dropFirst(prefix.count))) : nil
  }

  func accepts(_ value: MetadataTree) -> Bool {
    switch (type.string, value) {
    case ("text", .text), ("integer", .integer), ("number", .integer), ("number", .number),
      ("boolean", .boolean), ("date", .date), ("texts", .list), ("reference", .reference):
      true
    case (_, .reference(let reference)): target == reference.type
    default: false
    }
  }

  /// What becomes of a record when the object is deleted to which it refers.
  func action(for target: ByteString) -> ModelRecordType.Action {
    if let action { return action }
    return ["conversations", "messages", "identities"].contains(target) ? .nullify : .restrict
  }
}

/// An object of a type of the application's own.
struct ModelRecord: Hashable, Sendable {
  let creation: Int
  let id: ModelReference
  var owner: ByteString
  /// Microseconds.
  let createdAt: Int64
  let createdBy: ByteString
  var updatedAt: Int64
  var updatedBy: ByteString
  /// A dictionary.
  var fields: MetadataTree

  static let reservedNames: Set<ByteString> = [
    "identifier", "owner", "createdAt", "createdBy", "updatedAt", "updatedBy",
  ]

  /// The values at the top, by their keys.
  var values: [ByteString: MetadataTree] {
    if case .dictionary(let values) = fields { values } else { [:] }
  }
}
