/// The queries an application's screens make, with operands from the data.
extension QueryGenerator {
  /// Nil when the data has nothing to ask for.
  mutating func typicalQuery() throws -> GeneratedQuery? {
    guard !snapshot.messages.isEmpty else { return nil }
    let message = random.pick(snapshot.messages)
    let conversation = quoted(message.record.conversation ?? "")
    let user = quoted(snapshot.user)
    switch random.below(22) {
    case 0:
      return query(.messages, "isUnread = TRUE AND sender.userID != \(user)", select: .count)
    case 1:
      return query(.messages, "conversation = \(conversation)", sort: ["-position"], limit: 20)
    case 2:
      return query(.messages, "conversation = \(conversation) AND isUnread = TRUE", select: .count)
    case 3:
      let week = (message.record.sentAt ?? 1_700_000_000_000_000) - 7 * 86_400_000_000
      return query(.messages, "sentAt > '\(Timestamp.format(week))'", sort: ["-sentAt"], limit: 50)
    case 4:
      let part = snapshot.parts.isEmpty ? nil : random.pick(snapshot.parts)
      return query(
        .messages, "parts.mimeType = \(quoted(part?.record.mimeType ?? "image/png"))", sort: ["sentAt"])
    case 5:
      return query(.conversations, nil, sort: ["-lastMessage.receivedAt"], limit: 25)
    case 6:
      return query(.conversations, "hasUnreadMessages = TRUE", sort: ["-lastMessage.sentAt"], limit: 25)
    case 7:
      let set = random.pick(snapshot.conversations).record.participants.filter { $0 != snapshot.user }
        .sorted()
      return query(.conversations, "participants = {\(set.map(quoted).joined(separator: ", "))}")
    case 8:
      let operation = random.percent(50) ? "IN" : "NOT IN"
      let set = (0..<3).map { _ in random.pick(users()) }
      return query(.conversations, "participants \(operation) {\(set.map(quoted).joined(separator: ", "))}")
    case 9: return try metadataQuery()
    case 10:
      let names = snapshot.identities.compactMap { $0.names["displayName"] }
      guard !names.isEmpty else { return nil }
      let start = ByteString(scalars: Array(random.pick(names).scalars.prefix(2)))
      return query(.identities, "displayName LIKE \(quoted(start + "%"))", sort: ["firstName", "lastName"])
    case 11:
      return query(
        .messages, "sender.userID = \(quoted(message.record.sender))", sort: ["-sentAt"], limit: 20)
    case 12:
      let (kind, predicate) = typicalPair(conversation)
      return query(kind, predicate, limit: random.percent(50) ? 20 : nil)
    case 13:
      return query(
        .parts, "message = \(quoted(message.record.identifier)) OR message.conversation = \(conversation)",
        sort: ["message.position", "index"])
    case 14: return try orderQuery()
    case 15...17: return typicalRecordQuery()
    case 18...20: return typicalResponseQuery(about: message)
    default:
      return query(
        .messages, "conversation.participants CONTAINS \(quoted(random.pick(users()))) AND isUnread = TRUE",
        sort: ["conversation.lastMessage.receivedAt", "-position"], limit: 30, offset: random.below(40))
    }
  }

  /// The first objects in the order of one property, whichever it is: mostly of all objects.
  private mutating func orderQuery() throws -> GeneratedQuery? {
    let kinds: [ObjectKind] = [.messages, .conversations, .announcements, .identities]
    start(random.pick(kinds + snapshot.recordTypes.map { .records($0) }))
    let kind = kind
    guard let key = try sortKeys().first else { return nil }
    let predicate = random.percent(30) ? text(of: try predicate()) : nil
    return query(
      kind, predicate, sort: [key], limit: 1 + random.below(40),
      offset: random.percent(20) ? random.below(40) : nil)
  }

  private mutating func metadataQuery() throws -> GeneratedQuery? {
    start(.conversations)
    let paths = Set(
      snapshot.conversations.flatMap { $0.record.metadata.paths() }.filter(\.isValue).map(\.path))
    guard !paths.isEmpty else { return nil }
    let path = PropertyPath(["metadata"] + random.pick(paths.sorted { $0.lexicographicallyPrecedes($1) }))
    let column = try snapshot.column(of: .conversations, path)
    let first = random.pick(column.values)
    let values = ([first] + (0..<2).map { _ in random.pick(column.values) }).compactMap { value in
      switch (first, value) {
      case (.string, .string(let text)): Predicate.Literal.string(text)
      case (.integer, .integer(let value)), (.double, .integer(let value)): .integer(value)
      case (.integer, .double(let value)), (.double, .double(let value)): .double(value)
      case (.boolean, .boolean(let value)): .boolean(value)
      case (.date, .date(let date)): .date(date)
      default: nil
      }
    }
    let clause = Predicate.comparison(.init(path: path, operation: .isIn, operand: .list(values)))
    return query(.conversations, text(of: clause), sort: ["-lastMessage.receivedAt"])
  }

  private func query(
    _ kind: ObjectKind, _ predicate: String?, sort: [String] = [], limit: Int? = nil, offset: Int? = nil,
    select: GeneratedQuery.Selection = .identifiers
  ) -> GeneratedQuery {
    GeneratedQuery(
      kind: kind.rawValue, predicate: predicate, sort: sort, limit: limit, offset: offset, select: select)
  }

  func quoted(_ text: ByteString) -> String {
    var printer = PredicatePrinter()
    return printer.quoted(text)
  }
}

extension ByteString {
  fileprivate static func + (left: ByteString, right: ByteString) -> ByteString {
    ByteString(utf8: left.utf8 + right.utf8)
  }
}
