/// A queryable property: the relations from the queried object to the object that has the field, then the field.
///
/// `lastMessage.sentAt` of a conversation is `[.lastMessage]` and `.sentAt`. The spelling is ``path``.
public struct ObjectProperty: Hashable, Sendable {
  /// The relations from the queried object; empty for its own properties.
  public let relations: [ObjectRelation]
  /// The field of the object that the relations lead to.
  public let field: ObjectField

  package init(_ relations: [ObjectRelation] = [], _ field: ObjectField) {
    self.relations = relations
    self.field = field
  }

  /// True if the property has a value for each of several parts: a comparison is then true if it is true for any of
  /// them.
  public var isToMany: Bool {
    if case .referenced(_, let property) = field { return property.isToMany }
    return relations.contains(.parts)
  }

  /// Whether it leads through a reference to a property with several values.
  package var isOfSeveralBehindReference: Bool {
    guard case .referenced = field else { return false }
    return isToMany || type == .participants
  }

  /// The key path as the predicate language spells it, one name per element; names are not quoted.
  public var path: [String] { relations.map(\.name) + field.path }

  /// Returns the property with one more relation at the front.
  package func behind(_ relation: ObjectRelation) -> ObjectProperty {
    ObjectProperty([relation] + relations, field)
  }
}

/// A field of an object; its spelling is in ``ObjectProperty/path``. `FieldDescription` has the table of what is known of each.
public enum ObjectField: Hashable, Sendable {
  /// The identifier of an object of any kind, or the metadata as a whole.
  case identifier, metadata
  /// The value at a key path of the metadata.
  case metadataValue(MetadataPath)
  /// The identifier that a server has given a conversation, a message or an announcement; when one of them changed last.
  case remoteID, updatedAt
  /// Properties of a conversation.
  case participants, participantCount, createdAt, isDistinct, hasUnreadMessages, unreadCount, messageCount,
    lastMessage
  /// Properties of a message or announcement; `conversation` of a message only.
  case conversation, position, senderUserID, sentAt, receivedAt, editedAt, deletedAt,
    isSent, isUnread
  /// How far the message has been delivered to a user.
  case recipientStatus(Identity.ID)
  /// Properties of a part.
  case message, index, mimeType, size, text, transferStatus
  /// Properties of an identity.
  case userID, displayName, firstName, lastName, emailAddress, phoneNumber, avatarURL, publicKey, followed,
    lastSeenAt, presenceStatus
  /// Properties of a record of the application.
  case owner, createdBy, updatedBy
  /// The value at a key path of the fields of such a record.
  case recordValue(MetadataPath)
  /// A property of the object that a declared field refers to. It is missing if the reference leads to nothing.
  indirect case referenced(ReferenceStep, ObjectProperty)
}

extension ObjectField {
  /// The key path, of a value of metadata or of a record's fields; nil of other fields.
  package var keyPath: MetadataPath? {
    switch self {
    case .metadataValue(let path), .recordValue(let path): path
    default: nil
    }
  }
}
