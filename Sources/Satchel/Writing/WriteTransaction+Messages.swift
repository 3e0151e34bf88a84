import SatchelWriting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension WriteTransaction {
  /// Adds a message that the store's user sends.
  ///
  /// The message is sent and received at the present time. It is not yet marked as sent, has no position, and its
  /// status is `pending` for all other participants. The `update(_:_:)` that confirms it also gives it its position.
  /// - Parameters:
  ///   - parts: The contents, in order: at most 65,535, each with a MIME type.
  ///   - conversation: The conversation to which the message is added.
  ///   - id: The identifier; nil to have a new one made.
  ///   - metadata: The metadata of the message.
  /// - Returns: The identifier of the message.
  /// - Throws: ``SatchelError`` `unknownConversation`, `identifierExists`, `invalidIdentifier`, `invalidKey` or
  ///   `invalidValue`; nothing has changed then.
  @discardableResult
  public func send(
    _ parts: [MessagePart.Draft], to conversation: Conversation.ID, id: Message.ID? = nil,
    metadata: Metadata = Metadata()
  ) throws -> Message.ID {
    try perform { try writer.send(parts, to: conversation, identifier: id, metadata: metadata) }
  }

  /// Adds a message that was received from elsewhere; or, if it is there already, does what `ifExists` says.
  ///
  /// A delivery that is merged changes what it says: its dates and its position, if it has them, the statuses and the metadata that
  /// it names. It replaces the parts, unless it was edited earlier than the message that is there. A read message stays read, unless
  /// `isUnread` is given, and one that was deleted for everyone gets no contents again. What is the same as before is no change: no
  /// list and no follower of the feed is told of it.
  /// - Parameters:
  ///   - parts: The contents, in order: at most 65,535, each with a MIME type.
  ///   - conversation: The conversation to which the message is added.
  ///   - sender: The user id of the sender, who need not be a participant.
  ///   - id: The identifier; nil to have a new one made.
  ///   - position: Its position in the conversation; nil while that is unknown.
  ///   - sentAt: When it was sent; nil for the present time.
  ///   - receivedAt: When it was received; nil for the present time.
  ///   - isUnread: Whether the store's user has yet to read it; nil means true unless that user is the sender.
  ///   - recipientStatus: How far the message has been delivered to each recipient.
  ///   - metadata: The metadata of the message.
  ///   - editedAt: When its parts were edited last; nil if they are as they were sent.
  ///   - ifExists: What to do if a message has that identifier.
  ///   - restoresDeleted: True to store it also if the store's user has deleted the message, or its conversation with all messages up to
  ///     it. Otherwise such a delivery is ignored. The first message from beyond that brings the conversation back, without those that
  ///     it had.
  /// - Returns: The identifier of the message, which is not there if the delivery was ignored.
  /// - Throws: As ``send(_:to:id:metadata:)``. With `.ignore` and `.merge`, `identifierExists` means that the message which is there
  ///   is in another conversation or of another sender.
  @discardableResult
  public func receive(
    _ parts: [MessagePart.Draft], in conversation: Conversation.ID, from sender: Identity.ID,
    id: Message.ID? = nil,
    position: Int64? = nil, sentAt: Date? = nil, receivedAt: Date? = nil, isUnread: Bool? = nil,
    recipientStatus: [Identity.ID: RecipientStatus] = [:], metadata: Metadata = Metadata(),
    editedAt: Date? = nil, ifExists: ExistingMessage = .fail, restoresDeleted: Bool = false
  ) throws -> Message.ID {
    let draft = MessageDraft(
      identifier: id, sender: sender, position: position,
      sentAt: sentAt.map { Timestamp($0) } ?? writer.now,
      receivedAt: receivedAt.map { Timestamp($0) } ?? writer.now,
      editedAt: editedAt.map { Timestamp($0) }, isSent: true, isUnread: isUnread ?? (sender != writer.user),
      parts: parts,
      recipientStatus: recipientStatus.map { RecipientStatusEntry(user: $0.key, status: $0.value) },
      metadata: metadata)
    return try perform {
      try writer.deliver(
        draft, in: conversation, ifExists: ifExists, restoresDeleted: restoresDeleted,
        merging: MessageUpdate(merging: draft, sentAt: sentAt, receivedAt: receivedAt, isUnread: isUnread))
    }
  }

  /// Adds an announcement. Its parameters mean the same as those of a received message; nil for `isUnread` means true
  /// unless the store's user is the sender.
  /// - Returns: The identifier of the announcement.
  /// - Throws: As ``send(_:to:id:metadata:)``, except `unknownConversation`.
  @discardableResult
  public func announce(
    _ parts: [MessagePart.Draft], from sender: Identity.ID, id: Announcement.ID? = nil,
    position: Int64? = nil,
    sentAt: Date? = nil, receivedAt: Date? = nil, isUnread: Bool? = nil, metadata: Metadata = Metadata(),
    editedAt: Date? = nil, ifExists: ExistingMessage = .fail, restoresDeleted: Bool = false
  ) throws -> Announcement.ID {
    let draft = MessageDraft(
      identifier: id.map { Message.ID($0.rawValue) }, sender: sender, position: position,
      sentAt: sentAt.map { Timestamp($0) } ?? writer.now,
      receivedAt: receivedAt.map { Timestamp($0) } ?? writer.now,
      editedAt: editedAt.map { Timestamp($0) }, isSent: true, isUnread: isUnread ?? (sender != writer.user),
      parts: parts, metadata: metadata)
    return try perform {
      let id = try writer.deliver(
        draft, in: nil, ifExists: ifExists, restoresDeleted: restoresDeleted,
        merging: MessageUpdate(merging: draft, sentAt: sentAt, receivedAt: receivedAt, isUnread: isUnread))
      return Announcement.ID(id.rawValue)
    }
  }

  /// Says that the service has accepted a message, with what it has given it: the message is sent from then on.
  ///
  /// ```swift
  /// let draft = try transaction.send([.text("Noon?")], to: lunch)
  /// // later, when the service has answered
  /// try transaction.confirm(draft, as: "srv-881", position: 12)
  /// ```
  /// The message keeps its identifier, and is found by the service's as well, wherever the identifier of a message is asked for. Lists and
  /// observers are told of one update.
  ///
  /// If the service's identifier finds another message of the same conversation and sender, that one is a delivery which has
  /// overtaken the confirmation, and the two become one: the message that is confirmed, with what the delivery says. The other one is
  /// deleted in the same commit.
  /// - Parameters:
  ///   - message: The identifier of the message.
  ///   - remoteID: The identifier that the service has given it; nil if it has given none. It never changes afterwards.
  ///   - position: Its position in the conversation; nil to keep what it has.
  ///   - sentAt: When it was sent by the clock of the service; nil to keep what it has.
  ///   - receivedAt: When it was received; nil to keep what it has.
  /// - Throws: ``SatchelError`` `unknownMessage` or `invalidIdentifier`; `invalidValue` if the message has another remote identifier;
  ///   `identifierExists` if `remoteID` is the name of a message of another conversation or sender. Nothing has changed then.
  public func confirm(
    _ message: Message.ID, as remoteID: Message.ID? = nil, position: Int64? = nil, sentAt: Date? = nil,
    receivedAt: Date? = nil
  ) throws {
    var update = MessageUpdate()
    update.position = position.map { .set($0) } ?? .keep
    update.sentAt = sentAt.map { .set(Timestamp($0)) } ?? .keep
    update.receivedAt = receivedAt.map { .set(Timestamp($0)) } ?? .keep
    try perform { try writer.confirmMessage(message, as: remoteID, update) }
  }

  /// Marks messages as read. Messages that are already read stay unchanged.
  /// - Throws: ``SatchelError`` `unknownMessage`; nothing has changed then.
  public func markAsRead(_ messages: [Message.ID]) throws {
    try perform { try writer.markRead(messages, isAnnouncement: false) }
  }

  /// Marks a message as read. A message that is already read stays unchanged.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  public func markAsRead(_ message: Message.ID) throws { try markAsRead([message]) }

  /// Marks an announcement as read. An announcement that is already read stays unchanged.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Announcement.ID("notice")`.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  @_disfavoredOverload
  public func markAsRead(_ announcement: Announcement.ID) throws {
    try perform { try writer.markRead([Message.ID(announcement.rawValue)], isAnnouncement: true) }
  }

  /// Marks all messages of a conversation as read.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Conversation.ID("lunch")`.
  /// - Returns: The number of messages that were unread.
  /// - Complexity: O(unread messages).
  /// - Throws: ``SatchelError`` `unknownConversation`.
  @discardableResult
  @_disfavoredOverload
  public func markAsRead(_ conversation: Conversation.ID) throws -> Int {
    try perform { try writer.markAllRead(in: conversation) }
  }

  /// Changes the properties of a message that `body` sets. Properties that it does not set keep their values.
  ///
  /// ```swift
  /// try transaction.update(id) { $0.position = 12; $0.isSent = true; $0.sentAt = .some(nil) }
  /// try transaction.update(id) { $0.parts = [.text("Noon, not one")] }
  /// ```
  /// - Complexity: O(bytes of the contents that an edit of the parts replaces, removes, moves or adds).
  /// - Throws: ``SatchelError`` `unknownMessage`, `identifierExists`, `invalidIdentifier`, `invalidKey` or `invalidValue`. What `body`
  ///   throws is passed on.
  public func update(_ message: Message.ID, _ body: (inout MessageChanges) throws -> Void) throws {
    var changes = MessageChanges()
    try body(&changes)
    try perform { try writer.updateMessage(message, isAnnouncement: false, changes.update) }
  }

  /// Changes the properties of an announcement that `body` sets. Properties that it does not set keep their values.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Announcement.ID("notice")`.
  /// - Throws: As for a message.
  @_disfavoredOverload
  public func update(_ announcement: Announcement.ID, _ body: (inout MessageChanges) throws -> Void) throws {
    var changes = MessageChanges()
    try body(&changes)
    try perform {
      try writer.updateMessage(Message.ID(announcement.rawValue), isAnnouncement: true, changes.update)
    }
  }

  /// Deletes a message: for the store's user it is gone; or for everyone, so that it stays in its place as one that was deleted.
  ///
  /// A message deleted for everyone keeps its identifier, sender, position and dates, is listed and counted, and may be the
  /// last message of its conversation. It has no parts, recipients, metadata or reactions any more, and nothing of its contents stays in the
  /// change log. To delete it again for everyone changes nothing. Records that refer to one that is gone are looked at when the write
  /// ends, as ``ReferenceAction`` says.
  /// - Parameters:
  ///   - message: The identifier of the message.
  ///   - audience: For whom it is deleted.
  ///   - date: When it was deleted for everyone; nil for the present time. Without meaning for `.user`.
  /// - Complexity: For everyone O(bytes of its contents), and O(entries of the change log).
  /// - Throws: ``SatchelError`` `unknownMessage`.
  public func delete(_ message: Message.ID, for audience: DeletionAudience = .user, at date: Date? = nil)
    throws
  {
    try delete(message, isAnnouncement: false, audience, date)
  }

  /// Deletes an announcement, for the store's user or for everyone, as a message is deleted.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Announcement.ID("notice")`.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  @_disfavoredOverload
  public func delete(
    _ announcement: Announcement.ID, for audience: DeletionAudience = .user, at date: Date? = nil
  ) throws {
    try delete(Message.ID(announcement.rawValue), isAnnouncement: true, audience, date)
  }

  private func delete(
    _ message: Message.ID, isAnnouncement: Bool, _ audience: DeletionAudience, _ date: Date?
  ) throws {
    try perform {
      switch audience {
      case .user: try writer.deleteMessage(message, isAnnouncement: isAnnouncement)
      case .everyone:
        var update = MessageUpdate()
        update.deletedAt = .set(date.map { Timestamp($0) } ?? writer.now)
        try writer.updateMessage(message, isAnnouncement: isAnnouncement, update)
      }
    }
  }
}

extension MessageUpdate {
  /// Makes what a merged delivery changes. A date that the caller has not given changes nothing.
  fileprivate init(merging draft: MessageDraft, sentAt: Date?, receivedAt: Date?, isUnread: Bool?) {
    self.init(merging: draft)
    self.sentAt = sentAt.map { .set(Timestamp($0)) } ?? .keep
    self.receivedAt = receivedAt.map { .set(Timestamp($0)) } ?? .keep
    self.isUnread = isUnread
  }
}

/// For whom a message is deleted.
public enum DeletionAudience: Sendable, Hashable {
  /// For the store's user alone: nothing of it is left.
  case user
  /// For everyone: it stays in its place, without its contents.
  case everyone
}

/// Changes of a message or announcement. A property that is not set keeps its value; `.some(nil)` removes the value of
/// an optional property.
public struct MessageChanges: Sendable {
  /// The identifier that a server has given the message. It is set once: another one makes the update throw `invalidValue`, the name of
  /// another message `identifierExists`. Nil if it stays as it is.
  public var remoteID: Message.ID?
  /// The position in the conversation.
  public var position: Int64??
  /// The time at which the message was sent.
  public var sentAt: Date??
  /// The time at which the message was received.
  public var receivedAt: Date??
  /// Whether the service has accepted the message.
  public var isSent: Bool?
  /// Whether the store's user has yet to read the message.
  public var isUnread: Bool?
  /// The recipients whose status changes, by user id; nil removes a recipient. The others keep their status.
  public var recipientStatus: [Identity.ID: RecipientStatus?] = [:]
  /// The parts whose transfer status changes, by index from 0, before the parts are edited. The others keep their status. An
  /// index that the message does not have makes the update throw `invalidValue`.
  public var transferStatus: [Int: TransferStatus] = [:]

  /// The parts that take the place of all parts: at most 65,535, each with a MIME type. Nil if they stay.
  public var parts: [MessagePart.Draft]?
  /// The parts that take the place of single ones, by index from 0. Here and in ``removedParts`` an index counts the parts
  /// before the update or, if ``parts`` is set, those. An index that there is not makes the update throw `invalidValue`.
  public var replacedParts: [Int: MessagePart.Draft] = [:]
  /// The parts that are removed, by index. The parts behind them move up.
  public var removedParts: Set<Int> = []
  /// The parts that are added behind the last one.
  public var appendedParts: [MessagePart.Draft] = []
  /// When the parts were edited. If it is not set, an update that changes a part sets it to the time of the write.
  public var editedAt: Date??

  /// Makes a value that changes nothing.
  public init() {}

  var update: MessageUpdate {
    var update = MessageUpdate()
    update.remoteID = remoteID
    update.position = Change(position)
    update.sentAt = Change(sentAt.map { $0.map { Timestamp($0) } })
    update.receivedAt = Change(receivedAt.map { $0.map { Timestamp($0) } })
    update.isSent = isSent
    update.isUnread = isUnread
    update.recipientStatus = recipientStatus
    update.transferStatus = transferStatus
    update.parts.all = parts
    update.parts.replaced = replacedParts
    update.parts.removed = removedParts
    update.parts.appended = appendedParts
    update.editedAt = Change(editedAt.map { $0.map { Timestamp($0) } })
    return update
  }
}

extension Change {
  /// Nil keeps the value, `.some(nil)` removes it.
  init(_ value: Value??) {
    switch value {
    case nil: self = .keep
    case .some(nil): self = .clear
    case .some(let value?): self = .set(value)
    }
  }
}
