/// What is known of a field: a row of the table of fields below, from which everything follows that does not read or
/// write the value: its spelling, its operators, where it may be named, and how the change log tells that it changed.
package struct FieldDescription: Sendable {
  /// The name, as the predicate language and the interchange format spell it.
  package let name: String
  package let type: ValueType
  /// True if an object need not have a value.
  package let isOptional: Bool
  /// Where the name may stand.
  package let scopes: Scopes
  /// The property that the change log names when a value has changed; nil for a value that never changes.
  package let logged: LoggedProperty?
  /// The property that the log names when the value of a conversation's last message has changed; nil if a conversation
  /// does not have the value.
  package let loggedOfLast: LoggedProperty?

  /// Where a name may stand in a key path: at the beginning for an object of a kind, or behind a relation.
  package struct Scopes: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let conversation = Scopes(rawValue: 1)
    package static let message = Scopes(rawValue: 2)
    package static let announcement = Scopes(rawValue: 4)
    package static let part = Scopes(rawValue: 8)
    package static let identity = Scopes(rawValue: 16)
    /// A conversation shows it of its last message.
    package static let lastMessage = Scopes(rawValue: 32)
    /// A message or announcement shows it of its parts.
    package static let partOfMessage = Scopes(rawValue: 64)
    /// A record of the application.
    package static let record = Scopes(rawValue: 128)

    fileprivate static let envelope: Scopes = [.message, .announcement]
    fileprivate static let object: Scopes = [.conversation, .message, .announcement, .identity]
  }

  fileprivate init(
    _ name: String, _ type: ValueType, _ scopes: Scopes, isOptional: Bool = false,
    logged: LoggedProperty? = nil,
    ofLast: LoggedProperty? = nil
  ) {
    self.name = name
    self.type = type
    self.scopes = scopes
    self.isOptional = isOptional
    self.logged = logged
    loggedOfLast = ofLast
  }
}

extension ObjectField {
  /// The table of fields. For the value at a key path, and for the status of a recipient, the name is that before the
  /// key path and the user.
  package var description: FieldDescription {
    switch self {
    case .identifier: FieldDescription("identifier", .bytes, [.object, .part, .record])
    case .remoteID:
      FieldDescription(
        "remoteID", .bytes, [.conversation, .envelope], isOptional: true, logged: .remoteID)
    case .updatedAt:
      FieldDescription(
        "updatedAt", .date, [.conversation, .envelope, .record], isOptional: true, logged: .updatedAt)
    case .metadata: FieldDescription("metadata", .metadata, .object, logged: .metadata)
    case .metadataValue: FieldDescription("metadata", .custom, [], isOptional: true, logged: .metadata)

    // Of a conversation.
    case .participants:
      FieldDescription("participants", .participants, .conversation, logged: .participantSet)
    case .participantCount:
      FieldDescription("participantCount", .number, .conversation, logged: .participantSet)
    case .createdAt:
      FieldDescription(
        "createdAt", .date, [.conversation, .record], isOptional: true, logged: .createdAt)
    case .isDistinct: FieldDescription("isDistinct", .boolean, .conversation, logged: .isDistinct)
    case .hasUnreadMessages:
      FieldDescription("hasUnreadMessages", .boolean, .conversation, logged: .unreadCount)
    case .unreadCount: FieldDescription("unreadCount", .number, .conversation, logged: .unreadCount)
    case .messageCount: FieldDescription("messageCount", .number, .conversation, logged: .messageCount)
    case .lastMessage:
      FieldDescription("lastMessage", .bytes, .conversation, isOptional: true, logged: .lastMessage)

    // Of a message or an announcement.
    case .conversation: FieldDescription("conversation", .bytes, .message)
    case .position:
      FieldDescription(
        "position", .number, [.envelope, .lastMessage], isOptional: true, logged: .position,
        ofLast: .lastPosition)
    case .senderUserID: FieldDescription("sender.userID", .bytes, [], logged: .sender, ofLast: .lastSender)
    case .sentAt:
      FieldDescription(
        "sentAt", .date, [.envelope, .lastMessage], isOptional: true, logged: .sentAt, ofLast: .lastSentAt)
    case .receivedAt:
      FieldDescription(
        "receivedAt", .date, [.envelope, .lastMessage], isOptional: true, logged: .receivedAt,
        ofLast: .lastReceivedAt)
    case .editedAt:
      FieldDescription("editedAt", .date, .envelope, isOptional: true, logged: .editedAt)
    case .deletedAt:
      FieldDescription("deletedAt", .date, .envelope, isOptional: true, logged: .deletedAt)
    case .isSent: FieldDescription("isSent", .boolean, .envelope, logged: .isSent)
    case .isUnread:
      FieldDescription(
        "isUnread", .boolean, [.envelope, .lastMessage], logged: .isUnread, ofLast: .lastIsUnread)
    case .recipientStatus:
      FieldDescription(
        "recipientStatus", .enumeration(.recipientStatus), [], isOptional: true, logged: .recipientStatus)

    // Of a part.
    case .message: FieldDescription("message", .bytes, .part)
    case .index: FieldDescription("index", .number, .part)
    case .mimeType: FieldDescription("mimeType", .bytes, [.part, .partOfMessage], logged: .typeSet)
    case .size: FieldDescription("size", .number, [.part, .partOfMessage], isOptional: true, logged: .parts)
    case .text: FieldDescription("text", .text, [.part, .partOfMessage], isOptional: true, logged: .parts)
    case .transferStatus:
      FieldDescription(
        "transferStatus", .enumeration(.transferStatus), [.part, .partOfMessage], logged: .parts)

    // Of an identity.
    case .userID: FieldDescription("userID", .bytes, .identity)
    case .displayName:
      FieldDescription("displayName", .text, .identity, isOptional: true, logged: .displayName)
    case .firstName: FieldDescription("firstName", .text, .identity, isOptional: true, logged: .firstName)
    case .lastName: FieldDescription("lastName", .text, .identity, isOptional: true, logged: .lastName)
    case .emailAddress:
      FieldDescription("emailAddress", .text, .identity, isOptional: true, logged: .emailAddress)
    case .phoneNumber:
      FieldDescription("phoneNumber", .text, .identity, isOptional: true, logged: .phoneNumber)
    case .avatarURL: FieldDescription("avatarURL", .text, .identity, isOptional: true, logged: .avatarURL)
    case .publicKey: FieldDescription("publicKey", .text, .identity, isOptional: true, logged: .publicKey)
    case .followed: FieldDescription("followed", .boolean, .identity, logged: .followed)
    case .lastSeenAt:
      FieldDescription("lastSeenAt", .date, .identity, isOptional: true, logged: .lastSeenAt)
    case .presenceStatus:
      FieldDescription(
        "presenceStatus", .enumeration(.presenceStatus), .identity, isOptional: true, logged: .presenceStatus)

    // Of a record. The name of a value is its key path.
    case .owner: FieldDescription("owner", .bytes, .record, logged: .owner)
    case .createdBy: FieldDescription("createdBy", .bytes, .record)
    case .updatedBy: FieldDescription("updatedBy", .bytes, .record, logged: .updatedBy)
    case .referenced(_, let property):
      FieldDescription("", property.type, [], isOptional: true, logged: .metadata)
    case .recordValue: FieldDescription("", .custom, [], isOptional: true, logged: .metadata)
    }
  }

  /// Every field that a single name may stand for, in the order in which errors list them.
  package static let named: [ObjectField] = [
    .identifier, .remoteID, .userID, .participants, .participantCount, .createdAt, .isDistinct,
    .hasUnreadMessages,
    .unreadCount, .messageCount, .lastMessage, .conversation, .position, .sentAt, .receivedAt, .editedAt,
    .deletedAt, .updatedAt, .isSent, .isUnread,
    .message, .index, .mimeType, .size, .text, .transferStatus, .displayName, .firstName, .lastName,
    .emailAddress,
    .phoneNumber,
    .avatarURL, .publicKey, .followed, .lastSeenAt, .presenceStatus, .owner, .createdBy, .updatedBy,
    .metadata,
  ]

  /// The fields of an identity that the application sets, other than the metadata, in the order in which the interchange
  /// format has them.
  package static let ofIdentities: [ObjectField] = [
    .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey,
    .followed, .lastSeenAt, .presenceStatus,
  ]
}

extension ObjectField {
  /// The spelling, one name per element.
  package var path: [String] {
    switch self {
    case .metadataValue(let path): [description.name] + path.keys
    case .recordValue(let path): path.keys
    case .referenced(let step, let property): [step.field] + property.path
    case .recipientStatus(let user): [description.name, user.rawValue]
    case .senderUserID: ["sender", "userID"]
    default: [description.name]
    }
  }

  /// The type of the field's value.
  public var type: ValueType { description.type }

  /// True if an object need not have a value of the field.
  package var isOptional: Bool { description.isOptional }
}

extension ObjectProperty {
  /// What the change log names when the value of an object of a kind may have changed. Not for properties of related
  /// objects other than a conversation's last message and a message's parts: those objects have changes of their own.
  package func logged(of kind: ObjectKind) -> LoggedProperties {
    guard kind != .parts, relations != [.parts] else { return [.init(.parts), .init(.typeSet)] }
    let field = field.description
    switch relations {
    case []: return field.logged.map { LoggedProperties($0) } ?? []
    case [.lastMessage]: return field.loggedOfLast.map { [.init($0), .init(.lastMessage)] } ?? .all
    default: return .all
    }
  }
}
