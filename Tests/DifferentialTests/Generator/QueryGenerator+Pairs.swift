/// Comparisons of two properties.
extension QueryGenerator {
  /// Two properties of the current kind that compare, and how; nil if none were found.
  mutating func pair() throws -> Predicate.Pair? {
    for _ in 0..<20 {
      let left = path()
      let column = try snapshot.column(of: kind, left)
      for _ in 0..<30 {
        let right = path()
        if right == left, random.percent(80) { continue }
        var pair = Predicate.Pair(left: left, operation: .equal, right: right)
        let other = try snapshot.column(of: kind, right)
        let operations = Self.operationsOfPairs.filter { operation in
          pair.operation = operation
          return (try? pair.check(column, other)) != nil
        }
        guard !operations.isEmpty else { continue }
        pair.operation = random.pick(operations)
        if column.isToMany || column.type == .custom, random.percent(40) {
          pair.quantifier = random.pick(Predicate.Quantifier.allCases)
        }
        return pair
      }
    }
    return nil
  }

  /// Often the ones that an object seldom meets by chance.
  private static let operationsOfPairs: [Predicate.Operation] = [
    .equal, .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .isIn, .notIn,
    .contains, .contains,
  ]

  /// Pairs that applications ask for, most of them beside a condition that an index has.
  mutating func typicalPair(_ conversation: String) -> (kind: ObjectKind, predicate: String) {
    random.pick([
      (.messages, "receivedAt > sentAt"), (.messages, "sender.userID IN conversation.participants"),
      (.messages, "sender.userID NOT IN conversation.participants"),
      (.messages, "sender.userID = conversation.metadata.owner"),
      (.messages, "isUnread = TRUE AND sender.userID = metadata.owner"),
      (.messages, "conversation = \(conversation) AND sentAt <= receivedAt"),
      (.messages, "identifier = conversation.lastMessage"),
      (.messages, "isUnread = TRUE AND sender.userID != conversation.lastMessage.sender.userID"),
      (.messages, "conversation = \(conversation) OR sentAt > conversation.createdAt"),
      (.conversations, "metadata.owner IN participants"),
      (.conversations, "lastMessage.sender.userID = metadata.owner"),
      (.conversations, "hasUnreadMessages = TRUE AND unreadCount = messageCount"),
      (.conversations, "participants CONTAINS lastMessage.sender.userID"),
      (.parts, "message.conversation = \(conversation) AND mimeType IN message.parts.mimeType"),
      (.parts, "message.sender.userID = message.metadata.owner"), (.parts, "text = message.metadata.title"),
      (.announcements, "sentAt < receivedAt"), (.identities, "displayName = firstName"),
      (.identities, "metadata.owner = userID"),
    ])
  }
}
