extension RuleTable {
  private static let todo = ObjectKind.records("todo")

  /// Paths through references. t1 comes before t2, and t2 before t3, by "after"; t4 refers to itself. t2 and t3 have rooms that Alice does
  /// not see, t3 and t4 messages that are none or that she does not see, t3 a user without an identity, t4 a list that is not there.
  static let pathsThroughReferences = ofRecords + ofOtherObjects + orders

  private static let ofRecords = [
    Rule(todo, "list.title = 'Work'", ["t1", "t2"]),
    Rule(todo, "list.title != 'Work'", ["t3", "t4", "5", "t6"]),
    Rule(todo, "list.title = nil", ["t4", "5", "t6"]),
    Rule(todo, "list.title IN {'Work', 'Home'}", ["t1", "t2", "t3"]),
    Rule(todo, "list.title BETWEEN {'A', 'I'}", ["t3"]),
    Rule(todo, "list.title LIKE 'w%'", ["t1", "t2"]),
    Rule(todo, "list.parent.title = 'Work'", ["t3"]),
    Rule(todo, "list.parent.chief.displayName = 'Bob'", ["t3"]),
    Rule(todo, "after.list.rank = 1", ["t2", "t3"]),
    Rule(todo, "after.after.identifier = 't1'", ["t3"]),
    Rule(todo, "after.after.after.identifier = 't4'", ["t4"]),
    Rule(todo, "list.owner = 'bob'", ["t3"]),
    Rule(todo, "list.owner != owner", ["t2", "t4", "5", "t6"]),
    Rule(todo, "list.identifier > 'home'", ["t1", "t2"]),
    Rule(todo, "list.createdAt < createdAt", ["t1", "t2", "t3"]),
    Rule(todo, "list.updatedAt = nil", ["t4", "5", "t6"]),
    Rule(todo, "list.createdAt = '2024-01-02T00:00:00Z'", ["t3"]),
    Rule(todo, "after.message = REFERENCE('messages', 'm1')", ["t2"]),
    Rule(
      todo, "after.about IN {REFERENCE('messages', 'm1'), REFERENCE('conversations', 'c1')}", ["t2", "t3"]),
    Rule(todo, "after.tags = 'late'", ["t2", "t3"]),
    Rule(todo, "ANY after.tags != 'late'", ["t2"]),
    Rule(todo, "after.tags = {}", ["t4"]),
    Rule(todo, "after.theme = {'color': 'red', 'to': REFERENCE('list', 'home')}", ["t2"]),
    Rule(todo, "after.theme.color = 'red'", ["t2"]),
    Rule(todo, "after.title = title", ["t3"]),
    // The field of notes is not declared.
    Rule(.records("note"), "list.title = 'Work' OR list.identifier != nil", []),
  ]

  private static let ofOtherObjects = [
    Rule(todo, "message.identifier != nil", ["t1", "t2"]),
    Rule(todo, "message.sender.userID = 'bob'", ["t1"]),
    Rule(todo, "message.sentAt = nil", ["t2", "t3", "t4", "5", "t6"]),
    Rule(todo, "message.conversation = 'c1'", ["t1", "t2"]),
    Rule(todo, "message.conversation.metadata.title = 'Lunch'", ["t1", "t2"]),
    Rule(todo, "message.conversation.participants CONTAINS 'bob'", ["t1", "t2"]),
    Rule(todo, "ANY message.parts.mimeType = 'text/plain'", ["t1"]),
    Rule(todo, "ALL message.parts.mimeType = 'image/png'", ["t2", "t3", "t4", "5", "t6"]),
    Rule(todo, "who.displayName = 'Bob'", ["t1"]),
    Rule(todo, "who.displayName = 'Zo\u{EB}'", ["t2"]),
    Rule(todo, "who.userID = 'eve'", []),
    Rule(todo, "who.followed = FALSE", ["t1", "t2"]),
    Rule(todo, "who.metadata = {}", ["t2"]),
    Rule(todo, "who.metadata != {}", ["t1", "t3", "t4", "5", "t6"]),
    Rule(todo, "who.metadata = nil", ["t3", "t4", "5", "t6"]),
    Rule(todo, "who.metadata.team = {'name': 'red'}", ["t1"]),
    Rule(todo, "who.metadata.team.name != 'red'", ["t2", "t3", "t4", "5", "t6"]),
    Rule(todo, "room.participants = {'bob'}", ["t1"]),
    Rule(todo, "room.participants != {'bob'}", ["t2", "t3", "t4", "5", "t6"]),
    Rule(todo, "room.participants IN {'carol'}", ["t4"]),
    Rule(todo, "room.participants NOT IN {'carol'}", ["t1", "t2", "t3", "5", "t6"]),
    Rule(todo, "room.participants = nil", ["t2", "t3", "5", "t6"]),
    Rule(todo, "room.participants != nil", ["t1", "t4"]),
    Rule(todo, "room.messageCount > 0", ["t1", "t4"]),
    Rule(todo, "room.hasUnreadMessages", ["t1", "t4"]),
    Rule(todo, "NOT room.isDistinct", ["t1", "t2", "t3", "5", "t6"]),
  ]

  private static let orders = [
    Rule(todo, nil, sort: ["list.title"], ["t4", "5", "t6", "t3", "t1", "t2"]),
    Rule(todo, nil, sort: ["-list.rank", "identifier"], ["t3", "t1", "t2", "5", "t4", "t6"]),
    Rule(todo, nil, sort: ["message.position"], ["t1", "t2", "t3", "t4", "5", "t6"]),
    Rule(todo, nil, sort: ["-message.position"], limit: 3, ["t6", "5", "t4"]),
    Rule(todo, nil, sort: ["room.createdAt", "-order"], ["t2", "t3", "t6", "5", "t4", "t1"]),
    Rule(todo, nil, sort: ["after.mixed"], ["t1", "5", "t6", "t3", "t2", "t4"]),
    Rule(todo, "list.title != nil", sort: ["list.title", "-after.order"], limit: 1, offset: 1, ["t2"]),
  ]
}
