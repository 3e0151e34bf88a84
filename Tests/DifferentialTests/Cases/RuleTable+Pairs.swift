extension RuleTable {
  /// Two properties of one object: by the types of both values, with a missing value on neither side.
  static let pairs =
    [
      Rule(.messages, "receivedAt > sentAt", ["m1"]),
      Rule(.messages, "sentAt < receivedAt", ["m1"]),
      Rule(.messages, "receivedAt = sentAt", ["m2", "m4"]),
      Rule(.messages, "receivedAt>=sentAt", ["m1", "m2", "m4"]),
      Rule(.messages, "receivedAt != sentAt", ["m1", "m3", "m6", "m7", "m8", "m9"]),
      Rule(.messages, "NOT receivedAt >= sentAt", ["m3", "m6", "m7", "m8", "m9"]),
      Rule(.messages, "receivedAt = sentAt AND sender.userID = 'carol'", ["m4"]),
      Rule(.messages, "receivedAt > sentAt OR position = -3", ["m1", "m6"]),
      Rule(.messages, "isSent = isUnread", ["m1", "m3", "m4"]),
      Rule(.messages, "identifier = conversation.lastMessage", ["m3", "m4", "m6", "m9"]),
      Rule(.messages, "sender.userID > conversation.lastMessage.sender.userID", ["m1", "m7", "m8"]),
      Rule(.messages, "sender.userID IN conversation.participants", everyMessage.filter { $0 != "m6" }),
      Rule(.messages, "sender.userID NOT IN conversation.participants", ["m6"]),
      Rule(
        .messages, "conversation.participants CONTAINS sender.'userID'", everyMessage.filter { $0 != "m6" }),
      Rule(.messages, "position < conversation.messageCount", ["m6"]),
      Rule(.messages, "recipientStatus.alice = recipientStatus.bob", []),
      Rule(.messages, "recipientStatus.alice = recipientStatus.alice", ["m7", "m8"]),
      Rule(.messages, "recipientStatus.alice != recipientStatus.bob", everyMessage),
      Rule(.conversations, "lastMessage.sender.userID IN participants", ["c1", "c2", "c/6/😀"]),
      Rule(.conversations, "participants IN participants", ["c1", "c2", "c5", "c/6/😀"]),
      Rule(.conversations, "messageCount > unreadCount", ["c1", "c5", "c/6/😀"]),
      Rule(.conversations, "participantCount > messageCount", ["c2", "c/6/😀"]),
      Rule(.conversations, "isDistinct = hasUnreadMessages", ["c2", "c5"]),
      Rule(.identities, "firstName = userID", ["carol"]),
      Rule(.identities, "displayName < firstName", ["bob", "carol"]),
      Rule(.identities, "displayName < userID", ["alice", "bob", "carol", "café"]),
      Rule(.announcements, "sender.userID > sender.displayName", ["a2"]),
      Rule(.announcements, "sender.userID != sender.displayName", ["a1", "a2"]),
    ] + pairsOfParts + pairsOfMetadata

  /// Beside a user id, a text of metadata is as it was given; two texts of metadata are in NFC.
  private static let pairsOfMetadata = [
    Rule(.identities, "metadata.given = userID", ["cafe\u{301}"]),
    Rule(.identities, "metadata.composed = userID", []),
    Rule(.identities, "metadata.composed = metadata.given", ["cafe\u{301}"]),
    Rule(.identities, "metadata.composed != userID", everyIdentity),
    Rule(.messages, "metadata.n = metadata.n", ["m8", "m9"]),
    Rule(.messages, "metadata.n > conversation.unreadCount", ["m8", "m9"]),
    Rule(.messages, "metadata.mixed = metadata.n", []),
    Rule(.messages, "metadata.mixed != metadata.n", everyMessage),
    Rule(.messages, "metadata.mixed > metadata.n", ["m9"]),
    Rule(.messages, "metadata.on = isUnread", ["m8"]),
    Rule(.messages, "metadata.on <= metadata.on", []),
    Rule(.messages, "metadata.due = conversation.createdAt", ["m8"]),
    Rule(.messages, "metadata.tags = metadata.tags", ["m8", "m9"]),
    Rule(.messages, "metadata.mixed IN metadata.tags", []),
    Rule(.messages, "ANY metadata.tags != metadata.mixed", ["m8", "m9"]),
    Rule(.messages, "ALL metadata.tags < sender.userID", []),
    Rule(.messages, "ANY metadata.tags < sender.userID", []),
    Rule(.messages, "ANY metadata.tags > sender.userID", ["m8", "m9"]),
    Rule(.messages, "ALL metadata.none = sender.userID", ["m8"]),
    Rule(.messages, "ANY metadata.none != sender.userID", []),
    Rule(.messages, "ALL metadata.tags != sender.userID", everyMessage),
    Rule(.messages, "NONE metadata.tags > sender.userID", everyMessage.filter { $0 != "m8" && $0 != "m9" }),
    Rule(.conversations, "metadata.title = metadata.theme.color", []),
    Rule(.conversations, "metadata.title < metadata.theme.color", ["c1"]),
  ]

  /// A part without a value, as the second one of m6 has no size, is related to nothing. m3 has no parts.
  private static let pairsOfParts = [
    Rule(.messages, "ANY parts.size = parts.size", ["m1", "m2", "m4", "m6", "m7", "m8", "m9"]),
    Rule(.messages, "ALL parts.size = parts.size", ["m1", "m2", "m3", "m4", "m7", "m8", "m9"]),
    Rule(.messages, "ANY parts.size != position", ["m1", "m2", "m4", "m6", "m7", "m8", "m9"]),
    Rule(.messages, "parts.size < position", ["m1", "m2", "m4", "m7"]),
    Rule(.messages, "NONE parts.size < position", ["m3", "m6", "m8", "m9"]),
    Rule(.parts, "index = size", ["m7/parts/0", "m9/parts/0"]),
    Rule(
      .parts, "text = message.parts.text",
      ["m1/parts/0", "m2/parts/0", "m6/parts/0", "m7/parts/0", "m8/parts/0"]),
    Rule(
      .parts, "size < message.parts.size AND message.sender.userID IN message.conversation.participants", []),
    Rule(
      .parts, "ANY message.parts.mimeType != mimeType",
      [
        "m2/parts/0", "m2/parts/1", "m6/parts/0", "m6/parts/1",
      ]),
    Rule(.parts, "size != message.parts.size", ["m6/parts/1"]),
  ]
}
