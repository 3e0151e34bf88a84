import Satchel

/// Comparisons of two properties.
extension QuestionGenerator {
  /// Properties of objects of one kind, by what compares with each other.
  private struct Comparable {
    var dates: [String] = []
    var numbers: [String] = []
    var flags: [String] = []
    /// Texts, identifiers and MIME types.
    var texts: [String] = []
    var statuses: [String] = []
    var transfers: [String] = []
    /// Where there are participants.
    var participants: [String] = []
    /// Where there is metadata.
    var metadata: [String] = []

    static func + (left: Self, right: Self) -> Self {
      Self(
        dates: left.dates + right.dates, numbers: left.numbers + right.numbers,
        flags: left.flags + right.flags,
        texts: left.texts + right.texts, statuses: left.statuses + right.statuses,
        transfers: left.transfers + right.transfers, participants: left.participants + right.participants,
        metadata: left.metadata + right.metadata)
    }

    /// The same properties of the object that a path leads to.
    func behind(_ path: String) -> Self {
      func all(_ paths: [String]) -> [String] { paths.map { path + $0 } }
      return Self(
        dates: all(dates), numbers: all(numbers), flags: all(flags), texts: all(texts),
        statuses: all(statuses),
        transfers: all(transfers), participants: all(participants), metadata: all(metadata))
    }
  }

  private static let ofConversations = Comparable(
    dates: ["createdAt", "updatedAt", "lastMessage.sentAt", "lastMessage.receivedAt"],
    numbers: ["participantCount", "unreadCount", "messageCount", "lastMessage.position"],
    flags: ["isDistinct", "hasUnreadMessages", "lastMessage.isUnread"],
    texts: ["identifier", "remoteID", "lastMessage", "lastMessage.sender.userID"],
    participants: ["participants"], metadata: ["metadata."])

  private static let ofEnvelopes = Comparable(
    dates: ["sentAt", "sentAt", "receivedAt", "receivedAt", "editedAt", "deletedAt", "updatedAt"],
    numbers: ["position", "parts.size"], flags: ["isSent", "isUnread"],
    texts: [
      "identifier", "remoteID", "sender.userID", "sender.userID", "sender.displayName", "parts.text",
      "parts.mimeType",
    ],
    statuses: ["recipientStatus.bob", "recipientStatus.carol"], transfers: ["parts.transferStatus"],
    metadata: ["metadata."])

  private static let ofMessages =
    ofEnvelopes + Comparable(texts: ["conversation"]) + ofConversations.behind("conversation.")

  private static let ofParts =
    Comparable(
      numbers: ["index", "size", "size"], texts: ["identifier", "message", "mimeType", "text", "text"],
      transfers: ["transferStatus"]) + ofMessages.behind("message.")

  private static let ofIdentities = Comparable(
    flags: ["followed"],
    texts: ["userID", "displayName", "displayName", "firstName", "lastName", "emailAddress"],
    metadata: ["metadata."])

  private static let ofRecords = Comparable(
    dates: ["createdAt", "updatedAt"], texts: ["identifier", "owner", "createdBy", "updatedBy"],
    metadata: ["#"])

  private static func comparable(_ kind: ObjectKind) -> Comparable {
    switch kind {
    case .conversations: ofConversations
    case .messages: ofMessages
    case .announcements: ofEnvelopes
    case .parts: ofParts
    case .identities: ofIdentities
    case .records: ofRecords
    }
  }

  /// Two properties of an object, compared.
  mutating func pair(_ kind: ObjectKind) -> String {
    let known = Self.comparable(kind)
    if !known.participants.isEmpty, random.percent(20) {
      let left = random.percent(70) ? random.pick(known.texts) : metadata(known)
      let participants = random.pick(known.participants)
      return random.percent(30)
        ? "\(participants) CONTAINS \(left)"
        : "\(quantifier(left))\(left) \(random.pick(["IN", "NOT IN"])) \(participants)"
    }
    if random.percent(35) {
      let other = random.pick(known.dates + known.numbers + known.texts + known.texts + [metadata(known)])
      let sides = random.percent(50) ? [metadata(known), other] : [other, metadata(known)]
      if random.percent(20), sides[1].contains("metadata.") {
        return "\(quantifier(sides[0]))\(sides[0]) \(random.pick(["IN", "NOT IN"])) \(sides[1])"
      }
      return ordered(sides[0], sides[1])
    }
    let unordered = [known.flags, known.statuses, known.transfers].filter { !$0.isEmpty }
    if random.percent(25), !unordered.isEmpty {
      let paths = random.pick(unordered)
      let left = random.pick(paths)
      return "\(quantifier(left))\(left) \(random.pick(["=", "!="])) \(random.pick(paths))"
    }
    let paths = random.pick([known.dates, known.dates, known.numbers, known.texts].filter { !$0.isEmpty })
    return ordered(random.pick(paths), random.pick(paths))
  }

  private mutating func metadata(_ known: Comparable) -> String {
    random.pick(known.metadata) + spelled(random.keyPath())
  }

  private mutating func ordered(_ left: String, _ right: String) -> String {
    "\(quantifier(left))\(left) \(random.pick(["=", "=", "!=", "<", "<=", ">", ">="])) \(right)"
  }

  /// ANY, ALL or NONE, now and then, before a property that an object may have several of.
  private mutating func quantifier(_ path: String) -> String {
    guard path.contains("parts.") || path.contains("metadata."), random.percent(40) else { return "" }
    return random.pick(["ANY ", "ALL ", "NONE "])
  }
}
