import Testing

@Suite("Rules of the semantics, on the small data set")
struct RuleTests {
  @Test(arguments: RuleTable.all)
  func theModelGivesTheAnswerFoundByHand(_ rule: Rule) throws {
    let answer = try SampleData.model().snapshot.answer(rule.query)
    #expect(DifferentialRun.difference(.identifiers(rule.expected), .success(answer)) == nil)
  }

  @Test func aCountHonoursLimitAndOffset() throws {
    let snapshot = SampleData.model().snapshot
    func count(_ limit: Int?, _ offset: Int?) throws -> EngineAnswer {
      try snapshot.answer(
        GeneratedQuery(kind: "messages", predicate: "isUnread", limit: limit, offset: offset, select: .count))
    }
    #expect(try count(nil, nil) == .count(4))
    #expect(try count(3, nil) == .count(3))
    #expect(try count(3, 2) == .count(2))
    #expect(try count(nil, 9) == .count(0))
    #expect(try count(0, nil) == .count(0))
  }

  @Test(arguments: [
    ("messages", "parts.text MATCHES-TEXT 'title:x'"), ("messages", "parts.text MATCHES-TEXT 'a position:5'"),
    ("messages", "ALL parts.text MATCHES-TEXT 'text:x'"),
    ("messages", "ANY parts (text MATCHES-TEXT 'sentAt:x')"),
    ("messages", "colour = 1"), ("messages", "parts = 1"), ("messages", "sender = 'bob'"),
    ("messages", "ANY parts (isUnread = TRUE AND size > 5)"), ("messages", "ANY sender (userID = 'bob')"),
    ("messages", "ANY parts (ANY size > 5)"), ("messages", "ALL parts (NONE parts (size > 5))"),
    ("messages", "conversation.conversation = 'c1'"), ("messages", "isUnread < TRUE"),
    ("messages", "recipientStatus.bob LIKE 'r%'"), ("messages", "recipientStatus.bob = 'seen'"),
    ("messages", "parts.size LIKE '5%'"), ("messages", "position = '5'"), ("messages", "identifier = 5"),
    ("messages", "identifier = nil"), ("messages", "sentAt = 'today'"), ("messages", "position IN 5"),
    ("messages", "position BETWEEN {1, 2, 3}"), ("messages", "position = 5 AND"),
    ("messages", "position = 'x"),
    ("messages", "metadata.'' = 'c'"), ("messages", "metadata.n IN {1, '1'}"),
    ("messages", "metadata.n IN {1, nil}"),
    ("messages", "metadata.on < TRUE"), ("messages", "metadata.on BETWEEN {FALSE, TRUE}"),
    ("messages", "metadata.n LIKE 5"), ("messages", "metadata.n BETWEEN {1, 'a'}"),
    ("messages", "metadata.n = {1, 2}"),
    ("messages", "sentAt > position"), ("messages", "isUnread < isSent"), ("messages", "sentAt = size"),
    ("messages", "ANY sentAt = receivedAt"), ("messages", "sender.userID IN identifier"),
    ("messages", "sender.userID CONTAINS identifier"), ("messages", "identifier LIKE sender.userID"),
    ("messages", "sender.displayName BEGINSWITH[c] sender.userID"),
    ("messages", "conversation.participants = sender.userID"),
    ("messages", "recipientStatus.bob = parts.transferStatus"),
    ("messages", "recipientStatus.bob = metadata.n"),
    ("messages", "metadata.n = conversation.metadata"), ("messages", "metadata.n BETWEEN {position, 5}"),
    ("messages", "ANY parts (size > size)"), ("messages", "position = ago"),
    ("announcements", "conversation = 'c1'"),
    ("conversations", "participants < {'bob'}"), ("conversations", "metadata < {}"),
    ("conversations", "lastMessage.parts.size = 1"), ("parts", "conversation = 'c1'"),
    ("identities", "position = 1"), ("todo", "createdAt = nil"), ("todo", "updatedAt != nil"),
    ("todo", "about.title = 'x'"), ("todo", "list.owner.name = 'x'"),
    ("todo", "room.title = 'x'"), ("todo", "room.participants CONTAINS owner"),
    ("todo", "list.identifier = 5"),
    ("todo", "message.parts.size = order"), ("todo", "who.metadata.x = REFERENCE('list', 'work')"),
    ("todo", "order = '1'"), ("todo", "order != '1'"), ("todo", "order IN {'1', '2'}"), ("todo", "NOT order"),
    ("todo", "order LIKE '1%'"), ("todo", "order = {'a': 1}"), ("todo", "estimate BETWEEN {'a', 'b'}"),
    ("todo", "due = '2024-03-01T10:00:00Z'"), ("todo", "due > 5"), ("todo", "done = 1"),
    ("todo", "title = 5"), ("todo", "title = {'a', 'b'}"), ("todo", "tags = 5"), ("todo", "ANY tags = TRUE"),
    ("todo", "list = 'work'"), ("todo", "list != 'work'"), ("todo", "list > 'a'"),
    ("todo", "list.title = 1"), ("todo", "after.list.rank = 'x'"), ("list", "title IN {1}"),
    ("todo", "order.below != 1"), ("todo", "tags.each = 'late'"), ("todo", "NOT due.year = 2024"),
    ("todo", "list.title.below = nil"), ("todo", "absent = title.below"),
    ("todo", "ANY message.parts (size > 5)"), ("todo", "list.order > REFERENCE('list', 'work')"),
    ("conversations", "my.isPined = TRUE"), ("conversations", "my = TRUE"),
    ("conversations", "my.user = 'alice'"), ("parts", "message.conversation.my.isPinned = TRUE"),
    ("_participation", "conversation.my.isPinned = TRUE"), ("todo", "room.my.isPinned = TRUE"),
    ("identities", "my.isPinned = TRUE"), ("conversations", "my.isPinned = 1"),
    ("conversations", "my.role = 5"), ("conversations", "my.lastReadPosition != '5'"),
    ("messages", "conversation.my.pinnedAt > '2024-03-01T10:00:00Z'"), ("conversations", "NOT my.pinnedAt"),
    ("messages", "conversation.my.isMuted IN {'TRUE'}"),
    ("_reply", "parent.conversation.my.isPinned = TRUE"),
  ])
  func whatMakesNoSenseIsAnError(_ kind: String, _ predicate: String) {
    #expect(throws: QueryError.self) {
      try SampleData.model().snapshot.answer(GeneratedQuery(kind: kind, predicate: predicate))
    }
  }

  @Test(arguments: [
    ("messages", "parts.size"), ("messages", "parts.transferStatus"), ("messages", "recipientStatus.bob"),
    ("conversations", "participants"),
    ("conversations", "metadata"), ("parts", "message.parts.mimeType"),
    ("announcements", "conversation.createdAt"), ("todo", "room.participants"),
    ("todo", "message.parts.size"),
    ("todo", "about.title"), ("todo", "tags.each"), ("todo", "order.below"), ("todo", "list.title.below"),
  ])
  func whatHasNoOrderCannotBeSortedBy(_ kind: String, _ key: String) {
    #expect(throws: QueryError.self) {
      try SampleData.model().snapshot.answer(GeneratedQuery(kind: kind, sort: [key]))
    }
  }
}
