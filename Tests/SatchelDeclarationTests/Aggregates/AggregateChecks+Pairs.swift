import Satchel
import Testing

/// The aggregates among the checks whose conditions compare two properties. What they are compared with reads the values of the objects.
extension AggregateCheck {
  /// The objects of a snapshot with those that they refer to.
  private struct Objects {
    let messages: [Message]
    private let rooms: [Conversation.ID: Conversation]
    private let names: [Identity.ID: String]

    init(_ snapshot: StoreSnapshot) throws {
      messages = try snapshot.fetch(Message.all)
      rooms = Dictionary(uniqueKeysWithValues: try snapshot.fetch(Conversation.all).map { ($0.id, $0) })
      names = Dictionary(
        uniqueKeysWithValues: try snapshot.fetch(Identity.all).compactMap { identity in
          identity.displayName.map { (identity.userID, $0) }
        })
    }

    func room(_ message: Message) throws -> Conversation { try #require(rooms[message.conversation]) }
    func name(_ message: Message) -> String? { names[message.sender] }
  }

  /// The texts at a key path of metadata.
  private static func texts(_ metadata: Metadata, _ key: String) -> [String] {
    switch metadata.value(at: key) {
    case .text(let text)?: [text]
    case .list(let texts)?: texts
    default: []
    }
  }

  /// Whether a user is one of some texts, byte by byte, which `String`'s == is not.
  private static func isOne(_ user: Identity.ID, of texts: [String]) -> Bool {
    texts.contains { $0.utf8.elementsEqual(user.rawValue.utf8) }
  }

  private static func isMore(_ value: MetadataValue?, than position: Int64?) -> Bool {
    guard let position else { return false }
    return switch value {
    case .integer(let integer)?: integer > position
    // Positions are small: a Double has them exactly.
    case .number(let number)?: number > Double(position)
    default: false
    }
  }

  static let pairs: [AggregateCheck] = [
    AggregateCheck(
      Aggregate(
        named: "delayed", counting: Message.filter { $0.sentAt < $0.receivedAt }, groupedBy: \.conversation)
    ) { snapshot in
      try tally(
        snapshot.fetch(Message.all),
        where: { message in
          guard let sent = message.sentTimestamp, let received = message.receivedTimestamp else {
            return false
          }
          return sent.microseconds < received.microseconds
        }, by: \.conversation)
    },
    AggregateCheck(
      Aggregate(
        named: "by owners", counting: Message.filter { $0.sender.userID == $0.conversation.metadata.owner },
        groupedBy: \.isUnread)
    ) { snapshot in
      let objects = try Objects(snapshot)
      return try tally(
        objects.messages, where: { try isOne($0.sender, of: texts(objects.room($0).metadata, "owner")) },
        by: \.isUnread)
    },
    AggregateCheck(
      Aggregate(
        named: "named as owners",
        counting: Message.filter { $0.conversation.metadata.owner == $0.sender.displayName },
        groupedBy: \.conversation)
    ) { snapshot in
      let objects = try Objects(snapshot)
      return try tally(
        objects.messages,
        where: { message in
          guard let name = objects.name(message) else { return false }
          return try texts(objects.room(message).metadata, "owner").contains(name)
        }, by: \.conversation)
    },
    AggregateCheck(
      Aggregate(
        named: "outsiders",
        counting: Message.filter { !$0.conversation.participants.contains($0.sender.userID) },
        groupedBy: \.sender.userID)
    ) { snapshot in
      let objects = try Objects(snapshot)
      return try tally(
        objects.messages,
        where: { try !isOne($0.sender, of: objects.room($0).participants.map(\.rawValue)) }, by: \.sender)
    },
    AggregateCheck(
      Aggregate(
        named: "beyond the count", summing: \.position,
        of: Message.filter { $0.position > $0.conversation.messageCount }, groupedBy: \.conversation)
    ) { snapshot in
      let objects = try Objects(snapshot)
      return try tally(
        objects.messages,
        where: { message in
          guard let position = message.position else { return false }
          return try position > objects.room(message).messageCount
        }, by: \.conversation, weight: { Int($0.position ?? 0) })
    },
    AggregateCheck(
      Aggregate(
        named: "rich", counting: Message.filter { $0.metadata.amount.number > $0.position },
        groupedBy: \.conversation)
    ) { snapshot in
      try tally(
        snapshot.fetch(Message.all),
        where: { isMore($0.metadata.value(at: "amount"), than: $0.position) }, by: \.conversation)
    },
    AggregateCheck(
      Aggregate(
        named: "unread as a whole", counting: Conversation.filter { $0.unreadCount == $0.messageCount },
        groupedBy: \.hasUnreadMessages)
    ) { snapshot in
      try tally(
        snapshot.fetch(Conversation.all), where: { $0.unreadCount == $0.messageCount },
        by: \.hasUnreadMessages)
    },
    AggregateCheck(
      Aggregate(
        named: "owners take part",
        counting: Conversation.filter { $0.participants.contains($0.metadata.owner) })
    ) { snapshot in
      let count = try snapshot.fetch(Conversation.all).count { room in
        room.participants.contains { isOne($0, of: texts(room.metadata, "owner")) }
      }
      return count == 0 ? [:] : ["nil": count]
    },
    AggregateCheck(
      Aggregate(
        named: "parts of owners",
        counting: MessagePart.filter { $0.message.sender.userID == $0.message.conversation.metadata.owner },
        groupedBy: \.mimeType)
    ) { snapshot in
      let objects = try Objects(snapshot)
      let own = try objects.messages.filter {
        try isOne($0.sender, of: texts(objects.room($0).metadata, "owner"))
      }
      return try tally(own.flatMap(\.parts), by: \.mimeType)
    },
  ]
}
