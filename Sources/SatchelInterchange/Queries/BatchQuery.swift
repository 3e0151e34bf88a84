import SatchelLines
internal import SatchelModel
package import SatchelQuery

/// One line of `query --batch`: a query as a JSON object, or the objects of some identifiers.
package struct BatchQuery {
  /// Of records without a type if the line asks for `records`: then whoever answers says which types there are.
  package private(set) var description: QueryDescription
  /// The identifiers whose objects are asked for, in place of a query; nil for a query.
  package private(set) var identifiers: [String]?
  package private(set) var select = ResultType.objects
  package private(set) var explain = false

  /// Reads a query from a line.
  /// - Throws: ``SatchelError`` `syntaxError` if the line is not a JSON object, or its predicate or a sort key cannot
  ///   be parsed; for anything else `invalidValue`, which names the key.
  package init(_ line: [UInt8]) throws {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: line)
    } catch {
      throw SatchelError(.syntaxError, "A line of a batch is one JSON object", ["found": error.description])
    }
    guard case .object(let object) = value else {
      throw SatchelError(.syntaxError, "A line of a batch is one JSON object")
    }
    guard let from = try Self.text(object["from"], "from") else {
      throw Self.error("from", Self.kinds, "nothing")
    }
    if let kind = ObjectKind(rawValue: from) {
      description = QueryDescription(kind: kind)
    } else {
      guard Reference.isRecordType(from) else { throw Self.error("from", Self.kinds, from) }
      description = QueryDescription(kind: .records)
      description.recordType = from
    }
    var around: String?
    for member in object.members { try read(member, &around) }
    if let around { description.surround(around) }
    if let identifiers = try Self.identifiers(object["id"]) {
      self.identifiers = identifiers
      for member in object.members where !["from", "id", "select"].contains(member.key) {
        if case .null = member.value { continue }
        throw Self.error(
          member.key, "only from and select beside id, which asks for objects by name", member.key)
      }
    }
  }

  private static let kinds = "one of \(ObjectKind.names), or the name of a record type"

  private mutating func read(_ member: JSONObject.Member, _ around: inout String?) throws {
    let key = member.key
    switch key {
    case "from", "id": break
    case "where":
      if let text = try Self.text(member.value, key) {
        description.predicate = try QueryPredicate(format: text, arguments: [])
      }
    case "membersOf": description.membersOf = try Self.text(member.value, key).map { Conversation.ID($0) }
    case "sort": description.sort = try Self.sortKeys(member.value)
    case "limit": description.limit = try Self.integer(member.value, key)
    case "offset": description.offset = try Self.integer(member.value, key) ?? 0
    case "after", "before", "around":
      guard let identifier = try Self.text(member.value, key) else { break }
      guard description.anchor == nil, around == nil else {
        throw Self.error(key, "only one of after, before and around", "another one of them")
      }
      switch key {
      case "after": description.anchor = .after(identifier)
      case "before": description.anchor = .before(identifier)
      default: around = identifier
      }
    case "select":
      guard let name = try Self.text(member.value, key) else { break }
      guard let type = ResultType(rawValue: name) else {
        throw Self.error(key, "one of objects, identifiers, count", name)
      }
      select = type
    case "explain":
      switch member.value {
      case .bool(let value): explain = value
      case .null: break
      default: throw Self.error(key, "true or false", "another value")
      }
    default:
      throw Self.error(
        key, "from, id, where, membersOf, sort, limit, offset, after, before, around, select, explain",
        "another key")
    }
  }

  private static func sortKeys(_ value: JSONValue) throws -> [SortKey] {
    switch value {
    case .null: return []
    case .string(let text): return try SortKey.keys(text)
    case .array(let elements):
      return try elements.flatMap { element in
        guard case .string(let text) = element else {
          throw error("sort", "sort keys, which are texts", "another value")
        }
        return try SortKey.keys(text)
      }
    default: throw error("sort", "an array of sort keys", "another value")
    }
  }

  private static func identifiers(_ value: JSONValue?) throws -> [String]? {
    switch value {
    case nil: return nil
    // Of any other key null is the same as none. Here that would be all objects for a program that has no identifier.
    case .null: throw error("id", "an identifier or an array of them", "null")
    case .string(let text): return [text]
    case .array(let elements):
      return try elements.map { element in
        guard case .string(let text) = element else {
          throw error("id", "an identifier or an array of them, which are texts", "another value")
        }
        return text
      }
    default: throw error("id", "an identifier or an array of them", "another value")
    }
  }

  private static func text(_ value: JSONValue?, _ key: String) throws -> String? {
    switch value {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw error(key, "a text", "another value")
    }
  }

  private static func integer(_ value: JSONValue, _ key: String) throws -> Int? {
    switch value {
    case .null: return nil
    case .integer(let number), .whole(let number, _): return Int(clamping: number)
    default: throw error(key, "a whole number", "another value")
    }
  }

  private static func error(_ key: String, _ expected: String, _ found: String) -> SatchelError {
    SatchelError(
      .invalidValue, "A key of a batch query is unknown or has a value that it does not take",
      ["property": key, "expected": expected, "found": found])
  }
}
