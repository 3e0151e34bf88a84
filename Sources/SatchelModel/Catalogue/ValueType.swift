/// The type of a property's value, which decides the operators it supports and whether it sorts.
public enum ValueType: Sendable, Hashable {
  /// Text that compares, sorts and matches in NFC: names, metadata values, part text.
  case text
  /// A string taken byte for byte: identifiers, user ids, references, MIME types, links.
  case bytes
  /// An Int64.
  case number
  /// A ``Timestamp``.
  case date
  /// True or false.
  case boolean
  /// A ``RecipientStatus``.
  case recipientStatus
  /// The set of a conversation's participants.
  case participants
  /// A whole metadata dictionary.
  case metadata
}

extension Field {
  /// The type of the field's value.
  public var type: ValueType {
    switch self {
    case .metadataValue, .displayName, .firstName, .lastName, .text: .text
    case .emailAddress, .phoneNumber, .avatarURL: .text
    case .identifier, .lastMessage, .conversation, .senderUserID, .message, .userID, .mimeType:
      .bytes
    case .participantCount, .unreadCount, .messageCount, .position, .index, .size: .number
    case .createdAt, .sentAt, .receivedAt: .date
    case .isDistinct, .hasUnreadMessages, .isSent, .isUnread, .followed: .boolean
    case .recipientStatus: .recipientStatus
    case .participants: .participants
    case .metadata: .metadata
    }
  }

  /// True when an object may lack the field's value.
  package var isOptional: Bool {
    switch self {
    case .identifier, .metadata, .participants, .participantCount, .isDistinct, .hasUnreadMessages,
      .unreadCount,
      .messageCount, .conversation, .senderUserID, .isSent, .isUnread, .message, .index, .mimeType, .userID,
      .followed:
      false
    case .metadataValue, .createdAt, .lastMessage, .position, .sentAt, .receivedAt, .recipientStatus, .size,
      .text,
      .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL:
      true
    }
  }
}

extension Property {
  /// The type of the property's value; on a to-many path the type of each of its values.
  public var type: ValueType { field.type }

  /// True when an object may lack a value, because the field or an object on the way may be missing.
  public var isOptional: Bool {
    field.isOptional
      || relations.contains { relation in
        switch relation {
        case .lastMessage, .sender, .parts: true
        case .conversation, .message: false
        }
      }
  }

  /// True when results can be sorted by the property.
  public var isSortable: Bool {
    guard !isToMany else { return false }
    return switch type {
    case .text, .bytes, .number, .date, .boolean: true
    case .recipientStatus, .participants, .metadata: false
    }
  }
}
