import Satchel
import Testing

/// An aggregate together with a plain count of the same objects, which uses neither its predicate nor its groups. Values are
/// compared by what they print.
struct AggregateCheck: Sendable {
  let aggregate: AggregateDescription
  let actual: @Sendable (StoreSnapshot) throws -> [String: String]
  let expected: @Sendable (StoreSnapshot) throws -> [String: String]
  let declare: @Sendable (MessageStore) throws -> Void

  init<Object, Group, Value, Expected>(
    _ aggregate: Aggregate<Object, Group, Value>,
    expected: @escaping @Sendable (StoreSnapshot) throws -> [String: Expected]
  ) {
    self.aggregate = aggregate.untyped
    actual = { snapshot in
      var values: [String: String] = [:]
      for value in try snapshot.values(of: aggregate) {
        let group = value.group.map { "\($0)" } ?? "nil"
        values[group] = "\(value.value)"
        let single = try snapshot.value(of: aggregate, for: value.group)
        if single != value.value { Issue.record("\(group) of \(aggregate) is \(value.value) and \(single)") }
      }
      return values
    }
    self.expected = { try expected($0).mapValues { "\($0)" } }
    declare = { try $0.declare(aggregate) }
  }

  /// Fails where a snapshot has other totals than its objects make.
  func compare(_ snapshot: StoreSnapshot, _ when: String) throws {
    let (actual, expected) = (try actual(snapshot), try expected(snapshot))
    #expect(actual == expected, "\(aggregate) \(when)")
  }
}

/// Counts objects by the description of a value.
func tally<Object>(
  _ objects: [Object], where counts: (Object) throws -> Bool = { _ in true },
  by group: (Object) throws -> Any?,
  weight: (Object) -> Int = { _ in 1 }
) rethrows -> [String: Int] {
  var totals: [String: Int] = [:]
  for object in objects where try counts(object) {
    totals[try group(object).map { "\($0)" } ?? "nil", default: 0] += weight(object)
  }
  return totals.filter { $0.value != 0 }
}

extension StoreSnapshot {
  func conversation(of message: Message) throws -> Conversation {
    try #require(try conversation(message.conversation))
  }

  fileprivate func name(_ user: Identity.ID) throws -> String? { try identity(user)?.displayName }

  fileprivate func parts() throws -> [(part: MessagePart, message: Message)] {
    try fetch(Message.all).flatMap { message in message.parts.map { ($0, message) } }
  }
}

extension AggregateCheck {
  private static func text(_ metadata: Metadata, _ key: String) -> String? {
    metadata[key]
  }

  static let all: [AggregateCheck] =
    [
      AggregateCheck(
        Aggregate(named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation)
      ) { snapshot in
        try tally(snapshot.fetch(Message.all), where: \.isUnread, by: \.conversation)
      },
      AggregateCheck(
        Aggregate(
          named: "mentions",
          counting: Message.filter { $0.isUnread && $0.parts.any { $0.text.contains("@alice") } },
          groupedBy: \.conversation)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all),
          where: { message in
            message.isUnread
              && message.parts.contains { part in
                if case .text(let text) = part.content { text.contains("@alice") } else { false }
              }
          }, by: \.conversation)
      },
      AggregateCheck(Aggregate(named: "all", counting: Message.all)) { snapshot in
        let count = try snapshot.fetch(Message.all).count
        return count == 0 ? [:] : ["nil": count]
      },
      AggregateCheck(
        Aggregate(named: "team", counting: Message.all, groupedBy: { $0.conversation.metadata.team })
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all), by: { text(try snapshot.conversation(of: $0).metadata, "team") })
      },
      AggregateCheck(
        Aggregate(
          named: "loud", counting: Message.filter { $0.isUnread && $0.conversation.metadata.muted != "yes" },
          groupedBy: \.sender.userID)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all),
          where: { try $0.isUnread && text(snapshot.conversation(of: $0).metadata, "muted") != "yes" },
          by: \.sender)
      },
      AggregateCheck(
        Aggregate(
          named: "busy", counting: Message.filter { $0.conversation.unreadCount > 2 }, groupedBy: \.isUnread)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all), where: { try snapshot.conversation(of: $0).unreadCount > 2 },
          by: \.isUnread)
      },
      AggregateCheck(Aggregate(named: "names", counting: Message.all, groupedBy: \.sender.displayName)) {
        snapshot in try tally(snapshot.fetch(Message.all), by: { try snapshot.name($0.sender) })
      },
      AggregateCheck(
        Aggregate(
          named: "from bobs", counting: Message.filter { $0.sender.displayName == "Bob" },
          groupedBy: \.conversation)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all), where: { try snapshot.name($0.sender) == "Bob" }, by: \.conversation)
      },
      AggregateCheck(
        Aggregate(
          named: "places", summing: \.position, of: Message.filter { $0.position < 50 },
          groupedBy: \.conversation)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all), where: { $0.position.map { $0 < 50 } ?? false }, by: \.conversation,
          weight: { Int($0.position ?? 0) })
      },
      AggregateCheck(
        Aggregate(
          named: "media", counting: MessagePart.filter { $0.mimeType.beginsWith("image/") },
          groupedBy: \.message.conversation)
      ) { snapshot in
        try tally(
          snapshot.parts(), where: { $0.part.mimeType.hasPrefix("image/") }, by: { $0.message.conversation })
      },
      AggregateCheck(
        Aggregate(
          named: "sizes", summing: \.size, of: MessagePart.filter { $0.message.sender.displayName != "Bob" },
          groupedBy: \.mimeType)
      ) { snapshot in
        try tally(
          snapshot.parts(), where: { try snapshot.name($0.message.sender) != "Bob" },
          by: { $0.part.mimeType },
          weight: { Int($0.part.size ?? 0) })
      },
      AggregateCheck(
        Aggregate(named: "conversations", counting: Conversation.all, groupedBy: \.metadata.team)
      ) { snapshot in
        try tally(snapshot.fetch(Conversation.all), by: { text($0.metadata, "team") })
      },
      AggregateCheck(
        Aggregate(
          named: "waiting", counting: Conversation.filter { $0.hasUnreadMessages },
          groupedBy: \.lastMessage.sender.userID)
      ) { snapshot in
        try tally(
          snapshot.fetch(Conversation.all), where: \.hasUnreadMessages, by: { $0.lastMessage?.sender })
      },
      AggregateCheck(
        Aggregate(
          named: "news", counting: Announcement.filter { $0.isUnread }, groupedBy: \.sender.displayName)
      ) { snapshot in
        try tally(
          snapshot.fetch(Announcement.all), where: \.isUnread, by: { try snapshot.name($0.sender) })
      },
      AggregateCheck(Aggregate(named: "followed", counting: Identity.all, groupedBy: \.followed)) {
        snapshot in
        try tally(snapshot.fetch(Identity.all), by: \.followed)
      },
      AggregateCheck(
        Aggregate(
          named: "sent to bob", counting: Message.filter { $0.recipientStatus["bob"] == .read },
          groupedBy: \.sentAt)
      ) { snapshot in
        try tally(
          snapshot.fetch(Message.all), where: { $0.recipientStatus["bob"] == .read }, by: \.sentTimestamp)
      },
    ] + measures + pairs
}
