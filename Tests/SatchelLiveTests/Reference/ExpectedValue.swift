import Satchel
import SatchelText

/// The value of an object's property, so that it can be compared and sorted by.
enum ExpectedValue: Hashable, Comparable {
  /// Missing ones come first...
  case missing
  /// ...then values of metadata that are no texts, by their keys...
  case scalar([UInt8])
  case number(Int64)
  case text([UInt8])
  case list([ExpectedValue])
  /// ...then lists of metadata, of which a sort key and a section see only that they are lists...
  case texts([[UInt8]])
  /// ...then references in fields of records, by their types and names...
  case reference([UInt8])
  /// ...but for positions.
  case unsent

  init(_ text: String?) { self = text.map { .text(NFC.bytes($0)) } ?? .missing }
  init(exact text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .missing }
  init(_ number: Int64?) { self = number.map { .number($0) } ?? .missing }
  init(_ date: Timestamp?) { self.init(date?.microseconds) }
  init(_ flag: Bool) { self = .number(flag ? 1 : 0) }
  init(position: Int64?) { self = position.map { .number($0) } ?? .unsent }

  /// What is found under a key path of metadata: a value, or all values below it.
  init(_ metadata: Metadata, at path: [String]) {
    if path.isEmpty {
      self = Self.texts(metadata)
      return
    }
    switch metadata.value(at: path) {
    case nil: self = .missing
    case .dictionary(let inner)?: self = Self.texts(inner)
    case let value?: self = Self.value(value)
    }
  }

  private static func value(_ value: MetadataValue) -> Self {
    if case .text(let text) = value { return .init(text) }
    if case .reference(let reference) = value {
      return .reference(Array(reference.type.utf8) + [0] + Array(reference.name.utf8))
    }
    if case .list(let texts) = value { return .texts(texts.map { Array($0.utf8) }) }
    return MetadataScalar(value)?.key.map { .scalar($0.bytes) } ?? .missing
  }

  private static func texts(_ metadata: Metadata) -> Self {
    var texts: [ExpectedValue] = []
    metadata.forEachValue { path, value in
      texts.append(.list([.list(path.map { .init(exact: $0) }), Self.value(value)]))
    }
    return texts.isEmpty ? .missing : .list(texts)
  }

  /// The value as a sort key and a section see it.
  var asSortKey: Self { if case .texts = self { .texts([]) } else { self } }

  private var rank: Int {
    switch self {
    case .missing, .list: 0
    case .scalar: 1
    case .number, .text: 2
    case .texts: 3
    case .reference: 4
    case .unsent: 5
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.scalar(let left), .scalar(let right)): left.lexicographicallyPrecedes(right)
    case (.text(let left), .text(let right)), (.reference(let left), .reference(let right)):
      left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }
}

extension World {
  /// The value of a property, or what is watched under a name.
  func property(_ path: ArraySlice<String>, of object: WorldObject) -> ExpectedValue {
    switch object.value {
    case .conversation(let conversation): property(path, of: conversation)
    case .message(let message): property(path, of: message)
    case .announcement(let announcement):
      property(path, announcement.envelope, announcement.id.rawValue)
    case .part(let part): property(path, of: part)
    case .identity(let identity): property(path, of: identity)
    case .record(let record): property(path, of: record)
    }
  }

  private func property(_ path: ArraySlice<String>, of record: Record) -> ExpectedValue {
    switch path.first {
    case "identifier": .init(exact: record.id.name)
    case "owner": .init(exact: record.owner?.rawValue)
    case "createdBy": .init(exact: record.createdBy?.rawValue)
    case "updatedBy": .init(exact: record.updatedBy?.rawValue)
    case "createdAt": .init(record.createdTimestamp)
    case "updatedAt": .init(record.updatedTimestamp)
    default: .init(record.fields, at: Array(path))
    }
  }

  private func property(_ path: ArraySlice<String>, of conversation: Conversation) -> ExpectedValue {
    let rest = path.dropFirst()
    switch path.first {
    case "identifier": return .init(exact: conversation.id.rawValue)
    case "remoteID": return conversation.remoteID.map { .init(exact: $0.rawValue) } ?? .missing
    case "updatedAt": return .init(conversation.updatedTimestamp)
    case "participants": return .list(conversation.participants.map { .init(exact: $0.rawValue) })
    case "participantCount": return .number(Int64(conversation.participantCount))
    case "createdAt": return .init(conversation.createdTimestamp)
    case "isDistinct": return .init(conversation.isDistinct)
    case "hasUnreadMessages": return .init(conversation.hasUnreadMessages)
    case "unreadCount": return .number(Int64(conversation.unreadCount))
    case "messageCount": return .number(Int64(conversation.messageCount))
    case "metadata": return .init(conversation.metadata, at: Array(rest))
    case "my": return ownState(rest.first ?? "", of: conversation)
    case "lastMessage":
      guard !rest.isEmpty else { return .init(exact: conversation.lastMessage?.id.rawValue) }
      guard let last = conversation.lastMessage else { return rest.first == "position" ? .unsent : .missing }
      return property(rest, of: last)
    default: preconditionFailure("no such property: \(path)")
    }
  }

  private func property(_ path: ArraySlice<String>, of message: Message) -> ExpectedValue {
    guard path.first == "conversation" else {
      return property(path, message.envelope, message.id.rawValue)
    }
    let name = message.conversation.rawValue
    if path.count == 1 { return .init(exact: name) }
    guard case .conversation(let conversation)? = object(name, .conversations)?.value else {
      preconditionFailure("a message can be seen, its conversation cannot: \(message.id)")
    }
    return property(path.dropFirst(), of: conversation)
  }

  private func property(_ path: ArraySlice<String>, _ envelope: Envelope, _ identifier: String)
    -> ExpectedValue
  {
    let rest = Array(path.dropFirst())
    switch path.first {
    case "identifier": return .init(exact: identifier)
    case "remoteID": return envelope.remoteID.map { .init(exact: $0) } ?? .missing
    case "position": return .init(position: envelope.position)
    case "sentAt": return .init(envelope.sentAt)
    case "receivedAt": return .init(envelope.receivedAt)
    case "editedAt": return .init(envelope.editedAt)
    case "deletedAt": return .init(envelope.deletedAt)
    case "updatedAt": return .init(envelope.updatedAt ?? envelope.receivedAt ?? envelope.sentAt)
    case "isSent": return .init(envelope.isSent)
    case "isUnread": return .init(envelope.isUnread)
    case "parts":
      guard !envelope.parts.isEmpty else { return .missing }
      return .list(
        envelope.parts.map { part in
          let transfer = ExpectedValue.number(Int64(part.transferStatus.rawValue))
          return rest == ["transferStatus"] ? transfer : .list([transfer, .init(exact: "\(part)")])
        })
    case "metadata": return .init(envelope.metadata, at: rest)
    case "sender":
      if rest == ["userID"] { return .init(exact: envelope.sender.rawValue) }
      guard case .identity(let identity)? = object(envelope.sender.rawValue, .identities)?.value else {
        return .missing
      }
      return .init(identity.displayName)
    case "recipientStatus":
      let entries = envelope.recipientStatus.filter { rest.isEmpty || $0.user.rawValue == rest[0] }
      return entries.isEmpty
        ? .missing
        : .list(entries.map { .list([.init(exact: $0.user.rawValue), .number(Int64($0.status.rawValue))]) })
    default: preconditionFailure("no such property: \(path)")
    }
  }

  private func property(_ path: ArraySlice<String>, of part: MessagePart) -> ExpectedValue {
    switch path.first {
    case "identifier": return .init(exact: part.id.rawValue)
    case "index": return .number(Int64(part.index))
    case "mimeType": return .init(exact: part.mimeType)
    case "size": return .init(part.size)
    case "transferStatus": return .number(Int64(part.transferStatus.rawValue))
    case "text":
      if case .text(let text) = part.content { return .init(text) }
      return .init(texts[part.id.rawValue])
    case "message":
      if path.count == 1 { return .init(exact: part.message.rawValue) }
      guard case .message(let message)? = object(part.message.rawValue, .messages)?.value else {
        preconditionFailure("a part can be seen, its message cannot: \(part.id)")
      }
      return property(path.dropFirst(), of: message)
    default: preconditionFailure("no such property: \(path)")
    }
  }

  private func property(_ path: ArraySlice<String>, of identity: Identity) -> ExpectedValue {
    switch path.first {
    case "identifier", "userID": .init(exact: identity.userID.rawValue)
    case "displayName": .init(identity.displayName)
    case "firstName": .init(identity.firstName)
    case "lastName": .init(identity.lastName)
    case "emailAddress": .init(identity.emailAddress)
    case "phoneNumber": .init(identity.phoneNumber)
    case "avatarURL": .init(identity.avatarURL)
    case "followed": .init(identity.followed)
    case "metadata": .init(identity.metadata, at: Array(path.dropFirst()))
    default: preconditionFailure("no such property: \(path)")
    }
  }
}
