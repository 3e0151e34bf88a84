/// A query of the small data set and its answer, found by hand.
struct Rule: Sendable, CustomStringConvertible {
  let kind: ObjectKind
  let predicate: String?
  let sort: [String]
  let limit: Int?
  let offset: Int?
  let expected: [String]

  init(
    _ kind: ObjectKind, _ predicate: String?, sort: [String] = [], limit: Int? = nil, offset: Int? = nil,
    _ expected: [String]
  ) {
    self.kind = kind
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.expected = expected
  }

  var query: GeneratedQuery {
    GeneratedQuery(kind: kind.rawValue, predicate: predicate, sort: sort, limit: limit, offset: offset)
  }

  var description: String { query.batchLine }
}

/// The answers, rule by rule of the semantics. An engine under test must give them too.
enum RuleTable {
  static let all =
    messages + toMany + onePart + pairs + texts + words + searches + relations + custom + elements
    + conversations
    + parts
    + announcements
    + identities
    + sorting
    + records + responses

  static let everyMessage = ["m1", "m2", "m3", "m4", "m6", "m7", "m8", "m9"]
  private static let everyConversation = ["c1", "c2", "c5", "c/6/😀"]
  static let everyIdentity = [
    "alice", "bob", "carol", "dave", "café", "cafe\u{301}", "12345", "a/b c",
  ]

  static let messages = [
    Rule(.messages, nil, everyMessage),
    Rule(.messages, "TRUEPREDICATE", everyMessage),
    Rule(.messages, "FALSEPREDICATE", []),
    Rule(.messages, "isUnread = TRUE", ["m1", "m4", "m8", "m9"]),
    Rule(.messages, "isUnread", ["m1", "m4", "m8", "m9"]),
    Rule(.messages, "NOT isUnread", ["m2", "m3", "m6", "m7"]),
    Rule(.messages, "isUnread IN {TRUE, FALSE}", everyMessage),
    Rule(.messages, "isUnread NOT IN {yes}", ["m2", "m3", "m6", "m7"]),
    Rule(.messages, "position = 10", ["m1", "m7"]),
    Rule(.messages, "position = 5.0", ["m2"]),
    Rule(.messages, "position > 5.5", ["m1", "m4", "m7"]),
    Rule(.messages, "position < -2.5", ["m6"]),
    Rule(.messages, "position = 9007199254740993", ["m4"]),
    Rule(.messages, "position = 9007199254740992.0", []),
    Rule(.messages, "position > 9007199254740992.0", ["m4"]),
    Rule(.messages, "position != 10", ["m2", "m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "position = nil", ["m3", "m8", "m9"]),
    Rule(.messages, "position != NULL", ["m1", "m2", "m4", "m6", "m7"]),
    Rule(.messages, "position BETWEEN {5, 10}", ["m1", "m2", "m7"]),
    Rule(.messages, "position BETWEEN {10, 5}", []),
    Rule(.messages, "NOT position BETWEEN {5, 10}", ["m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "position IN {5, 10.0, 11}", ["m1", "m2", "m7"]),
    Rule(.messages, "position NOT IN {5, 10}", ["m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "position IN { }", []),
    Rule(.messages, "position NOT IN {}", everyMessage),
    Rule(.messages, "sentAt = '2024-02-29T12:00:00.1234564Z'", ["m4"]),
    Rule(.messages, "sentAt = '2024-02-29T12:00:00.123457Z'", []),
    Rule(.messages, "sentAt >= '2024-03-01T11:00:00+01:00'", ["m1", "m2", "m7", "m8"]),
    Rule(.messages, "sentAt != '2024-03-01T10:00:00Z'", ["m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "receivedAt = nil", ["m3", "m6", "m7", "m8", "m9"]),
    Rule(.messages, "identifier < 'm3'", ["m1", "m2"]),
    Rule(.messages, "identifier IN {'m5', 'a1', 'm9'}", ["m9"]),
    Rule(.messages, "isUnread = TRUE OR isSent = FALSE AND position = 10", ["m1", "m4", "m8", "m9"]),
    Rule(.messages, "(isUnread = TRUE OR isSent = FALSE) AND position = 10", ["m1"]),
    Rule(.messages, "NOT isUnread = TRUE AND isSent = FALSE", ["m3"]),
    Rule(.messages, "!(isUnread || isSent == no)", ["m2", "m6", "m7"]),
  ]

  static let toMany = [
    Rule(.messages, "parts.mimeType = 'image/png'", ["m2", "m9"]),
    Rule(.messages, "parts.mimeType != 'image/png'", ["m1", "m3", "m4", "m6", "m7", "m8"]),
    Rule(.messages, "parts.mimeType IN {'image/png', 'text/html'}", ["m2", "m6", "m9"]),
    Rule(.messages, "parts.mimeType NOT IN {'image/png', 'text/html'}", ["m1", "m3", "m4", "m7", "m8"]),
    Rule(.messages, "parts.mimeType LIKE 'image/%'", ["m2", "m4", "m9"]),
    Rule(.messages, "parts.MIMEType BEGINSWITH 'image/'", ["m2", "m9"]),
    Rule(.messages, "parts.mimeType = nil", ["m3"]),
    Rule(.messages, "parts.size = nil", ["m3"]),
    Rule(.messages, "parts.size > 5", ["m4", "m6"]),
    Rule(.messages, "parts.size = 0", ["m7", "m9"]),
    Rule(.messages, "parts.size > 2 AND parts.size < 1000", ["m1", "m2", "m6", "m8"]),
    Rule(.messages, "parts.text = 'n\u{E4}ive'", ["m6"]),
    Rule(.messages, "parts.text CONTAINS '\u{E4}'", ["m6"]),
    Rule(.messages, "parts.text CONTAINS 'a'", []),
    Rule(.messages, "parts.text CONTAINS[d] 'nai'", ["m6"]),
    Rule(.messages, "parts.text = nil", ["m3", "m4", "m9"]),
    Rule(.messages, "parts.text ENDSWITH ''", ["m1", "m2", "m6", "m7", "m8"]),
  ]

  static let onePart = [
    Rule(.messages, "ANY parts (mimeType = 'text/plain' AND size > 4)", ["m1", "m6", "m8"]),
    Rule(.messages, "ANY parts (mimeType = 'image/png' AND text != nil)", []),
    Rule(.messages, "parts.mimeType = 'image/png' AND parts.text != nil", ["m2"]),
    Rule(.messages, "ANY parts(MIMEType = 'image/png' && size >= 3)", ["m2"]),
    Rule(.messages, "ANY parts (text = nil AND size = nil)", ["m6"]),
    Rule(.messages, "ANY parts (TRUEPREDICATE)", ["m1", "m2", "m4", "m6", "m7", "m8", "m9"]),
    Rule(.messages, "ALL parts (FALSEPREDICATE)", ["m3"]),
    Rule(
      .messages, "NONE parts (mimeType = 'image/png' AND size >= 3)",
      ["m1", "m3", "m4", "m6", "m7", "m8", "m9"]),
    Rule(.messages, "ALL parts (mimeType = 'text/plain' OR size = nil)", ["m1", "m3", "m6", "m7", "m8"]),
    Rule(.messages, "NOT ALL parts (mimeType = 'image/png' OR size > 3)", ["m2", "m6", "m7"]),
    Rule(.messages, "ANY parts (NOT (mimeType = 'image/png' OR size > 3))", ["m2", "m6", "m7"]),
    Rule(.announcements, "ANY parts (mimeType = 'text/plain' AND size > 5)", ["a1"]),
    Rule(
      .parts, "ANY message.parts (mimeType = 'image/png' AND size > 2)", ["m2/parts/0", "m2/parts/1"]),
  ]

  static let texts = [
    Rule(.identities, "displayName LIKE 'strasse'", ["café"]),
    Rule(.identities, "displayName LIKE 'STRA_E'", ["cafe\u{301}"]),
    Rule(.identities, "displayName LIKE 'STRA\u{1E9E}E'", ["cafe\u{301}"]),
    Rule(.identities, "displayName LIKE 'stra%e'", ["café", "cafe\u{301}"]),
    Rule(.identities, "displayName LIKE 'stra'", []),
    Rule(.identities, "displayName LIKE 'zo\u{EB}'", ["carol"]),
    Rule(.identities, "displayName LIKE '___'", ["bob", "carol"]),
    Rule(.identities, "displayName LIKE '_'", ["a/b c"]),
    Rule(.identities, #"displayName LIKE '50\\%\\_OFF'"#, ["12345"]),
    Rule(.identities, #"displayName LIKE '50\\__off'"#, []),
    Rule(.identities, "NOT displayName LIKE '%'", ["dave"]),
    Rule(.identities, "displayName BEGINSWITH[c] 'b'", ["bob"]),
    Rule(.identities, "displayName BEGINSWITH 'b'", []),
    Rule(.identities, "lastName BEGINSWITH 'a'", []),
    Rule(.identities, "lastName BEGINSWITH[d] 'A'", ["bob"]),
    Rule(.identities, "lastName CONTAINS[cd] 'ÄRG'", ["bob"]),
    Rule(.identities, "userID = 'caf\u{E9}'", ["café"]),
    Rule(.identities, "userID = 'cafe\u{301}'", ["cafe\u{301}"]),
    Rule(.identities, "userID LIKE 'CAF_'", ["café"]),
    Rule(.identities, "userID BEGINSWITH 'cafe'", ["cafe\u{301}"]),
    Rule(.identities, "userID BEGINSWITH[d] 'cafe'", ["café", "cafe\u{301}"]),
    Rule(.identities, "displayName < 'Bob'", ["alice", "12345"]),
    Rule(.identities, "displayName BETWEEN {'Alice', 'Zo\u{EB}'}", ["alice", "bob", "carol", "café"]),
    Rule(.identities, "displayName = '\u{1F600}'", ["a/b c"]),
    Rule(.identities, #"displayName = "\u{1F600}""#, ["a/b c"]),
  ]

  static let relations = [
    Rule(.messages, "sender.displayName = 'Zo\u{EB}'", ["m4", "m7"]),
    Rule(.messages, "sender.displayName = nil", ["m6", "m8"]),
    Rule(.messages, "sender.displayName != 'Bob'", ["m2", "m3", "m4", "m6", "m7", "m8"]),
    Rule(.messages, "sender.userID NOT IN {'bob', 'carol'}", ["m2", "m3", "m6", "m8"]),
    Rule(.messages, "recipientStatus.alice = 'read'", ["m7"]),
    Rule(.messages, "recipientStatus.'alice' != 'read'", ["m1", "m2", "m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "recipientStatus.bob = nil", ["m1", "m2", "m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "recipientStatus.alice IN {'read', 'pending'}", ["m7", "m8"]),
    Rule(.messages, "metadata.tag = 'x'", ["m7"]),
    Rule(.messages, "metadata.tag != 'x'", ["m1", "m2", "m3", "m4", "m6", "m8", "m9"]),
    Rule(.messages, "metadata.deep = nil", everyMessage),
    Rule(.messages, "metadata.deep.a >= '1'", ["m7"]),
    Rule(.messages, "conversation = 'c1'", ["m1", "m2", "m3"]),
    Rule(.messages, "conversation = 'c3'", []),
    Rule(.messages, "conversation LIKE 'C/%'", ["m7", "m8", "m9"]),
    Rule(.messages, "conversation.metadata.title = 'Caf\u{E9}'", ["m4"]),
    Rule(.messages, "conversation.unreadCount >= 2", ["m7", "m8", "m9"]),
    Rule(.messages, "conversation.lastMessage = 'm9'", ["m7", "m8", "m9"]),
    Rule(.messages, "conversation.lastMessage.position = nil", ["m1", "m2", "m3", "m7", "m8", "m9"]),
    Rule(.messages, "conversation.participants CONTAINS 'carol'", ["m4", "m7", "m8", "m9"]),
    Rule(.messages, "conversation.participants = {'bob'}", ["m1", "m2", "m3"]),
    Rule(.messages, "conversation.metadata = {}", ["m7", "m8", "m9"]),
  ]

  static let conversations = [
    Rule(.conversations, nil, everyConversation),
    Rule(.conversations, "participants = {'bob'}", ["c1"]),
    Rule(.conversations, "participants = {'bob', 'alice', 'bob'}", ["c1"]),
    Rule(.conversations, "participants = {}", ["c5"]),
    Rule(.conversations, "participants != {'bob'}", ["c2", "c5", "c/6/😀"]),
    Rule(.conversations, "participants IN {'alice'}", everyConversation),
    Rule(.conversations, "participants IN {'carol', 'dave'}", ["c2", "c/6/😀"]),
    Rule(.conversations, "participants NOT IN {'bob'}", ["c2", "c5"]),
    Rule(.conversations, "participants IN {}", []),
    Rule(.conversations, "participants NOT IN {}", everyConversation),
    Rule(.conversations, "participants CONTAINS 'dave'", ["c/6/😀"]),
    Rule(.conversations, "'dave' IN participants", ["c/6/😀"]),
    Rule(.conversations, "participantCount > 2.5", ["c/6/😀"]),
    Rule(.conversations, "participantCount = 2", ["c1", "c2"]),
    Rule(.conversations, "createdAt = '2024-01-01T00:00:00Z'", ["c1", "c5", "c/6/😀"]),
    Rule(.conversations, "createdAt = nil", ["c2"]),
    Rule(.conversations, "unreadCount = 1", ["c1", "c2"]),
    Rule(.conversations, "hasUnreadMessages", ["c1", "c2", "c/6/😀"]),
    Rule(.conversations, "messageCount = 3", ["c1", "c/6/😀"]),
    Rule(.conversations, "isDistinct = TRUE", ["c2"]),
    Rule(.conversations, "lastMessage = 'm3'", ["c1"]),
    Rule(.conversations, "lastMessage IN {'m9', 'm4'}", ["c2", "c/6/😀"]),
    Rule(.conversations, "lastMessage = nil", []),
    Rule(.conversations, "lastMessage.sentAt = nil", ["c1", "c5", "c/6/😀"]),
    Rule(.conversations, "lastMessage.isUnread = TRUE", ["c2", "c/6/😀"]),
    Rule(.conversations, "lastMessage.sender.userID = 'alice'", ["c1"]),
    Rule(.conversations, "metadata = {'title': 'Caf\u{E9}'}", ["c2"]),
    Rule(.conversations, "metadata = {'theme': {'color': 'red'}, 'title': 'Lunch'}", ["c1"]),
    Rule(.conversations, "metadata = {'title': 'Lunch'}", []),
    Rule(.conversations, "metadata = {}", ["c/6/😀"]),
    Rule(.conversations, "metadata != {}", ["c1", "c2", "c5"]),
    Rule(.conversations, "metadata.title = nil", ["c5", "c/6/😀"]),
    Rule(.conversations, "metadata.title.sub = 'x'", ["c5"]),
    Rule(.conversations, "metadata.title IN {'Lunch', 'Cafe\u{301}'}", ["c1", "c2"]),
    Rule(.conversations, "metadata.title NOT IN {'Lunch'}", ["c2", "c5", "c/6/😀"]),
    Rule(.conversations, "metadata.theme.color LIKE 'R_D'", ["c1"]),
  ]

  static let parts = [
    Rule(
      .parts, nil,
      [
        "m1/parts/0", "m2/parts/0", "m2/parts/1", "m4/parts/0", "m6/parts/0", "m6/parts/1", "m7/parts/0",
        "m8/parts/0",
      ]
        + ["m9/parts/0"]),
    Rule(.parts, "index = 1", ["m2/parts/1", "m6/parts/1"]),
    Rule(.parts, "size = nil", ["m6/parts/1"]),
    Rule(.parts, "size = 7", ["m6/parts/0"]),
    Rule(.parts, "text = 'Hello'", ["m1/parts/0", "m8/parts/0"]),
    Rule(.parts, "text = ''", ["m7/parts/0"]),
    Rule(.parts, "message = 'm2'", ["m2/parts/0", "m2/parts/1"]),
    Rule(.parts, "identifier = 'm2/parts/1'", ["m2/parts/1"]),
    Rule(.parts, "MIMEType BETWEEN {'image/png', 'text/html'}", ["m2/parts/1", "m6/parts/1", "m9/parts/0"]),
    Rule(.parts, "message.parts.mimeType = 'image/png'", ["m2/parts/0", "m2/parts/1", "m9/parts/0"]),
    Rule(.parts, "message.isUnread", ["m1/parts/0", "m4/parts/0", "m8/parts/0", "m9/parts/0"]),
    Rule(.parts, "message.position = nil", ["m8/parts/0", "m9/parts/0"]),
    Rule(
      .parts, "message.conversation.metadata.title = 'Lunch'", ["m1/parts/0", "m2/parts/0", "m2/parts/1"]),
  ]

  static let announcements = [
    Rule(.announcements, nil, ["a1", "a2"]),
    Rule(.announcements, "sentAt = nil", ["a2"]),
    Rule(.announcements, "parts.text LIKE 'main%'", ["a1"]),
    Rule(.announcements, "sender.displayName = 'Bob'", ["a2"]),
    Rule(.announcements, nil, sort: ["position"], ["a1", "a2"]),
    Rule(.announcements, nil, sort: ["sentAt"], ["a2", "a1"]),
  ]

  static let identities = [
    Rule(.identities, nil, everyIdentity),
    Rule(.identities, "displayName = nil", ["dave"]),
    Rule(.identities, "emailAddress != nil", ["bob"]),
    Rule(.identities, "metadata.team.name = 'red'", ["bob"]),
    Rule(.identities, "followed = FALSE", everyIdentity),
    Rule(.identities, "firstName IN {'carol', 'Robert'}", ["bob", "carol"]),
  ]

  static let sorting = [
    Rule(.messages, nil, sort: ["position"], ["m6", "m2", "m1", "m7", "m4", "m3", "m8", "m9"]),
    Rule(.messages, nil, sort: ["-position"], ["m9", "m8", "m3", "m4", "m7", "m1", "m2", "m6"]),
    Rule(.messages, nil, sort: ["sentAt"], ["m3", "m6", "m9", "m4", "m1", "m2", "m7", "m8"]),
    Rule(.messages, nil, sort: ["-sentAt"], ["m8", "m7", "m2", "m1", "m4", "m9", "m6", "m3"]),
    Rule(.messages, nil, sort: ["sentAt", "-position"], ["m9", "m3", "m6", "m4", "m7", "m1", "m2", "m8"]),
    Rule(.messages, nil, sort: ["-sentAt", "position"], ["m8", "m2", "m1", "m7", "m4", "m6", "m3", "m9"]),
    Rule(.messages, nil, sort: ["isUnread"], ["m2", "m3", "m6", "m7", "m1", "m4", "m8", "m9"]),
    Rule(
      .messages, nil, sort: ["-isUnread", "identifier"], ["m1", "m4", "m8", "m9", "m2", "m3", "m6", "m7"]),
    Rule(.messages, nil, sort: ["position"], offset: 6, ["m8", "m9"]),
    Rule(.messages, nil, sort: ["position"], limit: 2, offset: 1, ["m2", "m1"]),
    Rule(.messages, nil, sort: ["position"], limit: 0, []),
    Rule(.messages, nil, limit: 3, offset: 7, ["m9"]),
    Rule(.messages, nil, limit: 3, offset: 8, []),
    Rule(.conversations, nil, sort: ["metadata.title"], ["c5", "c/6/😀", "c2", "c1"]),
    Rule(.conversations, nil, sort: ["-metadata.title"], ["c1", "c2", "c/6/😀", "c5"]),
    Rule(.conversations, nil, sort: ["lastMessage.position"], ["c5", "c2", "c1", "c/6/😀"]),
    Rule(.conversations, nil, sort: ["-lastMessage.position"], ["c/6/😀", "c1", "c2", "c5"]),
    Rule(.conversations, nil, sort: ["-hasUnreadMessages"], ["c/6/😀", "c2", "c1", "c5"]),
    Rule(
      .conversations, nil, sort: ["lastMessage.sentAt", "participantCount"], ["c5", "c1", "c/6/😀", "c2"]),
    Rule(.conversations, nil, sort: ["lastMessage"], ["c1", "c2", "c5", "c/6/😀"]),
    Rule(
      .messages, nil, sort: ["conversation.lastMessage.position", "identifier"],
      ["m6", "m4", "m1", "m2", "m3", "m7", "m8", "m9"]),
    Rule(
      .parts, nil, sort: ["-size"],
      [
        "m4/parts/0", "m6/parts/0", "m8/parts/0", "m1/parts/0", "m2/parts/1", "m2/parts/0", "m9/parts/0",
        "m7/parts/0",
      ]
        + ["m6/parts/1"]),
    Rule(
      .identities, nil, sort: ["displayName"],
      ["dave", "12345", "alice", "bob", "café", "carol", "cafe\u{301}", "a/b c"]),
    Rule(
      .identities, nil, sort: ["identifier"],
      ["12345", "a/b c", "alice", "bob", "cafe\u{301}", "café", "carol", "dave"]),
  ]
}
