internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Says that a server has accepted a message: it is sent from then on, and has the identifier and whatever else the server has
  /// given it.
  ///
  /// If the server's identifier finds another message, that one is a delivery which has overtaken the confirmation: both become one,
  /// which keeps the identifier of the message that is confirmed. It gets what the delivery says, as a merge does; what `update` says
  /// goes first. The other one is deleted.
  /// - Parameter update: What the server says beside its identifier. It changes no parts.
  /// - Throws: ``SatchelError`` `unknownMessage` or `invalidIdentifier`; `invalidValue` if the message has another remote identifier;
  ///   `identifierExists` if the server's identifier is that of a message of another conversation or sender, or of one that was not sent
  ///   or has two identifiers: it is known already as something else. In each case nothing has changed.
  package func confirmMessage(_ id: Message.ID, as remoteID: Message.ID?, _ update: MessageUpdate) throws {
    let key = try existingMessage(id, isAnnouncement: false)
    var update = update
    update.isSent = true
    update.remoteID = remoteID
    guard let remoteID, let other = try locateMessage(remoteID.rawValue), other != key,
      let old = try message(key).fields
    else {
      // The message's own identifier needs no second place.
      if let remoteID, try isIdentified(key, by: remoteID) { update.remoteID = nil }
      return try updateMessage(id, isAnnouncement: false, update)
    }
    _ = try Self.check(remoteID: remoteID.rawValue, of: old.remoteID)
    guard let overtaken = try message(other).current, other.conversation == key.conversation,
      overtaken.sender == old.sender, overtaken.isSent, overtaken.remoteID == nil
    else {
      throw SatchelError(
        .identifierExists,
        "Another message has that identifier, and is no delivery of this one: a delivery has it as its only one, was sent, and is in the same conversation and of the same sender",
        ["message": id.rawValue, "remoteID": remoteID.rawValue])
    }
    try complete(&update, of: old, by: overtaken, other)
    try changing {
      let gone = removed
      try remove(other, overtaken)
      // Its name goes on to the message that is confirmed, and what was said of it does.
      removed = gone
      try updateMessage(id, isAnnouncement: false, update)
    }
  }

  private func isIdentified(_ key: MessageKey, by name: Message.ID) throws -> Bool {
    try message(key).fields?.identifier.elementsEqual(name.rawValue.utf8) ?? false
  }

  /// Adds to an update of a message what a delivery of it says that is stored as another message.
  private func complete(
    _ update: inout MessageUpdate, of old: StoredMessage, by other: StoredMessage, _ key: MessageKey
  ) throws {
    if update.position == .keep, let position = other.position { update.position = .set(position) }
    if update.sentAt == .keep, let date = other.sentAt { update.sentAt = .set(Timestamp(microseconds: date)) }
    if update.receivedAt == .keep, let date = other.receivedAt {
      update.receivedAt = .set(Timestamp(microseconds: date))
    }
    if old.life.deletedAt != nil { return }
    if let date = other.life.deletedAt {
      update.deletedAt = .set(Timestamp(microseconds: date))
      return
    }
    for recipient in other.recipients {
      update.recipientStatus[Identity.ID(try flushed.users.text(recipient.user))] = recipient.status
    }
    if other.metadata != Metadata() { update.metadata = [.merge(other.metadata)] }
    guard old.life.editedAt.map({ edited in other.life.editedAt.map { $0 >= edited } ?? false }) ?? true
    else {
      return
    }
    update.editedAt = other.life.editedAt.map { .set(Timestamp(microseconds: $0)) } ?? .clear
    update.parts.all = try other.parts.enumerated().map { index, part in
      try draft(of: part, index, key)
    }
  }

  /// Returns a part of a stored message as it was given.
  func draft(of part: StoredPart, _ index: Int, _ key: MessageKey) throws -> MessagePart.Draft {
    let content: [UInt8] =
      switch part.content {
      case .inline(let bytes): bytes
      case .stored(let length, _): try flushed.content(of: key, part: index, length: length)
      }
    let type = try flushed.mimeTypes.text(part.mimeType)
    let status = part.transferStatus
    switch part.kind {
    case .data: return .data(content, mimeType: type, transferStatus: status)
    case .text:
      return .text(String(decoding: content, as: UTF8.self), mimeType: type, transferStatus: status)
    case .url:
      return .url(
        String(decoding: content, as: UTF8.self), mimeType: type, size: part.size, transferStatus: status)
    }
  }
}
