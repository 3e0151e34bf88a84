import Satchel

extension QuestionGenerator {
  /// A predicate of one to four comparisons.
  mutating func predicate(_ kind: ObjectKind) -> String {
    let comparisons = (0..<random.pick([1, 1, 1, 2, 2, 3, 4])).map { _ in
      (random.percent(15) ? "NOT " : "") + "(" + comparison(kind) + ")"
    }
    guard comparisons.count > 2, random.percent(50) else {
      return comparisons.joined(separator: random.percent(60) ? " AND " : " OR ")
    }
    return "(\(comparisons[0]) OR \(comparisons[1])) AND "
      + comparisons.dropFirst(2).joined(separator: random.percent(50) ? " AND " : " OR ")
  }

  private mutating func comparison(_ kind: ObjectKind) -> String {
    if keepsResponses, random.percent(12) { return ofResponses(kind) }
    if random.percent(12) { return pair(kind) }
    return switch kind {
    case .conversations: ofConversation("")
    case .messages: ofMessage("")
    case .announcements: ofEnvelope("")
    case .parts: random.percent(50) ? ofPart() : ofMessage("message.")
    case .identities: ofIdentity()
    case .records: ofRecord()
    }
  }

  /// What programs ask for: what indexes have in order.
  mutating func typical(_ kind: ObjectKind) throws -> (QueryPredicate, [SortKey]) {
    let conversation = name(.conversations)
    let sign = random.percent(50) ? "-" : ""
    let (text, sort): (String, String?) =
      switch kind {
      case .messages:
        random.pick([
          ("conversation = \(conversation)", "position"), ("conversation = \(conversation)", "sentAt"),
          ("conversation = \(conversation) AND isUnread = TRUE", nil),
          ("conversation = \(conversation) AND isUnread = TRUE", "position"), ("TRUEPREDICATE", "sentAt"),
          ("isUnread = TRUE", nil), ("sender.userID = \(quoted(random.user()))", "sentAt"),
          ("sender.userID = \(quoted(random.user()))", nil), ("TRUEPREDICATE", nil),
          ("conversation.participants CONTAINS \(quoted(random.user()))", "sentAt"),
          ("conversation IN {\(name(.conversations)), \(conversation)}", "position"),
          ("parts.mimeType = \(quoted(random.pick(Pools.types)))", nil),
          ("sentAt > '\(Pools.spelling(random.hour()))'", "sentAt"),
          ("receivedAt > sentAt", "sentAt"), ("sender.userID NOT IN conversation.participants", nil),
          ("conversation = \(conversation) AND identifier != conversation.lastMessage", "position"),
        ])
      case .conversations:
        random.pick([
          ("TRUEPREDICATE", "lastMessage.receivedAt"), ("TRUEPREDICATE", "lastMessage.sentAt"),
          ("TRUEPREDICATE", "createdAt"), ("TRUEPREDICATE", nil), ("hasUnreadMessages = TRUE", nil),
          ("hasUnreadMessages = TRUE", "lastMessage.receivedAt"),
          ("participants CONTAINS \(quoted(random.user()))", nil),
          ("participants CONTAINS \(quoted(random.user()))", "lastMessage.receivedAt"),
          ("participants = {\(quoted(random.user()))}", nil), ("metadata.title = 'Lunch'", nil),
          ("unreadCount = messageCount", "lastMessage.receivedAt"),
          ("lastMessage.sender.userID NOT IN participants", nil), ("metadata.title IN participants", nil),
        ])
      case .parts:
        random.pick([
          ("message.conversation = \(conversation)", nil), ("mimeType = 'image/png'", nil),
          ("message.conversation = \(conversation) AND mimeType = 'text/plain'", nil), ("TRUEPREDICATE", nil),
        ])
      case .announcements:
        random.pick([("TRUEPREDICATE", "sentAt"), ("isUnread = TRUE", nil), ("TRUEPREDICATE", nil)])
      case .identities:
        random.pick([("TRUEPREDICATE", "displayName"), ("followed = TRUE", nil), ("TRUEPREDICATE", nil)])
      case .records: random.pick(typicalOfRecords())
      }
    return (try QueryPredicate(format: text), try sort.map { [try SortKey(sign + $0)] } ?? [])
  }

  // MARK: Operands

  private func quoted(_ text: String) -> String { "'\(text)'" }

  func spelled(_ path: [String]) -> String {
    path.map { key in "'" + key.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'" }
      .joined(separator: ".")
  }

  /// An identifier of an object that there is, or was, or may come.
  private mutating func name(_ kind: ObjectKind) -> String {
    let names = identifiers[kind] ?? []
    if names.isEmpty || random.percent(15) {
      return quoted((kind == .conversations ? "c" : "m") + String(random.below(60)))
    }
    return quoted(random.pick(names))
  }

  private mutating func compared(_ path: String, to operand: String) -> String {
    "\(path) \(random.pick(["=", "=", "!=", "<", "<=", ">", ">="])) \(operand)"
  }

  private mutating func text(_ path: String) -> String {
    switch random.below(11) {
    case 0: "\(path) = nil"
    case 1: "\(path) != nil"
    case 2: "\(path) IN {\(quoted(random.text())), \(quoted(random.text())), \(quoted(random.text()))}"
    case 3: "\(path) LIKE '\(random.pick(["%a%", "l%", "_", "a_", "%", "50\\\\%"]))'"
    case 4: "\(path) BEGINSWITH[cd] \(quoted(random.pick(["L", "a", "e", "5"])))"
    case 5: "\(path) AUTOCOMPLETE \(quoted(random.pick(["l", "A", "e", "5", ""])))"
    case 6:
      "\(path) MATCHES-TEXT \(quoted(random.pick(["l*", "*e*", "-*a*", "*a* OR *5", "*l* -*e*", "zz"])))"
    default: compared(path, to: quoted(random.text()))
    }
  }

  /// A comparison of a value of metadata with one of any type.
  mutating func custom(_ path: String) -> String {
    switch random.below(18) {
    case 14...17: ofElements(path)
    case 12: "\(path) \(random.pick(["=", "!="])) {\(quoted(random.text())), \(quoted(random.text()))}"
    case 13: "\(quoted(random.text())) IN \(path)"
    case 0: number(path, below: 4)
    case 1: compared(path, to: random.pick(["1.0", "2.5", "-1", "0.5"]))
    case 2: "\(path) \(random.pick(["=", "!="])) \(random.pick(["TRUE", "FALSE"]))"
    case 3: compared(path, to: Pools.spelling(random.hour()))
    case 4: "\(path) BETWEEN {\(Pools.spelling(random.below(12))), \(Pools.spelling(12 + random.below(12)))}"
    default: text(path)
    }
  }

  /// A comparison of the elements of a list at a key path of metadata, or of what else is there.
  private mutating func ofElements(_ path: String) -> String {
    let path = random.pick(["ANY ", "ALL ", "NONE "]) + path
    return switch random.below(6) {
    case 0: number(path, below: 4)
    case 1:
      "\(path) \(random.pick(["IN", "NOT IN"])) {\(quoted(random.text())), \(quoted(random.text()))}"
    case 2: "\(path) LIKE '\(random.pick(["%a%", "l%", "_", "a_", "%"]))'"
    case 3: "\(path) BEGINSWITH \(quoted(random.pick(["L", "a", "e", "5", ""])))"
    default: compared(path, to: quoted(random.text()))
    }
  }

  private mutating func date(_ path: String) -> String {
    switch random.below(8) {
    case 0: "\(path) = nil"
    case 1: "\(path) != nil"
    case 2, 3:
      "\(path) BETWEEN {'\(Pools.spelling(random.below(12)))', '\(Pools.spelling(12 + random.below(12)))'}"
    default: compared(path, to: quoted(Pools.spelling(random.hour())))
    }
  }

  private mutating func number(_ path: String, below bound: Int) -> String {
    switch random.below(5) {
    case 0: "\(path) IN {\(random.below(bound)), \(random.below(bound)), \(random.below(bound))}"
    case 1: "\(path) BETWEEN {\(random.below(bound / 2)), \(bound / 2 + random.below(bound))}"
    default: compared(path, to: String(random.below(bound)))
    }
  }

  private mutating func flag(_ path: String) -> String { "\(path) = \(random.pick(["TRUE", "FALSE"]))" }

  private mutating func user(_ path: String) -> String {
    random.percent(30)
      ? "\(path) IN {\(quoted(random.user())), \(quoted(random.user()))}"
      : compared(path, to: quoted(random.user()))
  }

  // MARK: Properties

  private mutating func ofConversation(_ prefix: String) -> String {
    switch random.below(21) {
    case 19: return "\(prefix)remoteID \(random.pick(["=", "!="])) nil"
    case 20: return date(prefix + "updatedAt")
    case 0, 1: return "\(prefix)participants CONTAINS \(quoted(random.user()))"
    case 2: return "\(prefix)participants = {\(quoted(random.user())), \(quoted(random.user()))}"
    case 3: return "\(prefix)participants IN {\(quoted(random.user())), \(quoted(random.user()))}"
    case 4: return number(prefix + "participantCount", below: 5)
    case 5: return date(prefix + "createdAt")
    case 6: return flag(prefix + "isDistinct")
    case 7: return flag(prefix + "hasUnreadMessages")
    case 8: return number(prefix + "unreadCount", below: 8)
    case 9: return number(prefix + "messageCount", below: 16)
    case 10: return compared(prefix + "lastMessage", to: name(.messages))
    case 11: return date(prefix + random.pick(["lastMessage.sentAt", "lastMessage.receivedAt"]))
    case 12: return number(prefix + "lastMessage.position", below: 60)
    case 13: return flag(prefix + "lastMessage.isUnread")
    case 14: return user(prefix + "lastMessage.sender.userID")
    case 15: return "\(prefix)metadata = {'title': \(quoted(random.text()))}"
    case 16: return compared(prefix + "identifier", to: name(.conversations))
    default: return custom(prefix + "metadata." + spelled(random.keyPath()))
    }
  }

  private mutating func ofMessage(_ prefix: String) -> String {
    switch random.below(10) {
    case 0: "\(prefix)conversation = \(name(.conversations))"
    case 1: "\(prefix)conversation IN {\(name(.conversations)), \(name(.conversations))}"
    case 2...3: ofConversation(prefix + "conversation.")
    default: ofEnvelope(prefix)
    }
  }

  private mutating func ofEnvelope(_ prefix: String) -> String {
    switch random.below(19) {
    case 18: return ofOnePart(prefix)
    case 17:
      return random.percent(50)
        ? "\(prefix)remoteID \(random.pick(["=", "!="])) nil"
        : compared(prefix + "remoteID", to: "'srv/\(random.below(40))'")
    case 0: return compared(prefix + "identifier", to: name(.messages))
    case 1, 2:
      return random.percent(15)
        ? "\(prefix)position \(random.pick(["=", "!="])) nil" : number(prefix + "position", below: 60)
    case 3: return user(prefix + "sender.userID")
    case 4: return text(prefix + "sender.displayName")
    case 5: return date(prefix + "sentAt")
    case 6: return date(prefix + "receivedAt")
    case 7: return flag(prefix + "isSent")
    case 8, 9: return flag(prefix + "isUnread")
    case 10:
      let quantifier = random.pick(["", "ANY ", "ALL ", "NONE "])
      return "\(quantifier)\(prefix)parts.mimeType = \(quoted(random.pick(Pools.types)))"
    case 11: return number(prefix + "parts.size", below: 8)
    case 12: return text(prefix + "parts.text")
    case 13:
      let status = random.pick(RecipientStatus.allCases).name
      return "\(prefix)recipientStatus.bob \(random.pick(["=", "!="])) '\(status)'"
    case 14:
      let date = prefix + random.pick(["editedAt", "deletedAt", "updatedAt"])
      return random.percent(60) ? "\(date) \(random.pick(["=", "!="])) nil" : self.date(date)
    case 15: return "\(prefix)deletedAt = nil"
    default: return custom(prefix + "metadata." + spelled(random.keyPath()))
    }
  }

  /// Two or three conditions that one and the same part has to meet.
  private mutating func ofOnePart(_ prefix: String) -> String {
    func condition() -> String {
      switch random.below(4) {
      case 0: number("size", below: 8)
      case 1: text("text")
      case 2: "transferStatus \(random.pick(["=", "!="])) '\(random.pick(TransferStatus.allCases).name)'"
      default: compared("mimeType", to: quoted(random.pick(Pools.types)))
      }
    }
    let conditions = (0..<random.pick([2, 2, 3])).map { _ in (random.percent(20) ? "NOT " : "") + condition()
    }
    return "\(random.pick(["ANY", "ALL", "NONE"])) \(prefix)parts ("
      + conditions.joined(separator: random.percent(70) ? " AND " : " OR ") + ")"
  }

  private mutating func ofPart() -> String {
    switch random.below(7) {
    case 0: return number("index", below: 3)
    case 1, 2: return compared("mimeType", to: quoted(random.pick(Pools.types)))
    case 3: return number("size", below: 8)
    case 4: return text("text")
    case 5:
      let status = random.pick(TransferStatus.allCases).name
      return "transferStatus \(random.pick(["=", "!="])) '\(status)'"
    default: return "message = \(name(.messages))"
    }
  }

  private mutating func ofIdentity() -> String {
    switch random.below(6) {
    case 0: user("userID")
    case 1: flag("followed")
    case 2: custom("metadata." + spelled(random.keyPath()))
    default: text(random.pick(["displayName", "displayName", "firstName", "lastName", "emailAddress"]))
    }
  }
}
