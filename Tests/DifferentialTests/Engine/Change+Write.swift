import Foundation
import Satchel
import SatchelModel

extension Change {
  /// Makes the change as a program does. What it refuses, it throws and leaves undone, as the model does.
  /// - Returns: The change as it was made: with the dates and the users that a store gives to records by itself.
  @discardableResult
  func make(in transaction: WriteTransaction) throws -> Change {
    switch self {
    case .createRecord(let content): return .createRecord(try Self.create(content, transaction))
    case .updateRecord(let content): return .updateRecord(try Self.update(content, transaction))
    case .deleteRecord(let id):
      if try !Self.takeBack(id, transaction) { try transaction.delete(id.reference) }
    case .createIdentity(let user, let names):
      let id = Identity.ID(user)
      guard try transaction.read({ try $0.identity(id) }) == nil else { throw LineError("repeated userID") }
      var identity = Identity(userID: id)
      for name in names { identity.set(name) }
      try transaction.put(identity)
    case .createConversation(let id, let remoteID, let participants, let createdAt, let metadata):
      if let remoteID, try Self.isThere(conversation: remoteID, transaction) {
        throw LineError("repeated identifier")
      }
      // A program's conversation has its user; the participants are then replaced by those of the line.
      var tags = Metadata()
      for setting in metadata { try tags.set(setting.value.metadataValue, at: setting.path.map(\.string)) }
      let users = participants.map { Identity.ID($0) }
      let conversation = try transaction.createConversation(
        with: users, id: Conversation.ID(id), createdAt: Self.date(createdAt), metadata: tags)
      try transaction.setParticipants(users, of: conversation.id)
      if let remoteID { try transaction.confirm(conversation.id, as: Conversation.ID(remoteID)) }
    case .createMessage(let message): try Self.create(message, transaction)
    case .updateIdentity(let user, let names, let edits):
      let id = Identity.ID(user)
      guard var identity = try transaction.read({ try $0.identity(id) }) else {
        throw LineError("unknown identity")
      }
      for name in names { identity.set(name) }
      try transaction.put(identity)
      try Self.edit(.identity(id), edits, transaction)
    case .updateConversation(let id, let participants, let edits):
      let conversation = Conversation.ID(id)
      if let participants {
        try transaction.setParticipants(participants.map { Identity.ID($0) }, of: conversation)
      }
      try transaction.mergeMetadata(Metadata(), into: .conversation(conversation))
      try Self.edit(.conversation(conversation), edits, transaction)
    case .updateMessage(let edit): try Self.update(edit, transaction)
    case .deleteMessage(let id):
      if try Self.isAnnouncement(id, transaction) {
        try transaction.delete(Announcement.ID(id))
      } else {
        try transaction.delete(Message.ID(id))
      }
    case .withdrawMessage(let id, let date):
      if try Self.isAnnouncement(id, transaction) {
        try transaction.delete(Announcement.ID(id), for: .everyone, at: Self.date(date))
      } else {
        try transaction.delete(Message.ID(id), for: .everyone, at: Self.date(date))
      }
    case .deleteConversation(let id): try transaction.delete(Conversation.ID(id))
    }
    return self
  }

  private static func create(_ message: NewMessage, _ transaction: WriteTransaction) throws {
    let parts = message.parts.map { part($0) }
    let sender = Identity.ID(message.sender)
    if let conversation = message.conversation {
      // A message to a conversation that was deleted brings it back; the model knows no such message. This asks whether it is there, also
      // where the user does not participate in it.
      try transaction.mergeMetadata(Metadata(), into: .conversation(Conversation.ID(conversation)))
      if let name = message.remoteID, try isThere(name, transaction) {
        throw LineError("repeated identifier")
      }
      try transaction.receive(
        parts, in: Conversation.ID(conversation), from: sender, id: Message.ID(message.id),
        position: message.position, sentAt: date(message.sentAt), receivedAt: date(message.receivedAt),
        isUnread: message.isUnread, recipientStatus: statuses(message.statuses).compactMapValues { $0 },
        restoresDeleted: true)
      if let name = message.remoteID {
        try transaction.update(Message.ID(message.id)) { $0.remoteID = Message.ID(name) }
      }
    } else {
      try transaction.announce(
        parts, from: sender, id: Announcement.ID(message.id), position: message.position,
        sentAt: date(message.sentAt), receivedAt: date(message.receivedAt), isUnread: message.isUnread,
        restoresDeleted: true)
      // An announcement's statuses come by an update.
      try transaction.update(Announcement.ID(message.id)) { $0.recipientStatus = statuses(message.statuses) }
    }
  }

  private static func update(_ edit: MessageEdit, _ transaction: WriteTransaction) throws {
    func apply(_ changes: inout MessageChanges) {
      changes.remoteID = edit.remoteID.map { Message.ID($0) }
      changes.position = edit.position
      changes.sentAt = edit.sentAt.map { $0.map(date) }
      changes.receivedAt = edit.receivedAt.map { $0.map(date) }
      changes.isSent = edit.isSent
      changes.isUnread = edit.isUnread
      changes.recipientStatus = statuses(edit.statuses)
      if let parts = edit.parts {
        changes.parts = parts.map { part($0) }
        changes.editedAt = .some(date(edit.editedAt))
      }
      for transfer in edit.transfers { changes.transferStatus[transfer.part] = status(transfer.status) }
    }
    // A line is refused as a whole; here the metadata come in a second step.
    if !edit.edits.set.isEmpty || !edit.edits.remove.isEmpty, try isDeleted(edit.id, transaction) {
      throw LineError("it was deleted for everyone")
    }
    if try isAnnouncement(edit.id, transaction) {
      try transaction.update(Announcement.ID(edit.id), apply)
      try Self.edit(.announcement(Announcement.ID(edit.id)), edit.edits, transaction)
    } else {
      try transaction.update(Message.ID(edit.id), apply)
      try Self.edit(.message(Message.ID(edit.id)), edit.edits, transaction)
    }
  }

  private static func isThere(_ name: String, _ transaction: WriteTransaction) throws -> Bool {
    // An update that changes nothing finds also what the user cannot see.
    do { try transaction.update(Message.ID(name)) { _ in } } catch let error as SatchelError
      where error.code == .unknownMessage
    {
      do { try transaction.update(Announcement.ID(name)) { _ in } } catch let error as SatchelError
        where error.code == .unknownMessage
      { return false }
    }
    return true
  }

  private static func isThere(conversation name: String, _ transaction: WriteTransaction) throws -> Bool {
    do { try transaction.mergeMetadata(Metadata(), into: .conversation(Conversation.ID(name))) } catch let
      error as SatchelError where error.code == .unknownConversation
    { return false }
    return true
  }

  private static func isDeleted(_ name: String, _ transaction: WriteTransaction) throws -> Bool {
    try transaction.read {
      try $0.message(Message.ID(name))?.deletedAt ?? $0.announcement(Announcement.ID(name))?.deletedAt
    } != nil
  }

  /// A line names both kinds alike; a program says which it means.
  private static func isAnnouncement(_ id: String, _ transaction: WriteTransaction) throws -> Bool {
    try transaction.read { try $0.announcement(Announcement.ID(id)) } != nil
  }

  private static func edit(_ owner: MetadataOwner, _ edits: MetadataEdits, _ transaction: WriteTransaction)
    throws
  {
    for setting in edits.set {
      if let dotted = dotted(setting.path) {
        try transaction.setMetadata(setting.value.metadataValue, at: dotted, of: owner)
      } else {
        try transaction.setMetadata(setting.value.metadataValue, at: setting.path.map(\.string), of: owner)
      }
    }
    for path in edits.remove {
      if let dotted = dotted(path) {
        try transaction.removeMetadata(at: dotted, of: owner)
      } else {
        try transaction.removeMetadata(at: path.map(\.string), of: owner)
      }
    }
  }

  /// The keys joined by dots; nil if they have dots themselves.
  private static func dotted(_ path: [ByteString]) -> String? {
    path.contains { $0.utf8.contains(0x2E) } ? nil : path.map(\.string).joined(separator: ".")
  }

  private static func part(_ part: Part) -> MessagePart.Draft {
    .text(part.text, mimeType: part.type, transferStatus: status(part.transfer))
  }

  private static func status(_ name: String) -> TransferStatus {
    TransferStatus.allCases.first { "\($0)" == name } ?? .complete
  }

  private static func statuses(_ statuses: [Status]) -> [Identity.ID: RecipientStatus?] {
    Dictionary(
      uniqueKeysWithValues: statuses.map { status in
        (
          Identity.ID(status.user),
          RecipientStatus.allCases.first { "\($0)" == status.status }
        )
      })
  }

  private static func date(_ microseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
  }
}

extension MetadataTree {
  /// The value as a program has it.
  var metadataValue: MetadataValue {
    switch self {
    case .text(let text): .text(text.string)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .boolean(let value): .boolean(value)
    case .list(let texts): .list(texts.map(\.string))
    case .date(let date): .date(SatchelModel.Timestamp(microseconds: date))
    case .reference(let reference): .reference(reference.reference)
    case .dictionary(let children):
      .dictionary(
        Metadata(children.map { ($0.key.string, $0.value.metadataValue) }))
    }
  }
}

extension Identity {
  fileprivate mutating func set(_ name: Change.Name) {
    switch name.key {
    case "displayName": displayName = name.value
    case "firstName": firstName = name.value
    case "lastName": lastName = name.value
    case "emailAddress": emailAddress = name.value
    default: phoneNumber = name.value
    }
  }
}
