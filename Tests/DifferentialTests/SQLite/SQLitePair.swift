/// A comparison of two properties: as a condition over their values, which are rows of a type and a value on both sides.
struct SQLitePair {
  private let pair: Predicate.Pair
  private let left: SQLiteProperty
  private let right: SQLiteProperty

  init(_ pair: Predicate.Pair, _ left: SQLiteProperty, _ right: SQLiteProperty) {
    self.pair = pair
    self.left = left
    self.right = right
  }

  /// 0 or 1 of every row, and never NULL. Only that there are rows is asked, and a comparison with NULL is none that holds.
  func condition() throws -> SQL {
    let isExact = [left.type, right.type].contains { $0 == .exact || $0 == .users }
    let values = try left.values(isExact: isExact)
    let others = try right.values(isExact: isExact)
    let isComplement = pair.operation == .notEqual || pair.operation == .notIn
    let isRelated: SQL = "EXISTS (SELECT 1 FROM (\(others)) r WHERE r.type = l.type AND \(try related()))"
    let isRelatedToNone: SQL = "NOT \(isRelated)"
    func some(_ passes: SQL) -> SQL { "EXISTS (SELECT 1 FROM (\(values)) l WHERE \(passes))" }
    switch pair.quantifier {
    case nil: return "(\(isComplement ? "NOT " : "")\(some(isRelated)))"
    case .anyElement: return some(isComplement ? isRelatedToNone : isRelated)
    case .noElement: return "(NOT \(some(isComplement ? isRelatedToNone : isRelated)))"
    case .everyElement:
      let every: SQL = "NOT \(some(isComplement ? isRelated : isRelatedToNone))"
      guard case .metadata(let owner, let path) = left.place, !isComplement else { return "(\(every))" }
      return """
        (\(every) AND EXISTS (SELECT 1 FROM metadata e WHERE e.owner = \(owner) AND e.path = \(bind: .bytes(path))
          AND e.\(MetadataRow.Kind.isValue)))
        """
    }
  }

  /// How a value of the left side lies to one of the right side that is of its type. Booleans and references have no order.
  private func related() throws -> SQL {
    switch pair.operation {
    case .equal, .notEqual, .isIn, .notIn, .contains: return "l.value = r.value"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let symbol = SQL(stringLiteral: pair.operation.rawValue)
      let (boolean, reference) = (MetadataRow.Kind.boolean.sql, MetadataRow.Kind.reference.sql)
      return "l.type NOT IN (\(boolean), \(reference)) AND l.value \(symbol) r.value"
    case .between, .like, .beginsWith, .endsWith, .autocomplete, .related, .matchesText:
      throw Untranslated("the operator \(pair.operation.rawValue) of two properties")
    }
  }
}

extension SQLiteProperty {
  /// The property's values as rows, each with its type; an element without a value is a row with NULL.
  /// - Parameter isExact: Whether texts are to be as they were given.
  fileprivate func values(isExact: Bool) throws -> SQL {
    switch isExact ? given ?? place : place {
    case .value(let value): return "SELECT \(try kind) AS type, \(value) AS value"
    case .parts(let message, let column):
      return "SELECT \(try kind) AS type, \(column) AS value FROM part e WHERE e.message = \(message)"
    case .participants(let conversation):
      return "SELECT \(try kind) AS type, user AS value FROM participant WHERE conversation = \(conversation)"
    case .metadata(let owner, let path):
      let (text, element) = (MetadataRow.Kind.text.sql, MetadataRow.Kind.element.sql)
      let (list, dictionary) = (MetadataRow.Kind.list.sql, MetadataRow.Kind.dictionary.sql)
      let own: SQL = "e.owner = \(owner) AND e.path = \(bind: .bytes(path))"
      guard isExact else {
        return """
          SELECT CASE e.type WHEN \(element) THEN \(text) ELSE e.type END AS type, e.value AS value FROM metadata e
          WHERE \(own) AND e.type NOT IN (\(list), \(dictionary))
          """
      }
      return """
        SELECT e.type AS type, e.value AS value FROM metadata e
          WHERE \(own) AND e.type NOT IN (\(text), \(list), \(element), \(dictionary))
        UNION ALL SELECT \(text), e.value FROM givenText e WHERE \(own)
        """
    case .allMetadata: throw Untranslated("metadata beside a property")
    }
  }

  /// The type of a built-in property's values, as that of metadata; statuses, which metadata does not have, are 0.
  private var kind: SQL {
    get throws {
      switch type {
      case .text, .exact, .users: MetadataRow.Kind.text.sql
      case .number: MetadataRow.Kind.number.sql
      case .date: MetadataRow.Kind.date.sql
      case .boolean: MetadataRow.Kind.boolean.sql
      case .status, .transfer: "0"
      case .custom, .dictionary: throw Untranslated("a property that is no one value")
      }
    }
  }
}
