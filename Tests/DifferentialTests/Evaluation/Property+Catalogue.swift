/// Which properties each kind of object has. Nil for one it does not have.
extension Property where Object == Snapshot.Conversation {
  static func conversation(_ path: ArraySlice<ByteString>) -> Property? {
    let names = path.map(\.string)
    switch names.first {
    case "metadata" where path.count > 1: return metadata(at: path.dropFirst()) { $0.record.metadata }
    case "lastMessage" where path.count > 1:
      guard lastMessageNames.contains(names.dropFirst().joined(separator: ".")) else { return nil }
      // A conversation may lack its last message, though none that is seen does.
      var property = Property<Snapshot.Message>.message(path.dropFirst())?.through { (object: Object) in
        object.lastMessage
      }
      property?.isOptional = true
      return property
    default: break
    }
    guard path.count == 1 else { return nil }
    switch names[0] {
    case "identifier": return exact(\.record.identifier)
    case "remoteID":
      return Property(type: .exact, isOptional: true) { $0.record.remoteID.map { [.string($0)] } ?? [] }
    case "participants": return Property(type: .users) { [.users($0.record.participants)] }
    case "participantCount": return number { Int64($0.record.participants.count) }
    case "createdAt": return date(\.record.createdAt)
    case "isDistinct": return boolean(\.record.isDistinct)
    case "hasUnreadMessages": return boolean { $0.unreadCount > 0 }
    case "unreadCount": return number(\.unreadCount)
    case "messageCount": return number { Int64($0.messages.count) }
    case "lastMessage":
      return Property(type: .exact, isOptional: true) { [.string($0.lastMessage.record.identifier)] }
    case "metadata": return dictionary(\.record.metadata)
    default: return nil
    }
  }

  private static var lastMessageNames: [String] {
    ["sentAt", "receivedAt", "position", "isUnread", "sender.userID"]
  }
}

extension Property where Object == Snapshot.Message {
  /// What messages and announcements have in common: all but the conversation.
  static func message(_ path: ArraySlice<ByteString>) -> Property? {
    let names = path.map(\.string)
    switch (names.first, names.count) {
    case ("metadata", 2...): return metadata(at: path.dropFirst()) { $0.record.metadata }
    case ("recipientStatus", 2):
      let user = path[path.startIndex + 1]
      return Property(type: .status, isOptional: true) { message in
        message.record.recipientStatus[user].map { [.string($0)] } ?? []
      }
    case ("parts", 2):
      guard ["mimeType", "size", "text", "transferStatus"].contains(names[1]) else { return nil }
      return Property<Snapshot.Part>.part(path.dropFirst())?
        .throughAny { message in message.record.parts.indices.map { .init(message: message, index: $0) } }
    default: break
    }
    switch names.joined(separator: ".") {
    case "identifier": return exact(\.record.identifier)
    case "remoteID":
      return Property(type: .exact, isOptional: true) { $0.record.remoteID.map { [.string($0)] } ?? [] }
    case "position": return position(\.record.position)
    case "sender.userID": return exact(\.record.sender)
    case "sender.displayName": return text(\.senderName)
    case "sentAt": return date(\.record.sentAt)
    case "receivedAt": return date(\.record.receivedAt)
    case "editedAt": return date(\.record.editedAt)
    case "deletedAt": return date(\.record.deletedAt)
    case "isSent": return boolean(\.record.isSent)
    case "isUnread": return boolean(\.record.isUnread)
    case "metadata": return dictionary(\.record.metadata)
    default: return nil
    }
  }

  /// What a message of a conversation has.
  static func conversationMessage(_ path: ArraySlice<ByteString>) -> Property? {
    guard path.first == "conversation" else { return message(path) }
    if path.count == 1 {
      return Property(type: .exact) { $0.record.conversation.map { [.string($0)] } ?? [] }
    }
    // A message that is seen has a conversation, so what a conversation always has, its messages always have too.
    return Property<Snapshot.Conversation>.conversation(path.dropFirst())?.through { $0.conversation }
  }
}

extension Property where Object == Snapshot.Part {
  /// What a part has of itself.
  static func part(_ path: ArraySlice<ByteString>) -> Property? {
    guard path.count == 1, let name = path.first else { return nil }
    switch name.string {
    case "identifier": return exact(\.identifier)
    case "message": return exact(\.message.record.identifier)
    case "index": return number { Int64($0.index) }
    case "mimeType": return exact(\.record.mimeType)
    case "size": return optionalNumber(\.record.size)
    case "text": return text(\.record.text)
    case "transferStatus":
      return Property(type: .transfer) { part in
        transferStatuses.firstIndex(of: part.record.transferStatus).map { [.integer(Int64($0))] } ?? []
      }
    default: return nil
    }
  }

  static func messagePart(_ path: ArraySlice<ByteString>) -> Property? {
    guard path.first == "message", path.count > 1 else { return part(path) }
    return Property<Snapshot.Message>.conversationMessage(path.dropFirst())?.through { $0.message }
  }
}

extension Property where Object == ModelRecord {
  /// What every record has, and the fields of one, declared or not, which have every other name; behind a declared field of references what
  /// the object has to which it refers.
  static func record(_ path: ArraySlice<ByteString>, of type: ByteString, in snapshot: Snapshot) -> Property?
  {
    guard let name = path.first else { return nil }
    if path.count > 1, let field = snapshot.types[type]?.fields[name] {
      // Of a field that may refer to anything nobody knows what there is behind it, and below one of another type there is nothing.
      return field.target.flatMap { referenced(path.dropFirst(), by: name, to: $0, in: snapshot) }
    }
    guard ModelRecord.reservedNames.contains(name) else {
      return metadata(at: path, mayRefer: true, \.fields)
    }
    guard path.count == 1 else { return nil }
    return switch name.string {
    case "identifier": exact(\.id.name)
    case "owner": exact(\.owner)
    case "createdBy": exact(\.createdBy)
    case "updatedBy": exact(\.updatedBy)
    // Every record has both.
    case "createdAt": Property(type: .date) { [.integer($0.createdAt)] }
    default: Property(type: .date) { [.integer($0.updatedAt)] }
    }
  }

  /// A property of the objects of a type to which a field refers: of those that the user sees.
  private static func referenced(
    _ path: ArraySlice<ByteString>, by field: ByteString, to target: ByteString, in snapshot: Snapshot
  ) -> Property? {
    func name(_ record: ModelRecord) -> ByteString? {
      guard case .reference(let reference)? = record.values[field], reference.type == target else {
        return nil
      }
      return reference.name
    }
    switch target.string {
    case "conversations":
      return Property<Snapshot.Conversation>.conversation(path)?
        .throughReference { name($0).flatMap { snapshot.conversationsByName[$0] } }
    case "messages":
      return Property<Snapshot.Message>.conversationMessage(path)?
        .throughReference { name($0).flatMap { snapshot.messagesByName[$0] } }
    case "identities":
      return Property<ModelIdentity>.identity(path)?
        .throughReference { name($0).flatMap { snapshot.identitiesByName[$0] } }
    default:
      guard snapshot.types[target] != nil else { return nil }
      return record(path, of: target, in: snapshot)?
        .throughReference {
          name($0).flatMap { snapshot.recordsByName[ModelReference(type: target, name: $0)] }
        }
    }
  }
}

extension Property where Object == ModelIdentity {
  static func identity(_ path: ArraySlice<ByteString>) -> Property? {
    guard let name = path.first else { return nil }
    if name == "metadata" {
      return path.count > 1 ? metadata(at: path.dropFirst(), \.metadata) : dictionary(\.metadata)
    }
    guard path.count == 1 else { return nil }
    if ModelIdentity.nameKeys.contains(name) { return text { $0.names[name] } }
    switch name.string {
    case "identifier", "userID": return exact(\.userID)
    case "followed": return boolean { _ in false }
    default: return nil
    }
  }
}
