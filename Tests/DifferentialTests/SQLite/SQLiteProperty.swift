/// A query in whose form the translation has no place. It is counted, and not compared.
struct Untranslated: Error {
  static let fieldsOfPattern = "a pattern that names fields"

  let form: String

  init(_ form: String) {
    self.form = form
  }
}

/// Where a property of an object stands in the tables.
struct SQLiteProperty {
  enum Place {
    /// One value, or NULL.
    case value(SQL)
    /// That column of each of a message's parts, by the key of the message.
    case parts(message: SQL, column: SQL)
    /// The rows of metadata at a path.
    case metadata(owner: SQL, path: ByteString)
    /// All rows of metadata.
    case allMetadata(owner: SQL)
    /// The participants of a conversation, by its key.
    case participants(conversation: SQL)
  }

  let type: ValueType
  let place: Place
  /// Where a text stands as it was given; nil if it stands nowhere else, or is no column.
  var given: Place?
  /// As every path that ends in `position`.
  var sortsMissingLast = false
  /// Whether it is one of an object that a field of a record refers to: all of it is missing if there is no such object.
  var isReferenced = false
}

extension SQLiteProperty {
  private typealias Columns = [String: ValueType]

  private static let conversations: Columns = [
    "identifier": .exact, "remoteID": .exact, "participantCount": .number, "createdAt": .date,
    "isDistinct": .boolean, "hasUnreadMessages": .boolean, "unreadCount": .number, "messageCount": .number,
    "lastMessage": .exact, "lastMessage.sentAt": .date, "lastMessage.receivedAt": .date,
    "lastMessage.position": .number, "lastMessage.isUnread": .boolean, "lastMessage.sender.userID": .exact,
  ]

  private static let messages: Columns = [
    "identifier": .exact, "remoteID": .exact, "conversation": .exact, "position": .number,
    "sender.userID": .exact, "sender.displayName": .text, "sentAt": .date, "receivedAt": .date,
    "editedAt": .date, "deletedAt": .date, "isSent": .boolean, "isUnread": .boolean,
  ]

  private static let ofParts: Columns = [
    "mimeType": .exact, "size": .number, "text": .text, "transferStatus": .transfer,
  ]

  private static let parts: Columns = ofParts.merging([
    "identifier": .exact, "message": .exact, "index": .number,
  ]) { own, _ in own }

  private static let identities: Columns = Dictionary(
    uniqueKeysWithValues: [("identifier", .exact), ("userID", .exact), ("followed", .boolean)]
      + SQLiteTables.names.map { ($0, ValueType.text) })

  /// What every record has.
  private static let records: Columns = [
    "identifier": .exact, "owner": .exact, "createdAt": .date, "createdBy": .exact, "updatedAt": .date,
    "updatedBy": .exact,
  ]

  /// The property of a kind at a path, with the names that the tables of a question have: `c`, `m`, `p`, `i` and `r`.
  /// - Parameter types: The record types that are declared.
  init(_ kind: ObjectKind, _ path: PropertyPath, _ types: [ByteString: ModelRecordType]) throws {
    let keys = path.components[...]
    switch kind {
    case .conversations: self = try Self.conversation(keys)
    case .messages: self = try Self.message(keys)
    case .announcements:
      guard keys.first != "conversation" else { throw Untranslated("a conversation of an announcement") }
      self = try Self.message(keys)
    case .parts where keys.first == "message" && keys.count > 1: self = try Self.message(keys.dropFirst())
    case .parts: self = try Self.column(Self.parts, of: "p", keys)
    case .identities: self = try Self.identity(keys)
    case .records where Self.isOfEveryRecord(keys): self = try Self.column(Self.records, of: "r", keys)
    case .records(let type): self = try Self.field(of: type, at: "r.key", keys, types)
    }
  }

  /// The property of a part `e`.
  init(ofElement path: PropertyPath) throws {
    self = try Self.column(Self.ofParts, of: "e", path.components[...])
  }

  init(type: ValueType, _ place: Place) {
    self.type = type
    self.place = place
  }

  static func conversation(_ keys: ArraySlice<ByteString>) throws -> SQLiteProperty {
    if keys.elementsEqual(["participants"]) {
      return .init(type: .users, .participants(conversation: "c.key"))
    }
    if keys.count == 2, keys.first == "my", let name = keys.last,
      (Responses.flags + Responses.values).contains(name)
    {
      return .init(type: .custom, .metadata(owner: "-c.key", path: name))
    }
    return try metadata(of: "c.key", keys) ?? column(conversations, of: "c", keys)
  }

  static func identity(_ keys: ArraySlice<ByteString>) throws -> SQLiteProperty {
    try metadata(of: "i.key", keys) ?? column(identities, of: "i", keys)
  }

  static func message(_ keys: ArraySlice<ByteString>) throws -> SQLiteProperty {
    if let property = metadata(of: "m.key", keys) { return property }
    switch (keys.first, keys.count) {
    case ("conversation", 2...): return try conversation(keys.dropFirst())
    case ("recipientStatus", 2):
      let user = SQLValue.bytes(keys[keys.startIndex + 1])
      return .init(
        type: .status,
        .value("(SELECT status FROM recipient WHERE message = m.key AND user = \(bind: user))"))
    case ("parts", 2):
      let name = keys[keys.startIndex + 1].string
      guard let type = ofParts[name] else { throw Untranslated("parts.\(name)") }
      var property = SQLiteProperty(
        type: type, .parts(message: "m.key", column: SQL(stringLiteral: "e.\(name)")))
      if type == .text {
        property.given = .parts(
          message: "m.key", column: SQL(stringLiteral: "e.\"\(SQLiteTables.given(name))\""))
      }
      return property
    default: return try column(messages, of: "m", keys)
    }
  }

  static func isOfEveryRecord(_ keys: ArraySlice<ByteString>) -> Bool {
    records[keys.first?.string ?? ""] != nil
  }

  /// What every record has, of the record that is `t`.
  static func ofEveryRecord(_ keys: ArraySlice<ByteString>) throws -> SQLiteProperty {
    try column(records, of: "t", keys)
  }

  private static func metadata(of owner: SQL, _ keys: ArraySlice<ByteString>) -> SQLiteProperty? {
    guard keys.first == "metadata" else { return nil }
    return keys.count == 1
      ? .init(type: .dictionary, .allMetadata(owner: owner))
      : .init(type: .custom, .metadata(owner: owner, path: SQLiteTables.path(keys.dropFirst())))
  }

  private static func column(
    _ columns: Columns, of table: String, _ keys: ArraySlice<ByteString>
  ) throws -> SQLiteProperty {
    let name = keys.map(\.string).joined(separator: ".")
    guard let type = columns[name] else { throw Untranslated("the property \(name)") }
    var property = SQLiteProperty(type: type, .value(SQL(stringLiteral: "\(table).\"\(name)\"")))
    property.sortsMissingLast = keys.last == "position"
    if type == .text {
      property.given = .value(SQL(stringLiteral: "\(table).\"\(SQLiteTables.given(name))\""))
    }
    return property
  }
}

/// As what a query is sorted and grouped by.
extension SQLiteProperty {
  /// Two expressions that sort together: the type of the value, and the value. The type of what is missing is NULL.
  func typeAndValue() throws -> (type: SQL, value: SQL) {
    switch place {
    case .value(let value): return ("CASE WHEN \(value) IS NOT NULL THEN 0 END", value)
    case .metadata(let owner, let path):
      let row: SQL = """
        FROM metadata WHERE owner = \(owner) AND path = \(bind: .bytes(path)) AND \(MetadataRow.Kind.isValue)
        """
      return ("(SELECT type \(row))", "(SELECT value \(row))")
    case .parts, .allMetadata, .participants: throw Untranslated("an order by what has none")
    }
  }
}
