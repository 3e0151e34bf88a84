import Foundation
import Satchel
import Testing

/// The code of the article "Asking questions", on two conversations.
@Suite struct AskingQuestionsGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.write { transaction in
      try transaction.createConversation(
        with: ["bob", "carol"], id: "lunch", metadata: ["title": "Lunch", "theme": ["color": "red"]])
      try transaction.receive(
        [.text("Noon?")], in: "lunch", from: "bob", id: "m1", position: 1, sentAt: GuideStore.date(1),
        metadata: ["priority": 7, "urgent": true, "due": Date(timeIntervalSince1970: 1_800_000_000)])
      try transaction.receive(
        [.text("Café at noon"), .data([1, 2, 3], mimeType: "image/png")], in: "lunch", from: "alice",
        id: "m2", position: 2, sentAt: GuideStore.date(2),
        recipientStatus: ["bob": .read, "carol": .delivered])
      try transaction.receive(
        [.text("100% yes")], in: "lunch", from: "carol", id: "m3", position: 3, sentAt: GuideStore.date(3),
        metadata: ["priority": "high"])
      try transaction.createConversation(
        with: ["dave"], id: "team", metadata: ["title": "Team", "theme": ["color": "blue"]])
      try transaction.receive(
        [.url("https://example.com/plan.pdf", mimeType: "application/pdf", size: 5000)], in: "team",
        from: "dave", id: "t1", position: 1, sentAt: GuideStore.date(4), isUnread: false)
      try transaction.send([.text("Draft")], to: "team", id: "t2")
      try transaction.put(
        Identity(userID: "carol", displayName: "Carol", followed: true, presenceStatus: .available))
      try transaction.put(Identity(userID: "dave", displayName: "Dave"))
    }
  }

  /// Runs queries and the same ones as text, which have to be equal queries, and compares what they return.
  private func expect<Object: StoredObject>(
    _ queries: [Query<Object>], as texts: [Query<Object>], _ results: [[Object.ID]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(queries == texts, sourceLocation: sourceLocation)
    #expect(queries.count == results.count, sourceLocation: sourceLocation)
    for (query, result) in zip(queries, results) {
      #expect(try store.identifiers(query) == result, "\(query)", sourceLocation: sourceLocation)
    }
  }

  @Test func comparisons() throws {
    let compared = [
      Message.filter { $0.sender.userID == "bob" },
      Message.filter { $0.sender.userID != "bob" },
      Message.filter { $0.position < 2 },
      Message.filter { $0.position <= 2 },
      Message.filter { $0.position > 2 },
      Message.filter { $0.position >= 2 },
      Message.filter { $0.sender.userID.in(["bob", "carol"]) },
      Message.filter { $0.sender.userID.notIn(["bob", "carol"]) },
      Message.filter { $0.position.between(2, 3) },
      Message.filter { $0.position == nil },
      Message.filter { $0.position != nil },
    ]
    let comparedAsText: [Query<Message>] = try [
      Query(format: "sender.userID = 'bob'"),
      Query(format: "sender.userID != 'bob'"),
      Query(format: "position < 2"),
      Query(format: "position <= 2"),
      Query(format: "position > 2"),
      Query(format: "position >= 2"),
      Query(format: "sender.userID IN {'bob', 'carol'}"),
      Query(format: "sender.userID NOT IN {'bob', 'carol'}"),
      Query(format: "position BETWEEN {2, 3}"),
      Query(format: "position = nil"),
      Query(format: "position != nil"),
    ]
    try expect(
      compared, as: comparedAsText,
      [
        ["m1"], ["m2", "m3", "t1", "t2"], ["m1", "t1"], ["m1", "m2", "t1"], ["m3"], ["m2", "m3"],
        ["m1", "m3"], ["m2", "t1", "t2"], ["m2", "m3"], ["t2"], ["m1", "m2", "m3", "t1"],
      ])
    let start = GuideStore.date(2)
    let recent = Message.filter { $0.sentAt > start }
    let recentAsText = try Query<Message>(format: "sentAt > %@", start)
    try expect([recent], as: [recentAsText], [["m3", "t1", "t2"]])
  }

  @Test func texts() throws {
    let matched = [
      Message.filter { $0.parts.any { $0.text.like("%noon%") } },
      Message.filter { $0.parts.any { $0.text.like(#"100\%%"#) } },
      Message.filter { $0.parts.any { $0.text.beginsWith("100") } },
      Message.filter { $0.parts.any { $0.text.endsWith("?") } },
      Message.filter { $0.parts.any { $0.text.contains("noon") } },
      Message.filter { $0.parts.any { $0.text.contains("NOON", .caseInsensitive) } },
      Message.filter {
        $0.parts.any { $0.text.contains("cafe", [.caseInsensitive, .diacriticInsensitive]) }
      },
      Message.filter { $0.parts.any { $0.text.autocomplete("caf no") } },
    ]
    let matchedAsText: [Query<Message>] = try [
      Query(format: "parts.text LIKE '%noon%'"),
      Query(format: #"parts.text LIKE '100\\%%'"#),
      Query(format: "parts.text BEGINSWITH '100'"),
      Query(format: "parts.text ENDSWITH '?'"),
      Query(format: "parts.text CONTAINS 'noon'"),
      Query(format: "parts.text CONTAINS[c] 'NOON'"),
      Query(format: "parts.text CONTAINS[cd] 'cafe'"),
      Query(format: "parts.text AUTOCOMPLETE 'caf no'"),
    ]
    try expect(
      matched, as: matchedAsText,
      [["m1", "m2"], ["m3"], ["m3"], ["m1"], ["m2"], ["m1", "m2"], ["m2"], ["m2"]])
  }

  @Test func logic() throws {
    let joined = [
      Message.filter { $0.isUnread && $0.sender.userID != "bob" },
      Message.filter { $0.isUnread || !$0.isSent },
      Message.filter { !($0.isUnread || $0.position == nil) },
      Message.filter { $0.isUnread }.filter { $0.sender.userID != "bob" },
    ]
    let joinedAsText: [Query<Message>] = try [
      Query(format: "isUnread AND sender.userID != 'bob'"),
      Query(format: "isUnread OR NOT isSent"),
      Query(format: "NOT (isUnread OR position = nil)"),
      Query(format: "isUnread = TRUE AND sender.userID != 'bob'"),
    ]
    try expect(joined, as: joinedAsText, [["m3"], ["m1", "m3", "t2"], ["m2", "t1"], ["m3"]])
  }

  @Test func parts() throws {
    let withParts = [
      Message.filter { $0.parts.any { $0.mimeType == "image/png" } },
      Message.filter { $0.parts.any { $0.size > 1000 } },
      Message.filter { $0.parts.all { $0.mimeType == "text/plain" } },
      Message.filter { $0.parts.none { $0.mimeType == "image/png" } },
      Message.filter { $0.parts.any { $0.mimeType != "text/plain" } },
      Message.filter { $0.parts.any { $0.mimeType == "image/png" && $0.size > 2 } },
    ]
    let withPartsAsText: [Query<Message>] = try [
      Query(format: "parts.mimeType = 'image/png'"),
      Query(format: "parts.size > 1000"),
      Query(format: "ALL parts.mimeType = 'text/plain'"),
      Query(format: "NOT parts.mimeType = 'image/png'"),
      Query(format: "ANY parts.mimeType != 'text/plain'"),
      Query(format: "ANY parts (mimeType = 'image/png' AND size > 2)"),
    ]
    let pictures = MessagePart.filter { $0.mimeType == "image/png" && $0.message.conversation == "lunch" }
    try expect(
      withParts, as: withPartsAsText,
      [["m2"], ["t1"], ["m1", "m3", "t2"], ["m1", "m3", "t1", "t2"], ["m2", "t1"], ["m2"]])
    #expect(try store.identifiers(pictures) == ["m2/parts/1"])
    // Without a quantifier, != is the complement of =.
    let complement = try Query<Message>(format: "parts.mimeType != 'text/plain'")
    #expect(try store.identifiers(complement) == ["t1"])
    let beyond = Message.filter { message in message.parts.any { $0.size > 2 && message.isUnread } }
    let error = #expect(throws: SatchelError.self) { try store.count(beyond) }
    #expect(error?.code == .unsupportedPredicate)
  }

  @Test func participants() throws {
    let withPeople = [
      Conversation.filter { $0.participants == ["bob", "carol"] },
      Conversation.filter { $0.participants != ["bob", "carol"] },
      Conversation.filter { $0.participants.in(["bob", "dave"]) },
      Conversation.filter { $0.participants.notIn(["dave"]) },
      Conversation.filter { $0.participants.contains("carol") },
      Conversation.filter { $0.participants.containsAll(["bob", "carol"]) },
      Conversation.filter { $0.participantCount == 2 },
    ]
    let withPeopleAsText: [Query<Conversation>] = try [
      Query(format: "participants = {'bob', 'carol'}"),
      Query(format: "participants != {'bob', 'carol'}"),
      Query(format: "participants IN {'bob', 'dave'}"),
      Query(format: "participants NOT IN {'dave'}"),
      Query(format: "participants CONTAINS 'carol'"),
      Query(format: "participants CONTAINS {'bob', 'carol'}"),
      Query(format: "participantCount = 2"),
    ]
    try expect(
      withPeople, as: withPeopleAsText,
      [["lunch"], ["team"], ["lunch", "team"], ["lunch"], ["lunch"], ["lunch"], ["team"]])
  }

  @Test func members() throws {
    let members = Identity.members(of: "lunch").order { $0.displayName }
    for member in try store.fetch(members) { print(member.displayName ?? member.userID.rawValue) }
    let numberOnline = try store.count(members.filter { $0.presenceStatus == .available })
    let isMember = try store.rank(of: "bob", in: members) != nil
    #expect(numberOnline == 1 && isMember)
    #expect(try store.fetch(members).last?.userID == "carol" && store.count(members) == 3)
  }

  @Test func metadata() throws {
    let withMetadata = [
      Conversation.filter { $0.metadata.title == "Lunch" },
      Conversation.filter { $0.metadata.theme.color.in(["red", "blue"]) },
      Conversation.filter { $0.metadata["theme.color"] != "red" },
      Conversation.filter { $0.metadata.theme.size == nil },
      Conversation.filter { $0.metadata == ["title": "Team", "theme": ["color": "blue"]] },
    ]
    let withMetadataAsText: [Query<Conversation>] = try [
      Query(format: "metadata.title = 'Lunch'"),
      Query(format: "metadata.theme.color IN {'red', 'blue'}"),
      Query(format: "metadata.theme.color != 'red'"),
      Query(format: "metadata.theme.size = nil"),
      Query(format: "metadata = {'title': 'Team', 'theme': {'color': 'blue'}}"),
    ]
    try expect(
      withMetadata, as: withMetadataAsText,
      [["lunch"], ["lunch", "team"], ["team"], ["lunch", "team"], ["team"]])
    try store.write {
      try $0.setMetadata(Date.now, at: ["readAt", "alice@example.org"], of: .conversation("team"))
    }
    let read = Conversation.filter { $0.metadata[["readAt", "alice@example.org"]].date != nil }
    let readAsText = try Query<Conversation>(format: "metadata.readAt.'alice@example.org' != nil")
    try expect([read], as: [readAsText], [["team"]])
  }

  @Test func valuesOfMetadata() throws {
    let due = Date(timeIntervalSince1970: 1_800_000_000)
    let typed = [
      Message.filter { $0.metadata.priority.number > 5 },
      Message.filter { $0.metadata.priority.number.in([6, 7]) },
      Message.filter { $0.metadata.urgent.boolean },
      Message.filter { $0.metadata.due.date <= due },
      Message.filter { $0.metadata.priority == "high" },
      Message.filter { $0.metadata.priority != "high" },
    ]
    let typedAsText: [Query<Message>] = try [
      Query(format: "metadata.priority > 5"),
      Query(format: "metadata.priority IN {6, 7}"),
      Query(format: "metadata.urgent"),
      Query(format: "metadata.due <= 2027-01-15T08:00:00Z"),
      Query(format: "metadata.priority = 'high'"),
      Query(format: "metadata.priority != 'high'"),
    ]
    try expect(
      typed, as: typedAsText, [["m1"], ["m1"], ["m1"], ["m1"], ["m3"], ["m1", "m2", "t1", "t2"]])
  }

  @Test func relations() throws {
    let related = [
      Message.filter { $0.conversation == "lunch" },
      Message.filter { $0.conversation.metadata.title == "Team" },
      Message.filter { $0.sender.displayName.beginsWith("Ca") },
      Message.filter { $0.recipientStatus["bob"] == .read },
    ]
    let relatedAsText: [Query<Message>] = try [
      Query(format: "conversation = 'lunch'"),
      Query(format: "conversation.metadata.title = 'Team'"),
      Query(format: "sender.displayName BEGINSWITH 'Ca'"),
      Query(format: "recipientStatus.bob = 'read'"),
    ]
    let waiting = Conversation.filter { $0.lastMessage.isUnread && $0.unreadCount > 1 }
    let reachable = Identity.filter { $0.followed && $0.presenceStatus == .available }
    try expect(
      related, as: relatedAsText, [["m1", "m2", "m3"], ["t1", "t2"], ["m3"], ["m2"]])
    #expect(try store.identifiers(waiting) == ["lunch"])
    #expect(try store.identifiers(reachable) == ["carol"])
  }
}
