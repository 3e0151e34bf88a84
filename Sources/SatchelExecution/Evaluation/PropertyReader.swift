package import SatchelCoding
package import SatchelIndexing
package import SatchelModel
import SatchelPlanning
package import SatchelReading

/// Reads one property of a row: from the columns of its index entry if they hold it, otherwise from its record.
package typealias PropertyReader = (inout RowContext) throws -> PropertyValue

/// Makes the readers of properties for the rows of one kind that come from one index.
package struct PropertyReaders {
  let snapshot: Snapshot
  let kind: ObjectKind
  let index: IndexDefinition?

  package init(snapshot: Snapshot, kind: ObjectKind, index: IndexDefinition?) {
    self.snapshot = snapshot
    self.kind = kind
    self.index = index
  }

  /// Returns the reader of a property that has at most one value.
  package func reader(of property: ObjectProperty) -> PropertyReader {
    let raw = exactReader(of: property)
    guard property.type == .text || property.type == .custom else { return raw }
    return { row in try raw(&row).canonical }
  }

  /// Returns the reader of a property that has at most one value, whose texts come as they were given.
  package func exactReader(of property: ObjectProperty) -> PropertyReader {
    columnReader(of: property) ?? recordReader(of: property)
  }

  // MARK: From columns

  private func columnReader(of property: ObjectProperty) -> PropertyReader? {
    guard let index, let segment = Segment(property, of: kind), let column = index.column(of: segment) else {
      return nil
    }
    switch segment {
    case .optional:
      return { row in row.words[column] == 0 ? .missing : .integer(KeyWords.value(row.words[column + 1])) }
    case .position:
      return { row in row.words[column] == 1 ? .missing : .integer(KeyWords.value(row.words[column + 1])) }
    case .partIndex:
      return { row in .integer(Int64(truncatingIfNeeded: row.words[column])) }
    case .sender, .user:
      let users = snapshot.users
      return { row in .bytes(try users.utf8(UInt32(truncatingIfNeeded: row.words[column]))) }
    case .mimeType:
      let mimeTypes = snapshot.mimeTypes
      return { row in .bytes(try mimeTypes.utf8(UInt32(truncatingIfNeeded: row.words[column]))) }
    default: return nil
    }
  }

  // MARK: From records

  private func recordReader(of property: ObjectProperty) -> PropertyReader {
    switch kind {
    case .messages:
      if let inner = property.stripping(.conversation) { return throughConversation(inner) }
      return messageReader(of: property) { row, snapshot in try row.message(snapshot) }
    case .announcements:
      return messageReader(of: property) { row, snapshot in try row.announcement(snapshot) }
    case .parts:
      if let inner = property.stripping(.message) {
        return PropertyReaders(snapshot: snapshot, kind: .messages, index: nil).exactReader(of: inner)
      }
      return partReader(of: property.field)
    case .conversations: return conversationReader(of: property)
    case .identities: return identityReader(of: property.field)
    case .records: return fieldReader(of: property.field)
    }
  }

  private func throughConversation(_ property: ObjectProperty) -> PropertyReader {
    let inner = PropertyReaders(snapshot: snapshot, kind: .conversations, index: nil).exactReader(
      of: property)
    return { row in
      var conversation = RowContext()
      conversation.begin(RowReference(sequence: UInt64(row.reference.conversation)))
      return try inner(&conversation)
    }
  }

  private func messageReader(
    of property: ObjectProperty, _ view: @escaping (inout RowContext, Snapshot) throws -> MessageView
  ) -> PropertyReader {
    let snapshot = snapshot
    if property.relations == [.sender] { return senderName(view) }
    switch property.field {
    case .identifier: return { row in unsafe .mapped(try view(&row, snapshot).identifierBytes) }
    case .remoteID:
      return { row in
        guard let bytes = unsafe try view(&row, snapshot).remoteIDBytes else { return .missing }
        return unsafe .mapped(bytes)
      }
    case .position: return { row in PropertyValue(try view(&row, snapshot).position) }
    case .sentAt: return { row in PropertyValue(try view(&row, snapshot).sentAt) }
    case .receivedAt: return { row in PropertyValue(try view(&row, snapshot).receivedAt) }
    case .editedAt: return { row in PropertyValue(try view(&row, snapshot).editedAt) }
    case .deletedAt: return { row in PropertyValue(try view(&row, snapshot).deletedAt) }
    case .updatedAt: return { row in PropertyValue(try view(&row, snapshot).head.lastChange) }
    case .isSent: return { row in PropertyValue(try view(&row, snapshot).isSent) }
    case .isUnread: return { row in PropertyValue(try view(&row, snapshot).isUnread) }
    case .senderUserID: return { row in .bytes(try snapshot.users.utf8(view(&row, snapshot).sender)) }
    case .recipientStatus(let user):
      let number = Lazily { try snapshot.users.number(of: user.rawValue) }
      return { row in
        guard let number = try number.value else { return .missing }
        return PropertyValue(
          (try view(&row, snapshot).recipientStatus(of: number)).map { Int64($0.rawValue) })
      }
    case .metadataValue(let path):
      let path = path.keys.map { Array($0.utf8) }
      return { row in
        snapshot.metrics.metadataSearches &+= 1
        return PropertyValue(try view(&row, snapshot).metadata.value(at: path))
      }
    // Not one value, or of other kinds of objects.
    case .metadata, .conversation: return { _ in .missing }
    case .participants, .participantCount, .createdAt, .isDistinct, .hasUnreadMessages, .unreadCount,
      .messageCount,
      .lastMessage,
      .message, .index, .mimeType, .size, .text, .transferStatus, .userID, .displayName, .firstName,
      .lastName, .emailAddress,
      .phoneNumber, .avatarURL, .publicKey, .followed,
      .lastSeenAt, .presenceStatus, .owner, .createdBy, .updatedBy, .recordValue, .referenced:
      return { _ in .missing }
    }
  }

  private func senderName(
    _ view: @escaping (inout RowContext, Snapshot) throws -> MessageView
  ) -> PropertyReader {
    let snapshot = snapshot
    return { row in
      guard let identity = try snapshot.locateIdentity(user: view(&row, snapshot).sender) else {
        return .missing
      }
      return unsafe PropertyValue(try snapshot.identity(identity).bytes(of: .displayName))
    }
  }

  private func partReader(of field: ObjectField) -> PropertyReader {
    let snapshot = snapshot
    return { row in
      let message = try row.message(snapshot)
      let index = Int(row.reference.part)
      switch field {
      case .identifier: return unsafe .bytes(Array(message.identifierBytes) + Array("/parts/\(index)".utf8))
      case .index: return .integer(Int64(index))
      case .mimeType, .size, .text, .transferStatus:
        guard let part = snapshot.part(at: index, of: message)?.part else { return .missing }
        if field == .mimeType { return .bytes(try snapshot.mimeTypes.utf8(part.mimeType)) }
        if field == .size { return PropertyValue(part.size) }
        if field == .transferStatus { return .integer(Int64(part.transferStatus.rawValue)) }
        return try PartText.value(of: part, at: index, in: message, snapshot)
      // Not one value, or of other kinds of objects.
      case .message, .metadata, .metadataValue: return .missing
      case .participants, .participantCount, .createdAt, .isDistinct, .hasUnreadMessages, .unreadCount,
        .messageCount, .lastMessage,
        .conversation, .position, .senderUserID, .sentAt, .receivedAt, .editedAt, .deletedAt, .updatedAt,
        .remoteID,
        .isSent, .isUnread, .recipientStatus,
        .userID, .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey,
        .followed,
        .lastSeenAt, .presenceStatus, .owner, .createdBy, .updatedBy, .recordValue, .referenced:
        return .missing
      }
    }
  }

  private func conversationReader(of property: ObjectProperty) -> PropertyReader {
    let snapshot = snapshot
    let isOfLast = property.relations == [.lastMessage]
    switch property.field {
    case .referenced(let step, let inner):
      let read = referenceReader(step, inner)
      guard property.isOwnFlag else { return read }
      return { row in
        let value = try read(&row)
        if case .missing = value { return .scalar(.boolean(false)) }
        return value
      }
    case .sentAt where isOfLast: return { row in PropertyValue(try row.conversation(snapshot).last?.sentAt) }
    case .receivedAt where isOfLast:
      return { row in PropertyValue(try row.conversation(snapshot).last?.receivedAt) }
    case .position where isOfLast:
      return { row in PropertyValue(try row.conversation(snapshot).last?.position) }
    case .isUnread where isOfLast:
      return { row in try row.conversation(snapshot).last.map { PropertyValue($0.isUnread) } ?? .missing }
    case .senderUserID where isOfLast:
      return { row in
        guard let last = try row.conversation(snapshot).last else { return .missing }
        return .bytes(try snapshot.users.utf8(last.sender))
      }
    case .identifier: return { row in unsafe .mapped(try row.conversation(snapshot).identifierBytes) }
    case .remoteID:
      return { row in
        guard let bytes = unsafe try row.conversation(snapshot).remoteIDBytes else { return .missing }
        return unsafe .mapped(bytes)
      }
    case .createdAt: return { row in PropertyValue(try row.conversation(snapshot).createdAt) }
    case .updatedAt: return { row in PropertyValue(try row.conversation(snapshot).lastChange) }
    case .isDistinct: return { row in PropertyValue(try row.conversation(snapshot).isDistinct) }
    case .hasUnreadMessages: return { row in PropertyValue(try row.conversation(snapshot).unreadCount > 0) }
    case .unreadCount:
      return { row in PropertyValue(Int64(clamping: try row.conversation(snapshot).unreadCount)) }
    case .messageCount:
      return { row in PropertyValue(Int64(clamping: try row.conversation(snapshot).messageCount)) }
    case .participantCount:
      return { row in
        let set = try row.conversation(snapshot).participantSet
        return PropertyValue(Int64(try snapshot.participantSets.members(set).count))
      }
    case .lastMessage:
      return { row in
        let view = try row.conversation(snapshot)
        guard let last = view.last else { return .missing }
        let message = try snapshot.message(conversation: view.row, sequence: last.sequence)
        return unsafe .mapped(message.identifierBytes)
      }
    case .metadataValue(let path):
      let path = path.keys.map { Array($0.utf8) }
      return { row in
        snapshot.metrics.metadataSearches &+= 1
        return PropertyValue(try row.conversation(snapshot).metadata.value(at: path))
      }
    // Not one value, or of other kinds of objects.
    case .metadata, .participants: return { _ in .missing }
    case .conversation, .position, .senderUserID, .sentAt, .receivedAt, .editedAt, .deletedAt,
      .isSent, .isUnread, .recipientStatus,
      .message, .index, .mimeType, .size, .text, .transferStatus, .userID, .displayName, .firstName,
      .lastName, .emailAddress,
      .phoneNumber, .avatarURL, .publicKey, .followed,
      .lastSeenAt, .presenceStatus, .owner, .createdBy, .updatedBy, .recordValue:
      return { _ in .missing }
    }
  }

  private func identityReader(of field: ObjectField) -> PropertyReader {
    let snapshot = snapshot
    switch field {
    case .identifier, .userID:
      return { row in
        guard let user = try row.reference.member ?? row.identity(snapshot)?.user else { return .missing }
        return .bytes(try snapshot.users.utf8(user))
      }
    case .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL, .publicKey:
      return { row in unsafe PropertyValue(try row.identity(snapshot)?.bytes(of: field)) }
    case .lastSeenAt: return { row in PropertyValue(try row.identity(snapshot)?.lastSeenAt) }
    case .presenceStatus:
      return { row in PropertyValue(try row.identity(snapshot)?.presenceStatus.map { Int64($0.rawValue) }) }
    case .followed: return { row in PropertyValue(try row.identity(snapshot)?.followed ?? false) }
    case .metadataValue(let path):
      let path = path.keys.map { Array($0.utf8) }
      return { row in
        snapshot.metrics.metadataSearches &+= 1
        return PropertyValue(try row.identity(snapshot)?.metadata.value(at: path))
      }
    // Not one value, or of other kinds of objects.
    case .metadata: return { _ in .missing }
    case .participants, .participantCount, .createdAt, .isDistinct, .hasUnreadMessages, .unreadCount,
      .messageCount,
      .lastMessage,
      .conversation, .position, .senderUserID, .sentAt, .receivedAt, .editedAt, .deletedAt, .updatedAt,
      .remoteID,
      .isSent, .isUnread, .recipientStatus,
      .message, .index, .mimeType, .size, .text, .transferStatus, .owner, .createdBy, .updatedBy,
      .recordValue, .referenced:
      return { _ in .missing }
    }
  }

  private func fieldReader(of field: ObjectField) -> PropertyReader {
    let snapshot = snapshot
    switch field {
    case .identifier: return { row in unsafe .mapped(try row.record(snapshot).identifierBytes) }
    case .owner: return { row in .bytes(try snapshot.users.utf8(row.record(snapshot).owner)) }
    case .createdBy: return { row in .bytes(try snapshot.users.utf8(row.record(snapshot).createdBy)) }
    case .updatedBy: return { row in .bytes(try snapshot.users.utf8(row.record(snapshot).updatedBy)) }
    case .createdAt: return { row in .integer(try row.record(snapshot).createdAt) }
    case .updatedAt: return { row in .integer(try row.record(snapshot).updatedAt) }
    case .recordValue(let path):
      let path = path.keys.map { Array($0.utf8) }
      return { row in
        snapshot.metrics.metadataSearches &+= 1
        return PropertyValue(try row.record(snapshot).fields.value(at: path))
      }
    case .referenced(let step, let property): return referenceReader(step, property)
    // Of other kinds of objects.
    default: return { _ in .missing }
    }
  }

  private func referenceReader(_ step: ReferenceStep, _ property: ObjectProperty) -> PropertyReader {
    let read = PropertyReaders(snapshot: snapshot, kind: step.kind, index: nil).exactReader(of: property)
    let values = ReferencedRows<PropertyValue>(step, in: snapshot, missing: .missing) { row in
      var context = RowContext()
      context.begin(row)
      return try read(&context).owned
    }
    return { row in try values.value(for: &row) }
  }
}

/// A value that is looked up on first use.
final class Lazily<Value> {
  private var found: Value?
  private let find: () throws -> Value

  init(_ find: @escaping () throws -> Value) { self.find = find }

  var value: Value {
    get throws {
      if let found { return found }
      let value = try find()
      found = value
      return value
    }
  }
}

/// Reads the text of a part as a property value, which is missing if the part holds something else.
package enum PartText {
  package static func value(of part: PartView, at index: Int, in message: MessageView, _ snapshot: Snapshot)
    throws
    -> PropertyValue
  {
    guard part.kind == .text else { return .missing }
    guard part.isStored else { return unsafe .mapped(part.inlineBytes) }
    return .bytes(try snapshot.content(of: part, index: index, in: message.key))
  }
}
