import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension WriteTransaction {
  /// Sends a message of the store's user: sent and received now, not yet confirmed, without a position, pending for all
  /// other participants. The update that confirms it gives it its position.
  /// - Throws: ``SatchelError`` `unknownConversation`, `identifierExists`, `invalidIdentifier`, `invalidKey` or
  ///   `invalidValue`.
  @discardableResult
  public func send(
    _ parts: [MessagePart.Draft], to conversation: Conversation.ID, id: Message.ID? = nil,
    metadata: Metadata = Metadata()
  ) throws -> Message.ID {
    try perform { try writer.send(parts, to: conversation, identifier: id, metadata: metadata) }
  }

  /// Stores a message that has come from elsewhere.
  /// - Parameters:
  ///   - position: Its place in the conversation, nil while that is not known.
  ///   - sentAt: When it was sent; now without.
  ///   - receivedAt: When it was received; now without.
  ///   - isUnread: Whether the store's user has still to read it; without, it is unread unless that user is its sender.
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

  /// Stores an announcement: unread unless `isUnread` says otherwise or the store's user is its sender.
  /// - Throws: As ``send(_:to:id:metadata:)``.
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

  /// Marks messages as read; those that are read already stay so.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  public func markAsRead(_ messages: [Message.ID]) throws {
    try perform { try writer.markRead(messages, isAnnouncement: false) }
  }

  /// Marks a message as read.
  public func markAsRead(_ message: Message.ID) throws { try markAsRead([message]) }

  /// Marks an announcement as read.
  public func markAsRead(_ announcement: Announcement.ID) throws {
    try perform { try writer.markRead([Message.ID(announcement.rawValue)], isAnnouncement: true) }
  }

  /// Marks all messages of a conversation as read.
  /// - Returns: How many were unread.
  @discardableResult
  public func markAsRead(_ conversation: Conversation.ID) throws -> Int {
    try perform { try writer.markAllRead(in: conversation) }
  }

  /// Changes what `changes` is set to in the closure.
  ///
  /// ```swift
  /// try transaction.update(id) { $0.position = 12; $0.isSent = true; $0.sentAt = .some(nil) }
  /// ```
  /// - Throws: ``SatchelError`` `unknownMessage`, `invalidKey` or `invalidValue`.
  public func update(_ message: Message.ID, _ body: (inout MessageChanges) throws -> Void) throws {
    var changes = MessageChanges()
    try body(&changes)
    try perform { try writer.updateMessage(message, isAnnouncement: false, changes.update) }
  }

  /// Changes what `changes` is set to in the closure.
  /// - Throws: As for a message.
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
  /// - Throws: ``SatchelError`` `unknownMessage`.
  public func delete(_ announcement: Announcement.ID) throws {
    try perform { try writer.deleteMessage(Message.ID(announcement.rawValue), isAnnouncement: true) }
  }
}

/// What is to change of a message. What is not set stays; `.some(nil)` takes an optional property away.
public struct MessageChanges: Sendable {
  /// The place in the conversation.
  public var position: Int64??
  /// When it was sent.
  public var sentAt: Date??
  /// When it was received.
  public var receivedAt: Date??
  /// Whether the service has taken it.
  public var isSent: Bool?
  /// Whether the store's user has still to read it.
  public var isUnread: Bool?
  /// Recipients whose status changes; nil takes one out.
  public var recipientStatus: [Identity.ID: RecipientStatus?] = [:]

  /// Nothing yet.
  public init() {}

  var update: MessageUpdate {
    var update = MessageUpdate()
    update.position = Change(position)
    update.sentAt = Change(sentAt.map { $0.map { Timestamp($0) } })
    update.receivedAt = Change(receivedAt.map { $0.map { Timestamp($0) } })
    update.isSent = isSent
    update.isUnread = isUnread
    update.recipientStatus = recipientStatus
    return update
  }
}

extension Change {
  /// Nil keeps, `.some(nil)` clears.
  init(_ value: Value??) {
    switch value {
    case nil: self = .keep
    case .some(nil): self = .clear
    case .some(let value?): self = .set(value)
    }
  }
}
