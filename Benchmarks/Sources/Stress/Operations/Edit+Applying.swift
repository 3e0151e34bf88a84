import Foundation
import Satchel

extension Edit {
  /// Makes the edit in a transaction.
  func apply(to transaction: WriteTransaction) throws {
    switch self {
    case .createConversation(let number, let participants, let createdAt, let metadata):
      try transaction.createConversation(
        with: participants.map(Names.user), id: Names.conversation(number), createdAt: createdAt.date,
        metadata: metadata.nested)
    case .addParticipants(let users, let number):
      try transaction.addParticipants(users.map(Names.user), to: Names.conversation(number))
    case .removeParticipants(let users, let number):
      try transaction.removeParticipants(users.map(Names.user), from: Names.conversation(number))
    case .setParticipants(let users, let number):
      try transaction.setParticipants(users.map(Names.user), of: Names.conversation(number))
    case .deleteConversation(let number): try transaction.delete(Names.conversation(number))
    case .receive(let message): try Self.receive(message, in: transaction)
    case .send(let message): try Self.send(message, in: transaction)
    case .announce(let message):
      try transaction.announce(
        message.drafts, from: Names.user(message.sender), id: Names.announcement(message.number),
        position: message.position, sentAt: message.sentAt.date, receivedAt: message.receivedAt.date,
        isUnread: message.isUnread, metadata: message.metadata.nested)
    case .setPosition(let position, let number):
      try transaction.update(Names.message(number)) { $0.position = .some(position) }
    case .setSentAt(let sentAt, let number):
      try transaction.update(Names.message(number)) { $0.sentAt = .some(sentAt?.date) }
    case .setUnread(let isUnread, let number):
      try transaction.update(Names.message(number)) { $0.isUnread = isUnread }
    case .setStatus(let status, let user, let number):
      try transaction.update(Names.message(number)) { changes in
        changes.recipientStatus.updateValue(status?.ofStore, forKey: Names.user(user))
      }
    case .markRead(let numbers): try transaction.markAsRead(numbers.map(Names.message))
    case .markConversationRead(let number): try transaction.markAsRead(Names.conversation(number))
    case .deleteMessage(let number): try transaction.delete(Names.message(number))
    case .markAnnouncementRead(let number): try transaction.markAsRead(Names.announcement(number))
    case .deleteAnnouncement(let number): try transaction.delete(Names.announcement(number))
    case .setMetadata(let text, let path, let owner):
      try transaction.setMetadata(.text(text), at: path, of: owner.ofStore)
    case .removeMetadata(let path, let owner): try transaction.removeMetadata(at: path, of: owner.ofStore)
    case .putIdentity(let user, let displayName):
      try transaction.put(Identity(userID: Names.user(user), displayName: displayName))
    case .setFollowed(let followed, let user): try transaction.setFollowed(followed, Names.user(user))
    case .records(let edit): try edit.apply(to: transaction)
    case .responses(let edit): try edit.apply(to: transaction)
    case .progress(let number):
      try transaction.setMetadata(
        .text(String(number)), at: "operation", of: .identity(Names.progress))
    }
  }

  private static func receive(_ message: NewMessage, in transaction: WriteTransaction) throws {
    let status = message.status.map { (Names.user($0.key), $0.value.ofStore) }
    try transaction.receive(
      message.drafts, in: Names.conversation(message.conversation), from: Names.user(message.sender),
      id: Names.message(message.number), position: message.position, sentAt: message.sentAt.date,
      receivedAt: message.receivedAt.date, isUnread: message.isUnread,
      recipientStatus: Dictionary(uniqueKeysWithValues: status), metadata: message.metadata.nested)
  }

  private static func send(_ message: NewMessage, in transaction: WriteTransaction) throws {
    let id = try transaction.send(
      message.drafts, to: Names.conversation(message.conversation), id: Names.message(message.number),
      metadata: message.metadata.nested)
    try transaction.update(id) { changes in
      changes.sentAt = .some(message.sentAt.date)
      changes.receivedAt = .some(message.receivedAt.date)
      if let position = message.position {
        changes.position = .some(position)
        changes.isSent = true
      }
    }
  }
}

extension NewMessage {
  fileprivate var drafts: [MessagePart.Draft] {
    parts.map { part in
      part.text.map { .text($0, mimeType: part.mimeType) }
        ?? .data(
          [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: part.bytes), mimeType: part.mimeType)
    }
  }
}

extension Edit.Status {
  var ofStore: RecipientStatus {
    switch self {
    case .pending: .pending
    case .sent: .sent
    case .delivered: .delivered
    case .read: .read
    }
  }
}

extension Edit.Owner {
  fileprivate var ofStore: MetadataOwner {
    switch self {
    case .conversation(let number): .conversation(Names.conversation(number))
    case .message(let number): .message(Names.message(number))
    }
  }
}

extension Int64 {
  /// The date of microseconds.
  var date: Date { Timestamp(microseconds: self).date }
}

extension [String: String] {
  /// Texts by dotted key paths as a tree.
  fileprivate var nested: Metadata {
    var metadata = Metadata()
    for (path, text) in self.sorted(by: { $0.key < $1.key }) { try? metadata.set(.text(text), at: path) }
    return metadata
  }
}
