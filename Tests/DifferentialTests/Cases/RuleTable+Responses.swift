extension RuleTable {
  private static let reaction = ObjectKind.records(Responses.reaction)
  private static let reply = ObjectKind.records(Responses.reply)
  private static let participation = ObjectKind.records(Responses.participation)

  /// Reactions, replies and participations, and what conversations are to Alice: c1 is pinned and was read up to 5, c2 is muted, c/6/😀 is
  /// archived and hidden; nothing is said of c5. Bob has muted c1, and c3, which Alice does not see, is pinned.
  static let responses = ownStates + ordersOfOwnStates + recordsOfResponses

  private static let ownStates = [
    Rule(.conversations, "my.isPinned = TRUE", ["c1"]),
    Rule(.conversations, "my.isPinned", ["c1"]),
    Rule(.conversations, "NOT my.isPinned", ["c2", "c5", "c/6/😀"]),
    Rule(.conversations, "my.isMuted = FALSE", ["c1", "c5", "c/6/😀"]),
    Rule(.conversations, "my.isMuted != FALSE", ["c2"]),
    Rule(.conversations, "my.isMuted = nil", []),
    Rule(.conversations, "my.isMuted = my.isArchived", ["c1", "c5"]),
    Rule(.conversations, "my.isArchived IN {FALSE}", ["c1", "c2", "c5"]),
    Rule(.conversations, "my.role = 'admin'", ["c1"]),
    Rule(.conversations, "my.role != 'admin'", ["c2", "c5", "c/6/😀"]),
    Rule(.conversations, "my.role = 'Caf\u{E9}'", ["c2"]),
    Rule(.conversations, "my.role LIKE 'AD%'", ["c1"]),
    Rule(.conversations, "my.role = nil", ["c5", "c/6/😀"]),
    Rule(.conversations, "my.lastReadPosition < 6", ["c1"]),
    Rule(.conversations, "my.lastReadPosition >= 0 OR my.isHidden", ["c1", "c/6/😀"]),
    Rule(.conversations, "my.mutedUntil > 2024-04-01T00:00:00Z", ["c2"]),
    Rule(.conversations, "my.pinnedAt < 2024-02-01T00:00:00Z", []),
    Rule(.messages, "conversation.my.isPinned = TRUE", ["m1", "m2", "m3"]),
    Rule(.messages, "conversation.my.lastReadPosition < position", ["m1"]),
    Rule(.messages, "conversation.my.isMuted = FALSE AND isUnread", ["m1", "m8", "m9"]),
  ]

  /// A last message that was never sent has no date, and comes before all others.
  private static let ordersOfOwnStates = [
    Rule(.conversations, nil, sort: ["-my.pinnedAt", "lastMessage.sentAt"], ["c1", "c5", "c/6/😀", "c2"]),
    Rule(.conversations, nil, sort: ["my.isHidden"], ["c1", "c2", "c5", "c/6/😀"]),
    Rule(.conversations, nil, sort: ["-my.isMuted"], ["c2", "c/6/😀", "c5", "c1"]),
    Rule(.conversations, nil, sort: ["my.role"], limit: 3, ["c5", "c/6/😀", "c2"]),
    Rule(.messages, "isUnread", sort: ["-conversation.my.isMuted", "identifier"], ["m4", "m1", "m8", "m9"]),
  ]

  private static let recordsOfResponses = [
    Rule(reaction, "message = REFERENCE('messages', 'm1')", ["m1/👍/alice", "m1/👍/bob", "m1/a%2Fb/bob"]),
    Rule(reaction, "kind = '👍' AND user = REFERENCE('identities', 'bob')", ["m1/👍/bob", "m5/👍/bob"]),
    Rule(reaction, "state = 'pending'", ["m1/👍/alice"]),
    Rule(reaction, "message.sender.userID = 'bob'", ["m1/👍/alice", "m1/👍/bob", "m1/a%2Fb/bob"]),
    Rule(reaction, "remoteID != nil", ["m1/👍/bob"]),
    Rule(reply, "parent = REFERENCE('messages', 'm1')", ["m2", "m3"]),
    Rule(reply, "parent.isUnread = TRUE", ["m2", "m3"]),
    Rule(reply, "message.conversation = parent.conversation", ["m2", "m3", "m8"]),
    Rule(participation, "role = 'admin'", ["c1/alice"]),
    Rule(participation, "isMuted", ["c2/alice", "c1/bob"]),
    Rule(participation, "conversation = REFERENCE('conversations', 'c1')", ["c1/alice", "c1/bob"]),
    Rule(
      participation, "conversation.hasUnreadMessages = TRUE AND user = REFERENCE('identities', 'alice')",
      ["c1/alice", "c2/alice", "c%2F6%2F😀/alice"]),
  ]
}
