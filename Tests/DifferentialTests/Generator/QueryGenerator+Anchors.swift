/// Queries for a stretch beside an object or a date.
extension QueryGenerator {
  /// A query with an anchor: an object of the kind, be it a result or not, or a date.
  mutating func nextAnchored() throws -> GeneratedQuery {
    while true {
      var query = try next()
      let kind = ObjectKind(rawValue: query.kind)
      if random.percent(50) { query.predicate = typicalFilter(of: kind) }
      if random.percent(60) { query.sort = indexedOrder(of: kind) }
      sortMembers(&query)
      let isByDate =
        try query.sort.first.map { try snapshot.column(of: kind, SortKey($0).path).type == .date } ?? false
      let before = sideLength()
      let after = sideLength()
      if isByDate, random.percent(30) {
        let base = random.pick(snapshot.messages).record
        let date = base.sentAt ?? base.receivedAt ?? 0
        query.anchor = .aroundDate(date + Int64(random.below(3) - 1), before: before, after: after)
      } else {
        guard let (identifier, isResult) = try anchorObject(for: query, kind) else { continue }
        query.anchor = random.pick([.after(identifier), .before(identifier)])
        // What is not in a list is not shown around.
        if isResult, random.percent(33) {
          query.anchor = .around(identifier, before: before, after: after)
        }
      }
      return query
    }
  }

  private mutating func sideLength() -> Int {
    random.pick([0, 1, 2, 10, 10, 1_000, Int.max])
  }

  /// Often a result of the query, so that the stretch begins at one; and whether it is one.
  private mutating func anchorObject(
    for query: GeneratedQuery, _ kind: ObjectKind
  ) throws -> (identifier: String, isResult: Bool)? {
    let snapshot = query.membersOf.map { self.snapshot.showingMembers(of: ByteString($0)) } ?? self.snapshot
    let rows = try snapshot.rows(of: kind, where: query.predicate.map { try PredicateParser.parse($0) })
    let count = snapshot.count(of: kind)
    guard count > 0 else { return nil }
    let row = random.percent(60) && !rows.isEmpty ? random.pick(rows) : random.below(count)
    return (snapshot.identifier(of: kind, at: row).string, rows.contains(row))
  }

  /// Conditions that leave one run of an index, or few.
  private mutating func typicalFilter(of kind: ObjectKind) -> String? {
    let message = random.pick(snapshot.messages).record
    let conversation = quoted(message.conversation ?? "")
    let sender = quoted(message.sender)
    let date = Timestamp.format(message.sentAt ?? 1_700_000_000_000_000)
    switch kind {
    case .messages:
      return random.pick([
        "conversation = \(conversation)", "conversation = \(conversation) AND isUnread = TRUE",
        "isUnread = TRUE",
        "conversation = \(conversation) AND position = \(message.position ?? 0)",
        "conversation = \(conversation) AND position > 0", "sender.userID = \(sender)",
        "sender.userID IN {\(sender), 'alice', 'bob'}", "sender.userID = \(sender) AND sentAt = '\(date)'",
        "sentAt = '\(date)'", "sentAt >= '\(date)'", "sentAt = nil", "parts.mimeType = 'image/png'",
        "parts.mimeType = 'image/png' AND isUnread = TRUE", "sender.userID = \(sender) OR isUnread = TRUE",
      ])
    case .parts:
      return random.pick([
        "mimeType = 'text/plain'", "message.conversation = \(conversation)", "mimeType BEGINSWITH 'image/'",
        "message.sender.userID = \(sender)", "index = 0",
      ])
    case .conversations:
      return random.pick([
        "hasUnreadMessages = TRUE", "participants CONTAINS 'bob'", "metadata.title BEGINSWITH 'L'",
        "metadata.title = 'Lunch'", "participants IN {'bob', 'carol'}", "lastMessage.sentAt > '\(date)'",
        "createdAt = nil",
      ])
    case .announcements:
      return random.pick(["isUnread = TRUE", "sentAt > '\(date)'", "parts.mimeType = 'text/plain'"])
    case .identities:
      return random.pick([
        "displayName BEGINSWITH 'L'", "displayName > 'Caf'", "displayName = 'Lunch'", "userID > 'b'",
      ])
    case .records(let type): return typicalFilter(ofRecords: type)
    }
  }

  /// Orders that an index has, at least where the condition leaves one run of it.
  private mutating func indexedOrder(of kind: ObjectKind) -> [String] {
    let orders: [[String]] =
      switch kind {
      case .messages:
        [
          [], ["position"], ["sentAt"], ["conversation", "position"], ["sender.userID", "sentAt"],
          ["sender.userID"], ["sentAt", "position"], ["position", "sentAt"],
        ]
      case .parts:
        [[], ["message.sentAt"], ["message.position"], ["mimeType"], ["message.position", "index"]]
      case .conversations:
        [
          [], ["lastMessage.sentAt"], ["lastMessage.receivedAt"], ["createdAt"], ["metadata.title"],
          ["metadata.title", "createdAt"],
        ]
          + (snapshot.types[Responses.participation] == nil
            ? [] : [["my.pinnedAt", "lastMessage.sentAt"], ["my.isPinned"]])
      case .announcements: [[], ["sentAt"]]
      case .identities: [[], ["displayName"], ["userID"], ["displayName", "userID"]]
      case .records:
        [
          [], ["order"], ["due"], ["title"], ["list"], ["list", "order"], ["identifier"], ["createdAt"],
          ["updatedAt"], ["value"], ["tags"], ["list.title", "order"], ["message.sentAt"], ["after.order"],
        ]
      }
    let isDescending = random.percent(50)
    return random.pick(orders).map { isDescending ? "-" + $0 : $0 }
  }
}
