public import Satchel
import SatchelCoding
public import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelWriting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension WriteTransaction {
  /// Stores that a user reacted to a message. To react twice changes nothing, but for what the service says of a reaction that was
  /// pending.
  ///
  /// ```swift
  /// try transaction.react(to: message, with: "👍")
  /// // later, when the service has answered
  /// try transaction.confirmReaction(to: message, with: "👍", remoteID: "r-17")
  /// ```
  /// - Parameters:
  ///   - message: The message, by any of its identifiers.
  ///   - kind: What the user reacted with: any text that is not empty.
  ///   - user: Who reacted; nil for the store's user, whose reaction is pending until it is confirmed. One that names its user was received
  ///     from the service, and is sent.
  ///   - date: When the user reacted; nil for the present time.
  ///   - remoteID: The identifier that the service has given the reaction; nil if it has given none.
  /// - Returns: The reaction as it is stored.
  /// - Throws: ``SatchelError`` `unknownRecordType` if reactions are off in the store; `unknownMessage`; `invalidValue` if the message was
  ///   deleted for everyone, or if the kind is empty; `invalidIdentifier`. In each case nothing has changed.
  /// - Complexity: O(log n).
  @discardableResult
  public func react(
    to message: Message.ID, with kind: String, by user: Identity.ID? = nil, at date: Date? = nil,
    remoteID: String? = nil
  ) throws -> Reaction {
    try perform {
      let (key, fields) = try reactedMessage(message)
      try StoreFeature.reactions.checkTaken(by: RecordSubject(fields, key))
      guard !kind.isEmpty else {
        throw SatchelError(
          .invalidValue, "The kind of a reaction is a text that is not empty", ["message": message.rawValue])
      }
      let by = user ?? writer.user
      try Writer.check(identifier: by.rawValue, "user")
      let isSent = user != nil || remoteID != nil
      if let id = try reaction(to: fields, kind, by) {
        let known = try stored(id)
        let hasNews = known["state"] == .text(Reaction.State.pending.rawValue) || known["remoteID"] == nil
        guard isSent, hasNews else { return try known.value(as: Reaction.self) }
        return try confirm(id, remoteID).value(as: Reaction.self)
      }
      let reaction = Reaction(
        message: fields.id, user: by, kind: kind, state: isSent ? .sent : .pending, remoteID: remoteID,
        date: date.map { Timestamp($0).date } ?? writer.now.date)
      try writer.add(reaction.record)
      return reaction
    }
  }

  /// Takes a reaction of a user back. If there is none, nothing changes.
  /// - Parameters:
  ///   - message: The message, by any of its identifiers.
  ///   - kind: What the user reacted with.
  ///   - user: Who reacted; nil for the store's user.
  /// - Returns: Whether there was one.
  /// - Throws: ``SatchelError`` `unknownRecordType` if reactions are off in the store; `unknownMessage`. Nothing has changed then.
  /// - Complexity: O(log n).
  @discardableResult
  public func removeReaction(
    from message: Message.ID, with kind: String, by user: Identity.ID? = nil
  ) throws -> Bool {
    try perform {
      let known = try reaction(to: reactedMessage(message).fields, kind, user ?? writer.user)
      if let known { try writer.delete(record: known) }
      return known != nil
    }
  }

  /// Says that the service has accepted a reaction: it is sent from then on.
  /// - Parameters:
  ///   - message: The message, by any of its identifiers.
  ///   - kind: What the user reacted with.
  ///   - user: Who reacted; nil for the store's user.
  ///   - remoteID: The identifier that the service has given the reaction; nil to keep what it has.
  /// - Throws: ``SatchelError`` `unknownRecordType` if reactions are off in the store; `unknownMessage`; `unknownRecord` if there is no such
  ///   reaction. Nothing has changed then.
  /// - Complexity: O(log n).
  public func confirmReaction(
    to message: Message.ID, with kind: String, by user: Identity.ID? = nil, remoteID: String? = nil
  ) throws {
    try perform {
      let known = try reaction(to: reactedMessage(message).fields, kind, user ?? writer.user)
      guard let known else {
        throw SatchelError(
          .unknownRecord, "The user has no such reaction to the message",
          ["message": message.rawValue, "kind": kind, "user": (user ?? writer.user).rawValue])
      }
      _ = try confirm(known, remoteID)
    }
  }

  private func reactedMessage(_ id: Message.ID) throws -> (key: MessageKey, fields: StoredMessage) {
    _ = try writer.flushed.read { try $0.recordType(of: .reactions) }
    return try existingMessage(id)
  }

  /// Returns the record of a reaction; nil if there is none.
  private func reaction(
    to message: StoredMessage, _ kind: String, _ user: Identity.ID
  ) throws -> Record.ID? {
    let id = Record.ID(
      type: Reaction.recordType.name,
      name: ReactionName.name(message: message.id.rawValue, kind: kind, user: user.rawValue))
    return try writer.hasRecord(id) ? id : nil
  }

  private func confirm(_ id: Record.ID, _ remoteID: String?) throws -> Record {
    try writer.update(record: id) {
      $0["state"] = .text(Reaction.State.sent.rawValue)
      if let remoteID { $0["remoteID"] = .text(remoteID) }
    }
  }

  private func stored(_ id: Record.ID) throws -> Record {
    try writer.flushed.read { snapshot in
      guard let key = try snapshot.locateRecord(id) else {
        throw SatchelError(.unknownRecord, "The reaction is no longer there", ["record": id.name])
      }
      return try snapshot.makeRecord(key)
    }
  }
}

extension WriteTransaction {
  /// Returns a message that something is said to, or that says something.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  func existingMessage(_ id: Message.ID) throws -> (key: MessageKey, fields: StoredMessage) {
    guard let found = try writer.findMessage(id) else {
      throw SatchelError(.unknownMessage, "No message has that identifier", ["message": id.rawValue])
    }
    return found
  }
}

extension StoredMessage {
  /// The identifier that never changes.
  var id: Message.ID { Message.ID(String(decoding: identifier, as: UTF8.self)) }
}
