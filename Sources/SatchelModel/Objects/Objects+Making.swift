#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Objects that no store has made: for previews, for tests, and for lists that show what is not stored yet.

extension Message {
  /// Makes a message for a preview or a test. It is in no store: `send` and `receive` put messages there.
  ///
  /// Its properties are the arguments, with the defaults of the interchange format. Nothing is checked.
  public init(
    id: ID, remoteID: ID? = nil, conversation: Conversation.ID, sender: Identity.ID, position: Int64? = nil,
    sentAt: Date? = nil, receivedAt: Date? = nil, editedAt: Date? = nil, deletedAt: Date? = nil,
    updatedAt: Date? = nil,
    isSent: Bool = true,
    isUnread: Bool = false, parts: [MessagePart.Draft] = [],
    recipientStatus: [Identity.ID: RecipientStatus] = [:], metadata: Metadata = Metadata()
  ) {
    self.init(
      Envelope(
        id: id, remoteID: remoteID, conversation: conversation, sender: sender, position: position,
        sentAt: sentAt,
        receivedAt: receivedAt, editedAt: editedAt, deletedAt: deletedAt, updatedAt: updatedAt,
        isSent: isSent,
        isUnread: isUnread, parts: parts, recipientStatus: recipientStatus, metadata: metadata))
  }
}

extension Announcement {
  /// Makes an announcement for a preview or a test. It is in no store: `announce` puts announcements there.
  ///
  /// Its properties are the arguments, with the defaults of the interchange format. Nothing is checked.
  public init(
    id: ID, remoteID: ID? = nil, sender: Identity.ID, position: Int64? = nil, sentAt: Date? = nil,
    receivedAt: Date? = nil, editedAt: Date? = nil, deletedAt: Date? = nil, updatedAt: Date? = nil,
    isSent: Bool = true,
    isUnread: Bool = false, parts: [MessagePart.Draft] = [],
    recipientStatus: [Identity.ID: RecipientStatus] = [:], metadata: Metadata = Metadata()
  ) {
    self.init(
      Envelope(
        id: Message.ID(id.rawValue), remoteID: remoteID.map { Message.ID($0.rawValue) }, conversation: nil,
        sender: sender, position: position, sentAt: sentAt,
        receivedAt: receivedAt, editedAt: editedAt, deletedAt: deletedAt, updatedAt: updatedAt,
        isSent: isSent, isUnread: isUnread,
        parts: parts, recipientStatus: recipientStatus, metadata: metadata))
  }
}

extension MessagePart {
  /// Makes a part for a preview or a test. It is in no store: `send` and `receive` put parts there with their messages.
  /// - Parameters:
  ///   - draft: The content, its MIME type and its transfer status.
  ///   - index: The index among the parts of the message, from 0.
  ///   - message: The identifier of the message or announcement that the part belongs to.
  public init(_ draft: Draft, index: Int = 0, of message: Message.ID) {
    self.init(
      message: message, index: index, mimeType: draft.mimeType, content: draft.content, size: draft.size,
      transferStatus: draft.transferStatus)
  }
}

extension Conversation {
  /// Makes a conversation for a preview or a test. It is in no store: `conversation(with:)` and `createConversation` put
  /// conversations there.
  ///
  /// Its properties are the arguments, the participants in their order without repetitions. Nothing is checked: a
  /// conversation of a store has the counts and the last message that follow from its messages.
  public init(
    id: ID, remoteID: ID? = nil, participants: [Identity.ID], createdAt: Date? = nil, updatedAt: Date? = nil,
    isDistinct: Bool = false, metadata: Metadata = Metadata(), lastMessage: Message? = nil,
    unreadCount: Int = 0, messageCount: Int = 0
  ) {
    self.init(
      id: id, remoteID: remoteID?.rawValue, participants: Set(participants).sorted(),
      createdTimestamp: createdAt.map { Timestamp($0) }, updatedTimestamp: updatedAt.map { Timestamp($0) },
      isDistinct: isDistinct, metadata: metadata, lastMessage: lastMessage, unreadCount: unreadCount,
      messageCount: messageCount)
  }
}

extension Envelope {
  fileprivate init(
    id: Message.ID, remoteID: Message.ID?, conversation: Conversation.ID?, sender: Identity.ID,
    position: Int64?, sentAt: Date?,
    receivedAt: Date?, editedAt: Date?, deletedAt: Date?, updatedAt: Date?, isSent: Bool, isUnread: Bool,
    parts: [MessagePart.Draft],
    recipientStatus: [Identity.ID: RecipientStatus],
    metadata: Metadata
  ) {
    self.init(
      identifier: id.rawValue, remoteID: remoteID?.rawValue, conversation: conversation, sender: sender,
      position: position,
      sentAt: sentAt.map { Timestamp($0) },
      receivedAt: receivedAt.map { Timestamp($0) }, editedAt: editedAt.map { Timestamp($0) },
      deletedAt: deletedAt.map { Timestamp($0) }, updatedAt: updatedAt.map { Timestamp($0) }, isSent: isSent,
      isUnread: isUnread,
      parts: parts.enumerated().map { MessagePart($1, index: $0, of: id) },
      recipientStatus: recipientStatus.sorted { $0.key < $1.key }
        .map { RecipientStatusEntry(user: $0.key, status: $0.value) },
      metadata: metadata)
  }
}
