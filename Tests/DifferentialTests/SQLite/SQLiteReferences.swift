/// Fields of records, and what stands behind the declared ones that refer to other objects. The object is found by its name in the table of
/// all that references lead to, where it has the key by which its rows are found in the others; what none leads to is NULL.
extension SQLiteProperty {
  /// A field of the record whose key an expression gives.
  static func field(
    of type: ByteString, at key: SQL, _ keys: ArraySlice<ByteString>, _ types: [ByteString: ModelRecordType]
  ) throws -> SQLiteProperty {
    guard keys.count > 1, let name = keys.first, let field = types[type]?.fields[name], field.isReference
    else { return .init(type: .custom, .metadata(owner: key, path: SQLiteTables.path(keys))) }
    guard let target = field.target else { throw Untranslated("a property of what may be anything") }
    let object = Self.object(of: target, referredToBy: name, of: key)
    var property = try behind(object, of: target, keys.dropFirst(), types)
    property.isReferenced = true
    return property
  }

  private static func behind(
    _ object: SQL, of target: ByteString, _ keys: ArraySlice<ByteString>,
    _ types: [ByteString: ModelRecordType]
  ) throws -> SQLiteProperty {
    switch target.string {
    case "conversations":
      return try conversation(keys).mapped { "(SELECT \($0) FROM conversations c WHERE c.key = \(object))" }
    case "messages":
      return try message(keys).mapped {
        """
        (SELECT \($0) FROM messages m JOIN conversations c ON c.identifier = m.conversation WHERE m.key = \(object))
        """
      }
    case "identities":
      return try identity(keys).mapped { "(SELECT \($0) FROM identities i WHERE i.key = \(object))" }
    default:
      guard types[target] != nil else { throw Untranslated("a property of a type that is not declared") }
      guard isOfEveryRecord(keys) else { return try field(of: target, at: object, keys, types) }
      return try ofEveryRecord(keys).mapped { "(SELECT \($0) FROM record t WHERE t.key = \(object))" }
    }
  }

  /// The key of the object that a field of a record refers to.
  private static func object(of target: ByteString, referredToBy field: ByteString, of record: SQL) -> SQL {
    let prefix = ModelReference(type: target, name: "").bytes
    let length = SQLValue.integer(Int64(prefix.utf8.count))
    return """
      (SELECT f.key FROM metadata e JOIN referred f ON f.name = substr(e.value, \(bind: length) + 1)
        WHERE e.owner = \(record) AND e.path = \(bind: .bytes(SQLiteTables.path([field])))
          AND e.type = \(MetadataRow.Kind.reference.sql)
          AND substr(e.value, 1, \(bind: length)) = \(bind: .bytes(prefix)) AND f.type = \(bind: .bytes(target)))
      """
  }

  /// The same property with each expression about the object in the place of the one that a function makes of it.
  private func mapped(_ change: (SQL) -> SQL) -> SQLiteProperty {
    var property = SQLiteProperty(type: type, place.mapped(change))
    property.given = given?.mapped(change)
    property.sortsMissingLast = sortsMissingLast
    return property
  }
}

extension SQLiteProperty.Place {
  fileprivate func mapped(_ change: (SQL) -> SQL) -> Self {
    switch self {
    case .value(let value): .value(change(value))
    case .parts(let message, let column): .parts(message: change(message), column: column)
    case .metadata(let owner, let path): .metadata(owner: change(owner), path: path)
    case .allMetadata(let owner): .allMetadata(owner: change(owner))
    case .participants(let conversation): .participants(conversation: change(conversation))
    }
  }
}
