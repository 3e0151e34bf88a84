import Satchel

/// Questions for what conversations are to the store's user, and for users who are related.
extension QuestionGenerator {
  private static let flags = ["isArchived", "isHidden", "isMuted", "isPinned"]
  private static let values = [
    "archivedAt", "joinedAt", "lastReadPosition", "mutedUntil", "pinnedAt", "role",
  ]

  /// The properties behind `my` as seen from a kind; none where it does not lead.
  static func ownStates(_ kind: ObjectKind) -> [String] {
    guard let prefix = prefix(kind) else { return [] }
    return (flags + values + ["pinnedAt", "isPinned"]).map { prefix + $0 }
  }

  private static func prefix(_ kind: ObjectKind) -> String? {
    switch kind {
    case .conversations: "my."
    case .messages: "conversation.my."
    case .parts, .announcements, .identities, .records: nil
    }
  }

  /// A condition on what a conversation is to the user, or on a user's relations.
  mutating func ofResponses(_ kind: ObjectKind) -> String {
    guard let prefix = Self.prefix(kind), random.percent(65) else { return related(kind) }
    switch random.below(10) {
    case 0..<5:
      return
        "\(prefix)\(random.pick(Self.flags)) \(random.pick(["=", "=", "!="])) \(random.pick(["TRUE", "FALSE"]))"
    case 5:
      let path = prefix + random.pick(Self.values)
      return "\(path) \(random.pick(["=", "!="])) nil"
    case 6:
      let path = prefix + random.pick(["pinnedAt", "archivedAt", "joinedAt", "mutedUntil"])
      return "\(path) \(random.pick(["<", ">=", "!="])) \(Pools.spelling(random.hour()))"
    case 7: return "\(prefix)lastReadPosition \(random.pick(["<", ">=", "="])) \(random.below(60))"
    case 8:
      return kind == .messages && random.percent(60)
        ? "\(prefix)lastReadPosition \(random.pick(["<", ">=", "!="])) position"
        : "\(prefix)\(random.pick(Self.flags)) \(random.pick(["=", "!="])) \(prefix)\(random.pick(Self.flags))"
    default:
      let roles = random.pick([
        "IN {'admin', 'owner'}", "!= 'admin'", "BEGINSWITH 'o'", "NOT IN {'member', ''}",
      ])
      return "\(prefix)role \(roles)"
    }
  }

  private mutating func related(_ kind: ObjectKind) -> String {
    let path: String =
      switch kind {
      case .conversations: random.pick(["participants", "participants", "lastMessage.sender.userID"])
      case .messages: random.pick(["sender.userID", "sender.userID", "conversation.participants"])
      case .parts: "message.sender.userID"
      case .announcements: "sender.userID"
      case .identities: "userID"
      case .records: random.pick(["owner", "createdBy"])
      }
    let relation = random.pick([
      "'following'", "'friend'", "{'following', 'inward'}", "{'blocked', 'outward'}", "{'friend', 'outward'}",
      "{'following', 'outward', 'bob'}", "{'following', 'mutual'}",
    ])
    return "\(path) RELATED \(relation)"
  }

  /// What programs ask for; nil of kinds of which they ask nothing of the like.
  mutating func typicalOfResponses(_ kind: ObjectKind) throws -> (QueryPredicate, [SortKey])? {
    let names = identifiers[.conversations] ?? []
    let conversation = "conversation = '\(names.isEmpty ? "c1" : random.pick(names))'"
    let (text, sort): (String, [String])
    switch kind {
    case .conversations:
      (text, sort) = random.pick([
        ("my.isArchived = FALSE AND my.isHidden = FALSE", ["-my.pinnedAt", "-lastMessage.sentAt"]),
        ("TRUEPREDICATE", ["-my.pinnedAt", "-lastMessage.receivedAt"]),
        ("my.isPinned = TRUE", ["my.pinnedAt"]),
        ("hasUnreadMessages = TRUE AND my.isMuted = FALSE", ["-lastMessage.sentAt"]),
        ("my.isArchived = TRUE", ["-my.archivedAt"]), ("participants RELATED 'friend'", []),
        ("my.role IN {'admin', 'owner'}", ["createdAt"]), ("TRUEPREDICATE", ["my.isMuted", "my.isPinned"]),
      ])
    case .messages:
      (text, sort) = random.pick([
        ("isUnread = TRUE AND conversation.my.isMuted = FALSE", ["sentAt"]),
        ("\(conversation) AND sender.userID RELATED 'following'", ["position"]),
        ("\(conversation) AND NOT sender.userID RELATED 'blocked'", ["position"]),
        ("\(conversation) AND conversation.my.isMuted = FALSE", ["sentAt"]),
        ("\(conversation) AND conversation.my.lastReadPosition < position", ["position"]),
        ("sender.userID RELATED {'following', 'inward'}", ["-sentAt"]),
        ("isUnread = TRUE", ["-conversation.my.isPinned", "position"]),
      ])
    case .identities:
      (text, sort) = random.pick([
        ("userID RELATED 'friend'", []), ("userID RELATED 'following'", ["displayName"]),
      ])
    case .parts, .announcements, .records: return nil
    }
    return (try QueryPredicate(format: text), try sort.map { try SortKey($0) })
  }
}
