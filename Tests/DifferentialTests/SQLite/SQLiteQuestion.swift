/// A query as one statement.
struct SQLiteQuestion {
  private let query: GeneratedQuery
  private let kind: ObjectKind
  private let user: ByteString
  private let types: [ByteString: ModelRecordType]
  private let keys: [SortKey]

  /// - Parameter types: The record types that are declared.
  init(_ query: GeneratedQuery, user: ByteString, types: [ByteString: ModelRecordType]) throws {
    self.query = query
    self.types = types
    kind = ObjectKind(rawValue: query.kind)
    self.user = user
    keys = try query.sort.map { try SortKey($0) }
  }

  /// The type of the property that results are counted by.
  var groupType: ValueType {
    get throws { try SQLiteProperty(kind, SortKey(query.countedBy ?? "").path, types).type }
  }

  func statement() throws -> SQL {
    let page = try page()
    return switch query.select {
    case .identifiers: page
    case .count: "SELECT count(*) FROM (\(page))"
    case .groups:
      """
      SELECT kind, value, count(*) FROM (\(page)) GROUP BY kind, value ORDER BY kind, value
      """
    }
  }

  /// The rows that a query gives, in their order.
  private func page() throws -> SQL {
    let columns = try columns()
    let condition = try condition()
    let order = try order()
    guard let anchor = query.anchor else {
      return "SELECT \(columns) FROM \(tables) WHERE \(condition) ORDER BY \(order) \(limit)"
    }
    // The place of each object among all of its kind, be it a result or not.
    let date: SQL =
      if case .aroundDate = anchor, let key = keys.first {
        ", \(try SQLiteProperty(kind, key.path, types).typeAndValue().value) AS date"
      } else {
        ""
      }
    let identifier: SQL = "\(SQL(stringLiteral: alias)).identifier AS name"
    return """
      WITH ranked AS (SELECT \(columns), \(identifier), \(condition) AS holds,
        row_number() OVER (ORDER BY \(order)) AS place\(date) FROM \(tables))
      \(stretch(at: anchor))
      """
  }

  private func stretch(at anchor: ExpectedAnchor) -> SQL {
    func own(_ identifier: String) -> SQL {
      "(SELECT place FROM ranked WHERE name = \(bind: .bytes(ByteString(identifier))))"
    }
    func around(_ isEarlier: SQL, own: SQL, _ isLater: SQL, _ before: Int, _ after: Int) -> SQL {
      """
      SELECT \(names) FROM (
        SELECT * FROM (SELECT * FROM ranked WHERE holds AND \(isEarlier) ORDER BY place DESC LIMIT \(bind: SQLValue(before)))
        UNION ALL SELECT * FROM ranked WHERE holds AND \(own)
        UNION ALL
        SELECT * FROM (SELECT * FROM ranked WHERE holds AND \(isLater) ORDER BY place LIMIT \(bind: SQLValue(after)))
      ) ORDER BY place \(limit)
      """
    }
    switch anchor {
    case .after(let identifier):
      return "SELECT \(names) FROM ranked WHERE holds AND place > \(own(identifier)) ORDER BY place \(limit)"
    case .before(let identifier):
      return """
        SELECT \(names) FROM (SELECT * FROM ranked WHERE holds AND place < \(own(identifier))
          ORDER BY place DESC \(limit)) ORDER BY place
        """
    case .around(let identifier, let before, let after):
      let place = own(identifier)
      return around("place < \(place)", own: "place = \(place)", "place > \(place)", before, after)
    case .aroundDate(let date, let before, let after):
      // Missing dates come first ascending, and last descending.
      let date = SQLValue.integer(date)
      let isEarlier: SQL =
        keys.first?.isDescending == true
        ? "(date > \(bind: date)) IS TRUE" : "(date >= \(bind: date)) IS NOT TRUE"
      return around(isEarlier, own: "0", "NOT (\(isEarlier))", before, after)
    }
  }

  private var limit: SQL {
    "LIMIT \(bind: SQLValue(query.limit ?? -1)) OFFSET \(bind: SQLValue(query.offset ?? 0))"
  }

  private func condition() throws -> SQL {
    guard let predicate = query.predicate else { return "1" }
    return try SQLiteTranslation(kind: kind, user: user, types: types).condition(
      PredicateParser.parse(predicate))
  }
}

/// What is taken from where.
extension SQLiteQuestion {
  private var alias: String {
    switch kind {
    case .conversations: "c"
    case .messages, .announcements: "m"
    case .parts: "p"
    case .identities: "i"
    case .records: "r"
    }
  }

  private var tables: SQL {
    switch kind {
    case .conversations: return "conversations c"
    case .messages: return "messages m JOIN conversations c ON c.identifier = m.conversation"
    case .announcements: return "announcements m"
    case .parts:
      return """
        parts p JOIN messages m ON m.key = p.messageKey JOIN conversations c ON c.identifier = m.conversation
        """
    case .records(let type): return "(SELECT * FROM record WHERE type = \(bind: .bytes(type))) r"
    case .identities:
      guard let conversation = query.membersOf else { return "identities i" }
      // Who has no identity is one of a user id alone. Of a conversation in which the user does not take part nobody is seen.
      let own = SQLValue.bytes(user)
      let names = (SQLiteTables.names + SQLiteTables.names.map(SQLiteTables.given))
        .map { SQL(stringLiteral: "known.\"\($0)\"") }.joined(by: ", ")
      return """
        (SELECT known.key, u.user AS identifier, u.user AS userID, \(names), 0 AS followed
          FROM conversation k JOIN participant u ON u.conversation = k.key
            LEFT JOIN identity known ON known.userID = u.user
          WHERE k.identifier = \(bind: .bytes(ByteString(conversation)))
            AND EXISTS (SELECT 1 FROM participant WHERE conversation = k.key AND user = \(bind: own))) i
        """
    }
  }

  /// The names of the columns that a selection asks for.
  private var names: SQL {
    query.select == .groups ? "kind, value" : "identifier"
  }

  private func columns() throws -> SQL {
    guard query.select == .groups else { return "\(SQL(stringLiteral: alias)).identifier" }
    let property = try SQLiteProperty(kind, SortKey(query.countedBy ?? "").path, types)
    let (type, value) = try property.typeAndValue()
    guard let clocks = query.clocks else {
      // A list belongs to no one group.
      let list = MetadataRow.Kind.list.sql
      return
        "CASE WHEN \(value) IS NOT NULL AND \(type) <> \(list) THEN \(type) END AS kind, \(value) AS value"
    }
    let isDate: SQL =
      switch property.type {
      case .date: "\(value) IS NOT NULL"
      case .custom: "\(type) = \(MetadataRow.Kind.date.sql)"
      default: throw Untranslated("days of what is no date")
      }
    // The beginning of the day that the clocks show, in UTC again.
    let ahead = SQLValue.integer(clocks * 1_000_000)
    let shown: SQL = "(\(value) + \(bind: ahead))"
    let day: SQL = "86400000000"
    return """
      CASE WHEN \(isDate) THEN \(type) END AS kind,
      CASE WHEN \(isDate) THEN \(shown) - (\(shown) % \(day) + \(day)) % \(day) - \(bind: ahead) END AS value
      """
  }

  /// SQLite has NULL first ascending and last descending, as missing values are. What ties is in the order of its creation, in the
  /// direction of the last key.
  private func order() throws -> SQL {
    var terms: [SQL] = []
    for key in keys {
      let direction: SQL = key.isDescending ? " DESC" : " ASC"
      let property = try SQLiteProperty(kind, key.path, types)
      let (type, value) = try property.typeAndValue()
      if property.sortsMissingLast { terms.append("\(value) IS NULL\(direction)") }
      if property.type == .custom { terms.append("\(type)\(direction)") }
      terms.append("\(value)\(direction)")
    }
    let direction: SQL = keys.last?.isDescending == true ? " DESC" : " ASC"
    switch kind {
    case .conversations: terms.append("c.key\(direction)")
    case .messages, .announcements: terms.append("m.key\(direction)")
    case .parts: terms += ["m.key\(direction)", "p.\"index\"\(direction)"]
    case .identities: terms.append("i.key\(direction)")
    case .records: terms.append("r.key\(direction)")
    }
    return terms.joined(by: ", ")
  }
}

extension SQLValue {
  fileprivate init(_ number: Int) {
    self = .integer(Int64(number))
  }
}
