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

  /// Adds a message that was received from elsewhere.
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
  /// - Returns: The identifier of the message.
  /// - Throws: As ``send(_:to:id:metadata:)``.
  @discardableResult
  public func receive(
    _ parts: [MessagePart.Draft], in conversation: Conversation.ID, from sender: Identity.ID,
    id: Message.ID? = nil,
    position: Int64? = nil, sentAt: Date? = nil, receivedAt: Date? = nil, isUnread: Bool? = nil,
    recipientStatus: [Identity.ID: RecipientStatus] = [:], metadata: Metadata = Metadata()
  ) throws -> Message.ID {
    let draft = MessageDraft(
      identifier: id, sender: sender, position: position,
      sentAt: sentAt.map { Timestamp($0) } ?? writer.now,
      receivedAt: receivedAt.map { Timestamp($0) } ?? writer.now, isSent: true,
      isUnread: isUnread ?? (sender != writer.user),
      parts: parts,
      recipientStatus: recipientStatus.map { RecipientStatusEntry(user: $0.key, status: $0.value) },
      metadata: metadata)
    return try perform { try writer.insertMessage(draft, in: conversation) }
  }

  /// Adds an announcement. Its parameters mean the same as those of a received message; nil for `isUnread` means true
  /// unless the store's user is the sender.
  /// - Returns: The identifier of the announcement.
  /// - Throws: As ``send(_:to:id:metadata:)``, except `unknownConversation`.
  @discardableResult
  public func announce(
    _ parts: [MessagePart.Draft], from sender: Identity.ID, id: Announcement.ID? = nil,
    position: Int64? = nil,
    sentAt: Date? = nil, receivedAt: Date? = nil, isUnread: Bool? = nil, metadata: Metadata = Metadata()
  ) throws -> Announcement.ID {
    let draft = MessageDraft(
      identifier: id.map { Message.ID($0.rawValue) }, sender: sender, position: position,
      sentAt: sentAt.map { Timestamp($0) } ?? writer.now,
      receivedAt: receivedAt.map { Timestamp($0) } ?? writer.now, isSent: true,
      isUnread: isUnread ?? (sender != writer.user),
      parts: parts, metadata: metadata)
    return try perform { try writer.insertAnnouncement(draft) }
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
  /// ```
  /// - Throws: ``SatchelError`` `unknownMessage`, `invalidKey` or `invalidValue`. What `body` throws is passed on.
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

  /// Deletes a message.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  public func delete(_ message: Message.ID) throws {
    try perform { try writer.deleteMessage(message, isAnnouncement: false) }
  }

  /// Deletes an announcement.
  ///
  /// A literal alone is taken for an identifier of a message, so spell the type of this one: `Announcement.ID("notice")`.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  @_disfavoredOverload
  public func delete(_ announcement: Announcement.ID) throws {
    try perform { try writer.deleteMessage(Message.ID(announcement.rawValue), isAnnouncement: true) }
  }
}

/// Changes of a message or announcement. A property that is not set keeps its value; `.some(nil)` removes the value of
/// an optional property.
public struct MessageChanges: Sendable {
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
  /// The parts whose transfer status changes, by index from 0. The others keep their status. An index that the message
  /// does not have makes the update throw `invalidValue`.
  public var transferStatus: [Int: TransferStatus] = [:]

  /// Makes a value that changes nothing.
  public init() {}

  var update: MessageUpdate {
    var update = MessageUpdate()
    update.position = Change(position)
    update.sentAt = Change(sentAt.map { $0.map { Timestamp($0) } })
    update.receivedAt = Change(receivedAt.map { $0.map { Timestamp($0) } })
    update.isSent = isSent
    update.isUnread = isUnread
    update.recipientStatus = recipientStatus
    update.transferStatus = transferStatus
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
