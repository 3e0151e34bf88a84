import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The properties that decide which objects are results of a question, and in which order. By them a live query knows
/// which changes do not concern it.
struct Dependencies: Sendable {
  /// The properties of the objects' own records; for parts, of the records of their messages.
  private(set) var own: LoggedProperties = []
  /// The properties of the conversations that messages belong to.
  private(set) var conversation: LoggedProperties = []
  /// True if the names of senders matter.
  private(set) var senderName = false
  /// True if the question names a conversation by its identifier.
  private(set) var conversationIdentifier = false

  init(_ question: Question) {
    let kind = question.kind
    question.condition.forEachTest { add($0.property, of: kind) }
    for key in question.sort { add(key.property, of: kind) }
  }

  /// Adds all properties of an object's own value, because a closure may read any of them.
  mutating func addOwnValue() { own = .all }

  private mutating func add(_ property: Property, of kind: ObjectKind) {
    switch kind {
    case .parts:
      if let inner = property.stripping(.message) {
        add(inner, of: .messages)
      } else {
        own.formUnion([.init(.parts), .init(.typeSet)])
      }
    case .messages, .announcements:
      if let inner = property.stripping(.conversation) {
        if inner == Property([], .identifier) { conversationIdentifier = true }
        conversation.formUnion(Self.ofConversation(inner))
      } else if property == Property([], .conversation) {
        conversationIdentifier = true
      } else if property.relations == [.sender] {
        senderName = true
        own.insert(.sender)
      } else {
        own.formUnion(Self.ofMessage(property))
      }
    case .conversations: own.formUnion(Self.ofConversation(property))
    case .identities: own.formUnion(Self.ofIdentity(property))
    }
  }

  private static func ofMessage(_ property: Property) -> LoggedProperties {
    if property.relations == [.parts] { return [.init(.parts), .init(.typeSet)] }
    return switch property.field {
    case .position: .init(.position)
    case .sentAt: .init(.sentAt)
    case .receivedAt: .init(.receivedAt)
    case .isSent: .init(.isSent)
    case .isUnread: .init(.isUnread)
    case .senderUserID: .init(.sender)
    case .recipientStatus: .init(.recipientStatus)
    case .metadata, .metadataValue: .init(.metadata)
    case .identifier: []
    default: .all
    }
  }

  static func ofConversation(_ property: Property) -> LoggedProperties {
    if property.relations == [.lastMessage] {
      let value: LoggedProperty? =
        switch property.field {
        case .position: .lastPosition
        case .sentAt: .lastSentAt
        case .receivedAt: .lastReceivedAt
        case .isUnread: .lastIsUnread
        case .senderUserID: .lastSender
        default: nil
        }
      return value.map { [.init($0), .init(.lastMessage)] } ?? .all
    }
    return switch property.field {
    case .participants, .participantCount: .init(.participantSet)
    case .createdAt: .init(.createdAt)
    case .isDistinct: .init(.isDistinct)
    case .hasUnreadMessages, .unreadCount: .init(.unreadCount)
    case .messageCount: .init(.messageCount)
    case .lastMessage: .init(.lastMessage)
    case .metadata, .metadataValue: .init(.metadata)
    case .identifier: []
    default: .all
    }
  }

  private static func ofIdentity(_ property: Property) -> LoggedProperties {
    switch property.field {
    case .displayName: .init(.displayName)
    case .firstName: .init(.firstName)
    case .lastName: .init(.lastName)
    case .emailAddress: .init(.emailAddress)
    case .phoneNumber: .init(.phoneNumber)
    case .avatarURL: .init(.avatarURL)
    case .followed: .init(.followed)
    case .metadata, .metadataValue: .init(.metadata)
    case .identifier, .userID: []
    default: .all
    }
  }
}

extension Condition {
  /// Calls `visit` with every test.
  func forEachTest(_ visit: (SatchelQuery.Test) -> Void) {
    switch self {
    case .always, .never: break
    case .test(let test): visit(test)
    case .all(let conditions), .any(let conditions):
      for condition in conditions { condition.forEachTest(visit) }
    }
  }
}

extension ObjectChange {
  /// Returns whether the change may make an object a result, end its being one, or move it, if that depends on the
  /// given properties.
  func concerns(_ dependencies: LoggedProperties) -> Bool {
    action != .updated || properties.contains(.isVisible) || !properties.isDisjoint(with: dependencies)
  }
}
