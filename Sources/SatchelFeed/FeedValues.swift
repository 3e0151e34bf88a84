internal import SatchelCoding
internal import SatchelModel
internal import SatchelReading

/// Reads objects of a snapshot for the feed: their identifiers, their present values, and the texts that logged numbers
/// stand for. Each object is read once.
struct FeedValues {
  private enum Record {
    case message(StoredMessage)
    case conversation(StoredConversation)
    case identity(StoredIdentity)
    case record(StoredRecord)
  }

  let snapshot: Snapshot
  private var records: [ObjectRow: Record?] = [:]

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Returns the object's identifier: from its record or, if the object is deleted, `left`, which the log keeps. Nil if
  /// neither exists.
  mutating func name(of object: ObjectRow, _ left: [UInt8]?) throws -> ChangedObject? {
    let identifier: String
    switch (try record(object), left) {
    case (.message(let fields)?, nil): identifier = String(decoding: fields.identifier, as: UTF8.self)
    case (.conversation(let fields)?, nil): identifier = String(decoding: fields.identifier, as: UTF8.self)
    case (.identity(let fields)?, nil): identifier = try snapshot.users.text(fields.user)
    case (.record(let values)?, nil): identifier = String(decoding: values.identifier, as: UTF8.self)
    case (_, let left?): identifier = String(decoding: left, as: UTF8.self)
    case (nil, nil): return nil
    }
    switch object {
    case .conversation: return .conversation(Conversation.ID(identifier))
    case .message(let key) where key.isAnnouncement: return .announcement(Announcement.ID(identifier))
    case .message: return .message(Message.ID(identifier))
    case .identity: return .identity(Identity.ID(identifier))
    case .record(let key):
      return .record(Reference(type: try snapshot.recordType(key.type).type.name, name: identifier))
    }
  }

  /// Returns the present value of a field of an object.
  mutating func current(_ field: LoggedField, of object: ObjectRow) throws -> LoggedValue {
    guard let record = try record(object) else { return .long }
    switch (record, field) {
    case (.message(let fields), .property(let property)): return fields.logged(property)
    case (.conversation(let fields), .property(let property)): return fields.logged(property)
    case (.identity(let fields), .property(let property)): return fields.logged(property)
    case (.record(let values), .property(let property)): return values.logged(property)
    case (.message(let fields), .metadata(let path)): return try value(path, of: fields.metadata)
    case (.conversation(let fields), .metadata(let path)): return try value(path, of: fields.metadata)
    case (.identity(let fields), .metadata(let path)): return try value(path, of: fields.metadata)
    case (.record(let values), .metadata(let path)): return try value(path, of: values.fields)
    case (.message(let fields), .recipient(let user)): return fields.logged(recipient: user)
    case (.conversation, .recipient), (.identity, .recipient), (.record, .recipient): return .long
    }
  }

  /// Returns the record of an object, or nil if the object does not exist. A message does not exist without its
  /// conversation: the records of a deleted conversation's messages are removed little by little.
  private mutating func record(_ object: ObjectRow) throws -> Record? {
    if let known = records[object] { return known }
    let record: Record?
    switch object {
    case .conversation(let row): record = try snapshot.fields(conversation: row).map { .conversation($0) }
    case .identity(let row): record = try snapshot.fields(identity: row).map { .identity($0) }
    case .record(let key): record = try snapshot.findRecord(key).map { .record(try snapshot.values(of: $0)) }
    case .message(let key):
      let isHeld = try key.isAnnouncement || self.record(.conversation(key.conversation)) != nil
      record = try isHeld ? snapshot.fields(message: key).map { .message($0) } : nil
    }
    records[object] = .some(record)
    return record
  }

  private func value(_ path: UInt32, of metadata: Metadata) throws -> LoggedValue {
    let value = metadata.value(at: try snapshot.metadataPath(path).keys)
    // A text of any length, because it comes from a record.
    if case .text(let text)? = value { return .text(Array(text.utf8)) }
    return LoggedValue(metadata: value)
  }
}

extension StoredMessage {
  /// Returns the status of a recipient. O(log recipients): they are sorted by user.
  fileprivate func logged(recipient user: UInt32) -> LoggedValue {
    var low = 0
    var high = recipients.count
    while low < high {
      let middle = (low + high) / 2
      if recipients[middle].user < user { low = middle + 1 } else { high = middle }
    }
    guard low < recipients.count, recipients[low].user == user else { return .missing }
    return .word(Int64(recipients[low].status.rawValue))
  }

  fileprivate func logged(_ property: LoggedProperty) -> LoggedValue {
    switch property {
    case .position: LoggedValue(position)
    case .sentAt: LoggedValue(sentAt)
    case .receivedAt: LoggedValue(receivedAt)
    case .editedAt: LoggedValue(life.editedAt)
    case .deletedAt: LoggedValue(life.deletedAt)
    case .updatedAt: LoggedValue(life.updatedAt)
    case .remoteID: LoggedValue(text: remoteID)
    case .isSent: LoggedValue(isSent ? 1 : 0)
    case .isUnread: LoggedValue(isUnread ? 1 : 0)
    case .sender: LoggedValue(Int64(sender))
    case .typeSet: LoggedValue(Int64(typeSet))
    // Not kept by the log, or of other kinds of objects.
    case .identifier, .metadata, .recipientStatus, .parts, .contents: .long
    case .participantSet, .createdAt, .isDistinct, .isVisible, .messageCount, .unreadCount, .lastMessage,
      .lastPosition, .lastSentAt, .lastReceivedAt, .lastIsUnread, .lastSender,
      .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey, .followed,
      .lastSeenAt, .presenceStatus, .owner, .updatedBy:
      .long
    }
  }
}

extension StoredConversation {
  fileprivate func logged(_ property: LoggedProperty) -> LoggedValue {
    switch property {
    case .participantSet: LoggedValue(Int64(participantSet))
    case .createdAt: LoggedValue(createdAt)
    case .updatedAt: LoggedValue(updatedAt)
    case .remoteID: LoggedValue(text: remoteID)
    case .isDistinct: LoggedValue(isDistinct ? 1 : 0)
    case .isVisible: LoggedValue(isVisible ? 1 : 0)
    case .messageCount: LoggedValue(Int64(bitPattern: messageCount))
    case .unreadCount: LoggedValue(Int64(bitPattern: unreadCount))
    case .lastMessage: LoggedValue(last.map { Int64(bitPattern: $0.sequence) })
    case .lastPosition: LoggedValue(last?.position)
    case .lastSentAt: LoggedValue(last?.sentAt)
    case .lastReceivedAt: LoggedValue(last?.receivedAt)
    case .lastIsUnread: LoggedValue(last.map { $0.isUnread ? 1 : 0 })
    case .lastSender: LoggedValue(last.map { Int64($0.sender) })
    // Not kept by the log, or of other kinds of objects.
    case .identifier, .metadata: .long
    case .position, .sentAt, .receivedAt, .editedAt, .deletedAt, .isSent, .isUnread, .sender,
      .typeSet, .recipientStatus, .parts, .contents,
      .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey, .followed,
      .lastSeenAt, .presenceStatus, .owner, .updatedBy:
      .long
    }
  }
}

extension StoredIdentity {
  fileprivate func logged(_ property: LoggedProperty) -> LoggedValue {
    guard let field = ObjectField.ofIdentities.first(where: { $0.description.logged == property }) else {
      // Not kept by the log, or of other kinds of objects.
      return .long
    }
    return switch self[field] {
    // Of any length, because it comes from a record.
    case .text(let text): text.map { .text(Array($0.utf8)) } ?? .missing
    case .boolean, .date, .choice: LoggedValue(self[field].number)
    }
  }
}

extension StoredRecord {
  fileprivate func logged(_ property: LoggedProperty) -> LoggedValue {
    switch property {
    case .owner: LoggedValue(Int64(owner))
    case .updatedBy: LoggedValue(Int64(updatedBy))
    case .createdAt: LoggedValue(createdAt)
    case .updatedAt: LoggedValue(updatedAt)
    // Not kept by the log, or of other kinds of objects.
    default: .long
    }
  }
}
