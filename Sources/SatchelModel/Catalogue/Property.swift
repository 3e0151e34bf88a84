/// A queryable property: the relations that lead from the queried object to the one that holds the field, then the field.
///
/// `lastMessage.sentAt` of a conversation is `[.lastMessage]` and `.sentAt`. The spelling is ``path``.
public struct Property: Hashable, Sendable {
  /// The way from the queried object; empty for its own properties.
  public let relations: [Relation]
  /// The field at its end.
  public let field: Field

  package init(_ relations: [Relation] = [], _ field: Field) {
    self.relations = relations
    self.field = field
  }

  /// True when the property has a value for each of several parts: comparisons mean "any of them".
  public var isToMany: Bool { relations.contains(.parts) }

  /// The property as the predicate language spells it, one name an element (names are not quoted).
  public var path: [String] { relations.map(\.name) + field.path }

  /// The property after one more relation in front.
  package func behind(_ relation: Relation) -> Property { Property([relation] + relations, field) }
}

/// A step from an object to a related one.
public enum Relation: UInt8, Hashable, Sendable {
  /// From a message to its conversation.
  case conversation
  /// From a conversation to its last message, which may be missing.
  case lastMessage
  /// From a part to its message or announcement.
  case message
  /// From a message to its sender's identity, which may be missing.
  case sender
  /// From a message to each of its parts.
  case parts

  package var name: String {
    switch self {
    case .conversation: "conversation"
    case .lastMessage: "lastMessage"
    case .message: "message"
    case .sender: "sender"
    case .parts: "parts"
    }
  }
}

/// A field of an object.
public enum Field: Hashable, Sendable {
  // Of more than one kind.
  case identifier, metadata
  case metadataValue([String])
  // Of a conversation.
  case participants, participantCount, createdAt, isDistinct, hasUnreadMessages, unreadCount, messageCount,
    lastMessage
  // Of a message or announcement.
  case conversation, position, senderUserID, sentAt, receivedAt, isSent, isUnread
  case recipientStatus(Identity.ID)
  // Of a part.
  case message, index, mimeType, size, text
  // Of an identity.
  case userID, displayName, firstName, lastName, emailAddress, phoneNumber, avatarURL, followed

  package var path: [String] {
    switch self {
    case .metadataValue(let keys): ["metadata"] + keys
    case .recipientStatus(let user): ["recipientStatus", user.rawValue]
    case .senderUserID: ["sender", "userID"]
    case .identifier: ["identifier"]
    case .metadata: ["metadata"]
    case .participants: ["participants"]
    case .participantCount: ["participantCount"]
    case .createdAt: ["createdAt"]
    case .isDistinct: ["isDistinct"]
    case .hasUnreadMessages: ["hasUnreadMessages"]
    case .unreadCount: ["unreadCount"]
    case .messageCount: ["messageCount"]
    case .lastMessage: ["lastMessage"]
    case .conversation: ["conversation"]
    case .position: ["position"]
    case .sentAt: ["sentAt"]
    case .receivedAt: ["receivedAt"]
    case .isSent: ["isSent"]
    case .isUnread: ["isUnread"]
    case .message: ["message"]
    case .index: ["index"]
    case .mimeType: ["mimeType"]
    case .size: ["size"]
    case .text: ["text"]
    case .userID: ["userID"]
    case .displayName: ["displayName"]
    case .firstName: ["firstName"]
    case .lastName: ["lastName"]
    case .emailAddress: ["emailAddress"]
    case .phoneNumber: ["phoneNumber"]
    case .avatarURL: ["avatarURL"]
    case .followed: ["followed"]
    }
  }
}
