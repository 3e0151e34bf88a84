import SatchelModel
import SatchelQuery

/// Skygear's predicates, which are lists: an operator, and what it takes.
enum SkygearPredicate {
  /// The operators that compare two sides; what each becomes, and what it becomes where the key path stands on the right.
  private static let comparisons:
    [String: (operator: QueryPredicate.Operator, flipped: QueryPredicate.Operator)] = [
      "eq": (.equal, .equal), "neq": (.notEqual, .notEqual), "gt": (.greater, .less),
      "gte": (.greaterOrEqual, .lessOrEqual), "lt": (.less, .greater), "lte": (.lessOrEqual, .greaterOrEqual),
      "in": (.in, .member),
    ]
  private static let operators = "eq neq gt gte lt lte like ilike in and or not"

  /// Returns the predicate of a list; of an empty one, what is true for every record.
  static func predicate(_ value: SkygearJSON) throws -> QueryPredicate {
    guard case .list(let list) = value else {
      throw SkygearError.syntax("a list that begins with an operator", found: value.kind)
    }
    guard let first = list.first else { return .true }
    guard case .text(let name) = first else {
      throw SkygearError.syntax("one of " + operators, found: first.kind)
    }
    let rest = list.dropFirst()
    switch name {
    case "and": return .and(try rest.map { try predicate($0) })
    case "or": return .or(try rest.map { try predicate($0) })
    case "not":
      guard rest.count == 1, let inner = rest.first else {
        throw SkygearError.syntax("one predicate behind not", found: "\(rest.count)")
      }
      return .not(try predicate(inner))
    case "func": return try relation(list)
    default: break
    }
    guard rest.count == 2, let left = rest.first, let right = rest.last else {
      throw SkygearError.syntax("an operator and two sides", found: "\(name) with \(rest.count) sides")
    }
    switch name {
    case "like": return try like(left, right, ignoringCase: false)
    case "ilike": return try like(left, right, ignoringCase: true)
    default:
      guard let comparison = comparisons[name] else {
        throw SkygearError.syntax("one of " + operators, found: name)
      }
      return try compare(left, right, comparison.operator, comparison.flipped)
    }
  }

  private static func compare(
    _ left: SkygearJSON, _ right: SkygearJSON, _ comparing: QueryPredicate.Operator,
    _ flipped: QueryPredicate.Operator
  ) throws -> QueryPredicate {
    guard isPath(left) else {
      guard isPath(right) else { throw noPath(left) }
      return try compare(right, left, flipped, comparing)
    }
    let path = try path(left)
    let operand: QueryPredicate.Operand =
      isPath(right) ? .path(try self.path(right)) : try self.operand(right, beside: path)
    switch (comparing, operand) {
    case (.in, .constant): throw SkygearError.syntax("a list behind in", found: right.kind)
    case (.member, .list): throw SkygearError.syntax("a single value before in", found: right.kind)
    default: break
    }
    return .comparison(QueryPredicate.Comparison(path, comparing, operand))
  }

  /// A pattern of SQL: `%` is any text, `_` one scalar, and `\` makes the next one literal. What LIKE of a store says only without regard to case is
  /// said by the operators for beginnings, ends and contents.
  private static func like(
    _ left: SkygearJSON, _ right: SkygearJSON, ignoringCase: Bool
  ) throws -> QueryPredicate {
    guard isPath(left) else { throw noPath(left) }
    guard case .text(let pattern) = right else {
      throw SkygearError.syntax("a text behind like", found: right.kind)
    }
    let path = try path(left)
    func compare(_ comparing: QueryPredicate.Operator, _ text: String) -> QueryPredicate {
      .comparison(QueryPredicate.Comparison(path, comparing, .text(text)))
    }
    if ignoringCase { return compare(.like, pattern) }
    let scalars = Array(pattern.unicodeScalars)
    let leads = scalars.first == "%"
    let isWhole = scalars.count == 1 && leads
    let trails =
      !isWhole && scalars.last == "%" && scalars.dropLast().reversed().prefix { $0 == "\\" }.count % 2 == 0
    let middle = scalars.dropFirst(leads ? 1 : 0).dropLast(trails ? 1 : 0)
    var text = String.UnicodeScalarView()
    var isLiteral = false
    for scalar in middle {
      if isLiteral || (scalar != "\\" && scalar != "%" && scalar != "_") {
        text.append(scalar)
        isLiteral = false
      } else if scalar == "\\" {
        isLiteral = true
      } else {
        throw SkygearError.refused(
          "LIKE never regards case in a store, and no other operator has such a pattern", "like '\(pattern)'",
          instead: "ilike, or a pattern with % at its ends alone")
      }
    }
    guard !isLiteral else {
      throw SkygearError.syntax("a scalar behind the last \\ of the pattern", found: right.kind)
    }
    switch (leads, trails || isWhole) {
    case (true, true): return compare(.contains, String(text))
    case (true, false): return compare(.endsWith, String(text))
    case (false, true): return compare(.beginsWith, String(text))
    case (false, false): return compare(.equal, String(text))
    }
  }

  // MARK: Key paths

  private static func isPath(_ value: SkygearJSON) -> Bool {
    switch value {
    case .object(let members): if case .text("keypath")? = members["$type"] { true } else { false }
    // A function, which is refused as a key path.
    case .list(let list): if case .text("func")? = list.first { true } else { false }
    default: false
    }
  }

  /// The keys that Skygear has of its own, with the properties of records.
  private static let properties = [
    "_id": "identifier", "_owner": "owner", "_owner_id": "owner", "_created_at": "createdAt",
    "_created_by": "createdBy", "_updated_at": "updatedAt", "_updated_by": "updatedBy",
  ]

  /// Returns the path to a property or a field. It may lead through references.
  static func path(_ value: SkygearJSON) throws -> [String] {
    if case .list(let list) = value, case .text("func")? = list.first { throw refusedFunction(list) }
    guard case .object(let members) = value, case .text("keypath")? = members["$type"],
      case .text(let text)? = members["$val"], members.count == 2
    else { throw SkygearError.syntax("{\"$type\": \"keypath\", \"$val\": \"title\"}", found: value.kind) }
    let keys = MetadataPath(dotted: text)
    if let fault = keys.fault(.fields) {
      throw SatchelError(.unqueryableProperty, MetadataPath.message, ["property": text, "found": fault])
    }
    return try keys.keys.map { name in
      if let property = properties[name] { return property }
      if name == "_access" || name == "_database_id" {
        throw SkygearError.refused(
          "Records have no access control and belong to one store", text,
          instead: "owner says to whom a record belongs")
      }
      // A record has a property of this name, and so no field.
      if properties.values.contains(name) {
        throw SatchelError(
          .unqueryableProperty, "The name of a property of every record is none of a field",
          ["property": text, "found": name, "instead": "another name for the field"])
      }
      return name
    }
  }

  private static func noPath(_ left: SkygearJSON) -> SatchelError {
    SkygearError.syntax("a key path on one side", found: left.kind)
  }

  static func refusedFunction(_ list: [SkygearJSON]) -> SatchelError {
    switch list.dropFirst().first {
    case .text("userRelation")?:
      SkygearError.syntax("userRelation as a predicate of its own", found: "userRelation in place of a value")
    case .text("distance")?:
      SkygearError.refused(
        "No index of a store answers distances", "func distance",
        instead: "bounds on two fields of numbers, for a rectangle")
    case let other:
      SkygearError.syntax("userRelation or distance behind func", found: other?.kind ?? "nothing")
    }
  }

  // MARK: Values

  private static func operand(_ value: SkygearJSON, beside path: [String]) throws -> QueryPredicate.Operand {
    guard case .list(let list) = value else { return .constant(try constant(value, beside: path)) }
    return .list(try list.map { try constant($0, beside: path) })
  }

  private static func constant(_ value: SkygearJSON, beside path: [String]) throws -> QueryPredicate.Constant
  {
    switch value {
    case .null: return .null
    case .boolean(let truth): return .boolean(truth)
    case .integer(let number): return .integer(number)
    case .number(let number): return .number(number)
    case .text(let text): return .text(text)
    case .list: throw SkygearError.syntax("a single value", found: value.kind)
    case .object(let members):
      guard case .text(let type)? = members["$type"] else {
        throw SkygearError.refused(
          "An object is no value that a query compares with", value.kind,
          instead: "compare the values in it by key paths")
      }
      return try marked(type, members, beside: path)
    }
  }

  /// Returns a value that is marked by its type.
  private static func marked(
    _ type: String, _ members: [String: SkygearJSON], beside path: [String]
  ) throws -> QueryPredicate.Constant {
    let found = SkygearJSON.object(members).kind
    switch type {
    case "date":
      guard case .text(let text)? = members["$date"], let microseconds = try? RFC3339.parse(text) else {
        throw SkygearError.syntax("a $date in RFC 3339", found: found)
      }
      return .date(Timestamp(microseconds: microseconds))
    case "ref":
      guard let reference = reference(members) else {
        throw SkygearError.syntax("a $recordType and a $recordID, or an $id such as list/work", found: found)
      }
      // Users are identifiers there, and records have references in fields alone.
      let isOwn = path.last.map { ["identifier", "owner", "createdBy", "updatedBy"].contains($0) } ?? false
      return isOwn ? .text(reference.name) : .reference(reference)
    case "geo", "asset", "seq", "relation", "unknown", "record":
      throw SkygearError.refused(
        "Fields have no values of this type", "$type \(type)",
        instead: "texts, numbers, Booleans, dates and references")
    default:
      throw SkygearError.syntax("a $type of date, ref or keypath", found: "$type \(type)")
    }
  }

  private static func reference(_ members: [String: SkygearJSON]) -> Reference? {
    if case .text(let type)? = members["$recordType"], case .text(let name)? = members["$recordID"] {
      return Reference(type: type, name: name)
    }
    guard case .text(let id)? = members["$id"], let slash = id.firstIndex(of: "/") else { return nil }
    return Reference(type: String(id[..<slash]), name: String(id[id.index(after: slash)...]))
  }
}
