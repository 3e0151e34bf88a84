import Foundation
import Satchel

/// What the order of a query means, on plain values.
enum SortModel {
  enum Value: Comparable {
    case missing
    case number(Int64)
    case text([UInt8])
    /// A missing position.
    case unsent

    static func < (left: Value, right: Value) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): left < right
      case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
      default: left.rank < right.rank
      }
    }

    private var rank: Int {
      switch self {
      case .missing: 0
      case .number, .text: 1
      case .unsent: 2
      }
    }

    /// A text, which sorts in its composed form.
    static func composed(_ text: String?) -> Value {
      text.map { .text(Array($0.precomposedStringWithCanonicalMapping.utf8)) } ?? .missing
    }
    /// A text that is taken as it is.
    static func exact(_ text: String?) -> Value { text.map { .text(Array($0.utf8)) } ?? .missing }
    static func time(_ date: Timestamp?) -> Value { date.map { .number($0.microseconds) } ?? .missing }
    static func flag(_ flag: Bool) -> Value { .number(flag ? 1 : 0) }
    static func place(_ position: Int64?) -> Value { position.map { .number($0) } ?? .unsent }
  }

  /// A property to sort by: how the query names it, and what it is.
  struct Key<Object> {
    let path: String
    var descending = false
    let value: (Object) -> Value

    init(_ path: String, _ value: @escaping (Object) -> Value) {
      self.path = path
      self.value = value
    }

    var sortKey: SortKey { SortKey(path.split(separator: ".").map(String.init), descending: descending) }
  }

  /// The places of the objects, which come in the order of their creation, in the order of the keys.
  static func order<Object>(_ objects: [Object], by keys: [Key<Object>]) -> [Int] {
    let values = objects.map { object in keys.map { $0.value(object) } }
    let tieDescending = keys.last?.descending ?? false
    return objects.indices.sorted { left, right in
      for (place, key) in keys.enumerated() where values[left][place] != values[right][place] {
        return (values[left][place] < values[right][place]) != key.descending
      }
      return (left < right) != tieDescending
    }
  }
}

extension SortModel {
  static func messages(names: [Identity.ID: String], conversations: [Conversation.ID: Conversation]) -> [Key<
    Message
  >] {
    [
      Key("identifier") { .exact($0.id.rawValue) },
      Key("conversation") { .exact($0.conversation.rawValue) },
      Key("position") { .place($0.position) },
      Key("sentAt") { .time($0.sentTimestamp) },
      Key("receivedAt") { .time($0.receivedTimestamp) },
      Key("isUnread") { .flag($0.isUnread) },
      Key("isSent") { .flag($0.isSent) },
      Key("sender.userID") { .exact($0.sender.rawValue) },
      Key("sender.displayName") { .composed(names[$0.sender]) },
      Key("metadata.tag") { .composed($0.metadata["tag"]) },
      Key("conversation.metadata.title") { .composed(conversations[$0.conversation]?.metadata["title"]) },
      Key("conversation.lastMessage.sentAt") {
        .time(conversations[$0.conversation]?.lastMessage?.sentTimestamp)
      },
      Key("conversation.unreadCount") { .number(Int64(conversations[$0.conversation]?.unreadCount ?? -1)) },
    ]
  }

  static var conversations: [Key<Conversation>] {
    [
      Key("identifier") { .exact($0.id.rawValue) },
      Key("createdAt") { .time($0.createdTimestamp) },
      Key("participantCount") { .number(Int64($0.participantCount)) },
      Key("isDistinct") { .flag($0.isDistinct) },
      Key("hasUnreadMessages") { .flag($0.hasUnreadMessages) },
      Key("unreadCount") { .number(Int64($0.unreadCount)) },
      Key("messageCount") { .number(Int64($0.messageCount)) },
      Key("lastMessage") { .exact($0.lastMessage?.id.rawValue) },
      Key("lastMessage.sentAt") { .time($0.lastMessage?.sentTimestamp) },
      Key("lastMessage.receivedAt") { .time($0.lastMessage?.receivedTimestamp) },
      Key("lastMessage.position") { .place($0.lastMessage?.position) },
      Key("lastMessage.isUnread") { .flag($0.lastMessage?.isUnread ?? false) },
      Key("lastMessage.sender.userID") { .exact($0.lastMessage?.sender.rawValue) },
      Key("metadata.title") { .composed($0.metadata["title"]) },
      Key("metadata.theme.color") { .composed($0.metadata["theme.color"]) },
    ]
  }

  static var parts: [Key<MessagePart>] {
    [
      Key("identifier") { .exact($0.id.rawValue) },
      Key("message") { .exact($0.message.rawValue) },
      Key("index") { .number(Int64($0.index)) },
      Key("mimeType") { .exact($0.mimeType) },
      Key("size") { $0.size.map { .number($0) } ?? .missing },
    ]
  }

  static var announcements: [Key<Announcement>] {
    [
      Key("identifier") { .exact($0.id.rawValue) },
      Key("position") { .place($0.position) },
      Key("sentAt") { .time($0.sentTimestamp) },
      Key("isUnread") { .flag($0.isUnread) },
      Key("sender.userID") { .exact($0.sender.rawValue) },
    ]
  }

  static var identities: [Key<Identity>] {
    [
      Key("identifier") { .exact($0.userID.rawValue) },
      Key("userID") { .exact($0.userID.rawValue) },
      Key("displayName") { .composed($0.displayName) },
      Key("emailAddress") { .composed($0.emailAddress) },
      Key("avatarURL") { .composed($0.avatarURL) },
      Key("followed") { .flag($0.followed) },
      Key("metadata.team") { .composed($0.metadata["team"]) },
    ]
  }
}
