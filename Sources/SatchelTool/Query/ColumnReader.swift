import Satchel
import SatchelModel
import SatchelText
import TerminalInterface

/// Reads the properties of results that columns show.
struct ColumnReader {
  let snapshot: StoreSnapshot

  /// Returns the value that an object has for a property of its kind, as it is stored.
  func value(of property: ObjectProperty, in object: ResultObject) throws -> ColumnValue {
    try value(property.relations[...], property.field, in: object)
  }

  private func value(
    _ relations: ArraySlice<ObjectRelation>, _ field: ObjectField, in object: ResultObject
  ) throws -> ColumnValue {
    guard let relation = relations.first else { return try value(of: field, in: object) }
    let rest = relations.dropFirst()
    if relation == .parts {
      return .list(try (object.envelope?.parts ?? []).map { try value(rest, field, in: .part($0)) })
    }
    guard let related = try related(relation, of: object) else { return .missing }
    return try value(rest, field, in: related)
  }

  /// Returns the object that a relation leads to; nil if there is none.
  private func related(_ relation: ObjectRelation, of object: ResultObject) throws -> ResultObject? {
    switch (relation, object) {
    case (.conversation, .message(let message)):
      try snapshot.conversation(message.conversation).map { .conversation($0) }
    case (.lastMessage, .conversation(let conversation)): conversation.lastMessage.map { .message($0) }
    case (.message, .part(let part)):
      try snapshot.message(part.message).map { .message($0) }
        ?? snapshot.announcement(Announcement.ID(part.message.rawValue)).map { .announcement($0) }
    case (.sender, _): try object.envelope.flatMap { try snapshot.identity($0.sender) }.map { .identity($0) }
    default: nil
    }
  }

  /// Returns the object that a field of a record refers to; nil if there is none.
  private func referenced(by step: ReferenceStep, from object: ResultObject) throws -> ResultObject? {
    if step.isUser {
      let users = [
        "owner": object.record?.owner, "createdBy": object.record?.createdBy,
        "updatedBy": object.record?.updatedBy,
      ]
      return try users[step.field]?.flatMap { try snapshot.identity($0) }.map { .identity($0) }
    }
    guard let reference = object.record?.fields.value(forKey: step.field)?.referenceValue,
      UTF8Order.areEqual(reference.type, step.target)
    else { return nil }
    let name = reference.name
    switch step.kind {
    case .records: return try snapshot.record(reference).map { .record($0) }
    case .conversations: return try snapshot.conversation(Conversation.ID(name)).map { .conversation($0) }
    case .messages: return try snapshot.message(Message.ID(name)).map { .message($0) }
    case .identities: return try snapshot.identity(Identity.ID(name)).map { .identity($0) }
    case .announcements, .parts: return nil
    }
  }

  /// Returns what a conversation is to the store's user: what is true or false is false where nothing is said.
  private func ownState(_ property: ObjectProperty, in object: ResultObject) throws -> ColumnValue {
    guard let conversation = object.conversation, let name = property.field.keyPath?.keys.first else {
      return .missing
    }
    let record = try snapshot.record(
      Reference(
        type: OwnState.recordType,
        name: ParticipationName.name(conversation: conversation.id.rawValue, user: snapshot.base.user)))
    guard let value = record?[name] else { return OwnState.flags.contains(name) ? .boolean(false) : .missing }
    return ColumnValue(metadata: value)
  }

  /// Returns the value of a field of the object itself.
  private func value(of field: ObjectField, in object: ResultObject) throws -> ColumnValue {
    switch field {
    case .identifier, .userID: .text(object.identifier)
    case .remoteID:
      ColumnValue(object.conversation.map { $0.remoteID?.rawValue } ?? object.envelope?.remoteID)
    case .updatedAt:
      ColumnValue(
        object.conversation?.updatedTimestamp
          ?? object.envelope.flatMap { $0.updatedAt ?? $0.receivedAt ?? $0.sentAt }
          ?? object.record?.updatedTimestamp)
    case .metadata: object.metadata.map { .metadata($0) } ?? .missing
    case .metadataValue(let path): ColumnValue(metadata: object.metadata?.value(at: path.keys))

    case .participants:
      .list(object.conversation?.participants.map { .text($0.rawValue) } ?? [])
    case .participantCount: ColumnValue((object.conversation?.participantCount).map(Int64.init))
    case .createdAt: ColumnValue(object.conversation?.createdTimestamp ?? object.record?.createdTimestamp)
    case .isDistinct: ColumnValue(object.conversation?.isDistinct)
    case .hasUnreadMessages: ColumnValue(object.conversation?.hasUnreadMessages)
    case .unreadCount: ColumnValue((object.conversation?.unreadCount).map(Int64.init))
    case .messageCount: ColumnValue((object.conversation?.messageCount).map(Int64.init))
    case .lastMessage: ColumnValue(object.conversation?.lastMessage?.id.rawValue)

    case .conversation:
      if case .message(let message) = object { .text(message.conversation.rawValue) } else { .missing }
    case .position: ColumnValue(object.envelope?.position)
    case .senderUserID: ColumnValue(object.envelope?.sender.rawValue)
    case .sentAt: ColumnValue(object.envelope?.sentAt)
    case .receivedAt: ColumnValue(object.envelope?.receivedAt)
    case .editedAt: ColumnValue(object.envelope?.editedAt)
    case .deletedAt: ColumnValue(object.envelope?.deletedAt)
    case .isSent: ColumnValue(object.envelope?.isSent)
    case .isUnread: ColumnValue(object.envelope?.isUnread)
    case .recipientStatus(let user):
      ColumnValue(object.envelope?.recipientStatus.first { $0.user == user }?.status.name)

    case .message: ColumnValue(object.part?.message.rawValue)
    case .index: ColumnValue((object.part?.index).map(Int64.init))
    case .mimeType: ColumnValue(object.part?.mimeType)
    case .size: ColumnValue(object.part?.size)
    case .text: ColumnValue(try object.part.flatMap(text))
    case .transferStatus: ColumnValue(object.part?.transferStatus.name)

    case .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey, .followed,
      .lastSeenAt, .presenceStatus:
      object.identity.map { Self.value(of: field, in: $0) } ?? .missing

    case .owner: ColumnValue(object.record?.owner?.rawValue)
    case .createdBy: ColumnValue(object.record?.createdBy?.rawValue)
    case .updatedBy: ColumnValue(object.record?.updatedBy?.rawValue)
    case .referenced(let step, let property) where step.isOwnState:
      try ownState(property, in: object)
    case .referenced(let step, let property):
      try referenced(by: step, from: object).map { try value(of: property, in: $0) } ?? .missing
    case .recordValue(let path): ColumnValue(metadata: object.record?.fields.value(at: path.keys))
    }
  }

  /// Returns the whole text of a part; nil if its content is none.
  private func text(of part: MessagePart) throws -> String? {
    switch part.content {
    case .text(let text): text
    case .storedText: String(decoding: try snapshot.content(of: part.id), as: UTF8.self)
    case .data, .storedData, .url: nil
    }
  }

  private static func value(of field: ObjectField, in identity: Identity) -> ColumnValue {
    switch identity[field] {
    case .text(let text): ColumnValue(text)
    case .boolean(let flag): .boolean(flag)
    case .date(let date): ColumnValue(date)
    case .choice(let number): ColumnValue(field.type.name(of: number))
    }
  }
}

extension ResultObject {
  fileprivate var conversation: Conversation? {
    if case .conversation(let value) = self { value } else { nil }
  }

  fileprivate var part: MessagePart? { if case .part(let value) = self { value } else { nil } }

  fileprivate var identity: Identity? { if case .identity(let value) = self { value } else { nil } }

  fileprivate var record: Record? { if case .record(let value) = self { value } else { nil } }

  /// What messages and announcements have in common.
  fileprivate var envelope: Envelope? {
    switch self {
    case .message(let value): value.envelope
    case .announcement(let value): value.envelope
    case .conversation, .part, .identity, .record: nil
    }
  }

  var metadata: Metadata? {
    switch self {
    case .conversation(let value): value.metadata
    case .message(let value): value.envelope.metadata
    case .announcement(let value): value.envelope.metadata
    case .identity(let value): value.metadata
    case .part, .record: nil
    }
  }
}
