import TestSupport

/// What a chat asks by participants' states, and of reactions, replies and participations.
extension QueryGenerator {
  /// Nil of a store that keeps none of them.
  mutating func typicalResponseQuery(about message: Snapshot.Message) -> GeneratedQuery? {
    let kinds: [ObjectKind] =
      (snapshot.types[Responses.participation] == nil ? [] : [.conversations, .messages])
      + Responses.types.filter { snapshot.types[$0] != nil }.map { .records($0) }
    guard !kinds.isEmpty else { return nil }
    let kind = random.pick(kinds)
    var query = GeneratedQuery(kind: kind.rawValue)
    (query.predicate, query.sort) = responseQuestion(of: kind, message)
    if random.percent(50) { query.limit = 1 + random.below(30) }
    if random.percent(20) { query.offset = random.below(20) }
    query.select = random.percent(25) ? .count : .identifiers
    if case .records(Responses.reaction) = kind, random.percent(30) {
      query.select = .groups
      query.countedBy = random.pick(["kind", "state", "user", "message", "message.sender.userID"])
      (query.sort, query.limit, query.offset) = ([], nil, nil)
    }
    return query
  }

  private mutating func responseQuestion(
    of kind: ObjectKind, _ message: Snapshot.Message
  ) -> (predicate: String?, sort: [String]) {
    let isByOtherName = random.percent(40)
    func refers(_ path: String, _ type: ByteString, _ name: ByteString) -> String {
      let reference = Predicate.Literal.reference(
        (isByOtherName ? snapshot.referencesByName[ModelReference(type: type, name: name)]?.last : nil)
          ?? ModelReference(type: type, name: name))
      return PredicatePrinter.print(
        .comparison(.init(path: PropertyPath(path), operation: .equal, operand: reference)))
    }
    let conversation = message.record.conversation ?? "none"
    switch kind {
    case .conversations:
      return (
        random.pick([
          nil, "my.isArchived = FALSE AND my.isHidden = FALSE", "my.isPinned = TRUE", "NOT my.isMuted",
          "my.isMuted != TRUE AND hasUnreadMessages = TRUE", "my.role IN {'admin', 'owner'}",
          "my.lastReadPosition = nil OR my.lastReadPosition < 10", "my.isPinned = TRUE OR my.isMuted = TRUE",
          "my.mutedUntil > 2023-11-15T00:00:00Z", "my.isMuted = my.isArchived", "my.role != 'admin'",
          "my.pinnedAt != nil AND my.isArchived = FALSE AND participants CONTAINS 'bob'",
          "my.isArchived = TRUE AND my.isPinned = TRUE", "my.joinedAt > createdAt",
        ]),
        random.pick([
          [], ["-my.pinnedAt", "-lastMessage.sentAt"], ["my.pinnedAt", "lastMessage.sentAt"], ["my.isPinned"],
          ["-my.isPinned", "-lastMessage.receivedAt"], ["my.role", "createdAt"], ["-lastMessage.sentAt"],
          ["my.isMuted", "-my.lastReadPosition", "lastMessage.position"],
        ])
      )
    case .messages:
      return (
        random.pick([
          "isUnread = TRUE AND conversation.my.isMuted = FALSE",
          "conversation.my.lastReadPosition < position",
          "conversation.my.isPinned = TRUE", "conversation.my.isArchived = FALSE AND sender.userID = 'bob'",
          "conversation.my.role = 'admin' OR isUnread = TRUE",
          "conversation.my.joinedAt <= sentAt AND conversation.my.isHidden = FALSE",
        ]),
        random.pick([
          [], ["-sentAt"], ["conversation.my.pinnedAt", "position"], ["-conversation.my.isMuted"],
        ])
      )
    case .records(Responses.reaction):
      return (
        random.pick([
          refers("message", "messages", message.record.identifier), "kind = '👍'", "state = 'pending'",
          refers("user", "identities", snapshot.user) + " AND kind = '👍'",
          "message.conversation = \(quoted(conversation))", "message.isUnread = TRUE AND kind != '👍'",
          "message.sender.userID = 'bob'", "remoteID != nil", "date > 2023-11-15T00:00:00Z",
          "message.conversation = \(quoted(conversation)) AND state = 'sent'",
        ]), random.pick([[], ["kind", "date"], ["-date"], ["message.position"], ["user", "-kind"]])
      )
    case .records(Responses.reply):
      return (
        random.pick([
          refers("parent", "messages", message.record.identifier), "parent = nil", "parent.isUnread = TRUE",
          "message.sender.userID = parent.sender.userID", "message.conversation = parent.conversation",
          "message.conversation = \(quoted(conversation))", "message.isUnread = TRUE AND parent != nil",
        ]), random.pick([[], ["message.position"], ["parent", "-message.sentAt"], ["-createdAt"]])
      )
    default:
      return (
        random.pick([
          refers("conversation", "conversations", conversation), "role = 'admin'", "isMuted = TRUE",
          refers("conversation", "conversations", conversation) + " AND role = 'admin'",
          refers("user", "identities", snapshot.user) + " AND isPinned = TRUE", "NOT isArchived = TRUE",
          "conversation.hasUnreadMessages = TRUE", "lastReadPosition >= 10 AND isMuted != TRUE",
          "user.displayName != nil AND conversation.unreadCount > 0", "pinnedAt < 2023-11-15T12:00:00Z",
        ]), random.pick([[], ["role"], ["-pinnedAt"], ["conversation.lastMessage.sentAt"], ["user"]])
      )
    }
  }

  /// Whether a query asks for reactions, replies or participations, or for what conversations are to the store's user.
  static func asksForResponses(_ query: GeneratedQuery) throws -> Bool {
    if Responses.types.contains(ByteString(query.kind)) { return true }
    var paths = try (query.sort + (query.countedBy.map { [$0] } ?? [])).map { try SortKey($0).path }
    if let predicate = query.predicate {
      let parsed = try PredicateParser.parse(predicate)
      parsed.visitComparisons { paths.append($0.path) }
      parsed.visitPairs { pair, _ in paths += [pair.left, pair.right] }
    }
    return paths.contains { path in
      let names = path.components
      return names.first == "my" || names.count == 3 && names[0] == "conversation" && names[1] == "my"
    }
  }
}
