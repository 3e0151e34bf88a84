package import RankedKeys
package import SatchelCoding

/// The properties of a message or an announcement that the indexes use.
package struct IndexedMessage: Sendable, Hashable {
  /// The conversation's row, or `MessageKey.announcements`.
  package var conversation: UInt32
  /// The creation sequence, unique among messages and announcements.
  package var sequence: UInt64
  package var identifierHash: UInt64
  /// Nil without a remote identifier.
  package var remoteIDHash: UInt64?
  package var fields: MessageFixedFields
  package var parts: [Part]
  /// Empty as well if no index has it, or if it is the same in all states of the object that are compared.
  package var metadata: [IndexedValue]
  /// Whether queries may return objects of the conversation. Has no meaning for an announcement.
  package var isVisible: Bool

  /// The properties of a part that the indexes use.
  package struct Part: Sendable, Hashable {
    /// The number of the MIME type.
    package var mimeType: UInt32
    /// The size as a query sees it, in bytes; nil for a link without a declared size.
    package var size: Int64?

    package init(mimeType: UInt32, size: Int64?) {
      self.mimeType = mimeType
      self.size = size
    }
  }

  package init(
    conversation: UInt32, sequence: UInt64, identifierHash: UInt64, remoteIDHash: UInt64? = nil,
    fields: MessageFixedFields, parts: [Part], metadata: [IndexedValue] = [], isVisible: Bool
  ) {
    self.conversation = conversation
    self.sequence = sequence
    self.identifierHash = identifierHash
    self.remoteIDHash = remoteIDHash
    self.fields = fields
    self.parts = parts
    self.metadata = metadata
    self.isVisible = isVisible
  }

  package var isAnnouncement: Bool { conversation == MessageKey.announcements }
}

extension IndexChanges {
  /// Adds what changes in the indexes if a message or an announcement goes from state `old` to state `new`. A state
  /// is nil if the object does not exist. Both states must have the same conversation and sequence.
  package mutating func change(from old: IndexedMessage?, to new: IndexedMessage?) {
    guard old != new else { return }
    change(IndexCatalog.messageIdentifier.tree, old?.identifierRow, new?.identifierRow)
    change(IndexCatalog.messageRemoteID.tree, old?.remoteIDRow, new?.remoteIDRow)
    let isAnnouncement = (old ?? new)?.isAnnouncement == true
    if old?.metadata.isEmpty == false || new?.metadata.isEmpty == false {
      change(
        IndexCatalog.metadata(ofAnnouncements: isAnnouncement), old?.metadataKeys ?? [],
        new?.metadataKeys ?? [])
    }
    if isAnnouncement {
      change(IndexCatalog.announcementCreated.tree, old?.announcementCreatedRow, new?.announcementCreatedRow)
      change(IndexCatalog.announcementWhen.tree, old?.announcementWhenRow, new?.announcementWhenRow)
      change(IndexCatalog.announcementUnread.tree, old?.announcementUnreadRow, new?.announcementUnreadRow)
      change(IndexCatalog.announcementTypes.tree, old?.announcementTypesRow, new?.announcementTypesRow)
      return
    }
    IndexedMessage.forEachTree { tree, row in change(tree, old.flatMap(row), new.flatMap(row)) }
    // The entries of parts show nothing else of their message, so that marking it as read leaves them alone.
    guard old?.isVisible != new?.isVisible || old?.parts != new?.parts else { return }
    IndexedMessage.forEachTreeOfParts { tree, row in
      change(tree, old?.rows(row) ?? [], new?.rows(row) ?? [])
    }
  }
}

extension IndexChanges {
  /// Adds what changes in the indexes if an unread message of a conversation is read, and nothing else about it changes:
  /// it leaves the indexes of unread messages.
  package mutating func markRead(_ key: MessageKey, _ fields: MessageFixedFields, isVisible: Bool) {
    // What those indexes do not use is left out.
    let message = IndexedMessage(
      conversation: key.conversation, sequence: key.sequence, identifierHash: 0, fields: fields, parts: [],
      isVisible: isVisible)
    change(IndexCatalog.messagePlaceUnread.tree, message.placeUnreadRow, nil)
    change(IndexCatalog.messageUnread.tree, message.unreadRow, nil)
    change(IndexCatalog.messageUnreadSender.tree, message.unreadSenderRow, nil)
  }
}

extension IndexedMessage {
  /// Calls `body` for each tree in which a message of a conversation has at most one entry, except
  /// `messageIdentifier`. The second argument of `body` returns a message's entry in that tree, or nil if the message
  /// has none.
  package static func forEachTree(_ body: (TreeSchema, (IndexedMessage) -> Words?) -> Void) {
    body(IndexCatalog.messageCreated.tree) { $0.createdRow }
    body(IndexCatalog.messageHidden.tree) { $0.hiddenRow }
    body(IndexCatalog.messagePlace.tree) { $0.placeRow }
    body(IndexCatalog.messagePlaceUnread.tree) { $0.placeUnreadRow }
    body(IndexCatalog.messageWhen.tree) { $0.whenRow }
    body(IndexCatalog.messageUnread.tree) { $0.unreadRow }
    body(IndexCatalog.messageSender.tree) { $0.senderRow }
    body(IndexCatalog.messageTypes.tree) { $0.typesRow }
    body(IndexCatalog.messagePlaceSender.tree) { $0.placeSenderRow }
    body(IndexCatalog.messageUnreadSender.tree) { $0.unreadSenderRow }
    body(IndexCatalog.messageUnsent.tree) { $0.unsentRow }
    body(IndexCatalog.messageReceived.tree) { $0.receivedRow }
  }

  /// Calls `body` for each tree in which a message has an entry for each part. The second argument of `body` returns the
  /// entry of a part, which has the given index; it must only be called for visible messages.
  package static func forEachTreeOfParts(
    _ body: (TreeSchema, (IndexedMessage, Part, Int) -> Words) -> Void
  ) {
    body(IndexCatalog.partType.tree) { $0.partTypeRow($1, $2) }
    body(IndexCatalog.partSize.tree) { $0.partSizeRow($1, $2) }
  }

  private func partTypeRow(_ part: Part, _ index: Int) -> Words {
    Words(UInt64(part.mimeType), sequence, UInt64(index), conversationWord)
  }

  private func partSizeRow(_ part: Part, _ index: Int) -> Words {
    let size = KeyWords.words(part.size)
    return Words(size.presence, size.word, sequence, UInt64(index), conversationWord)
  }

  fileprivate func rows(_ row: (IndexedMessage, Part, Int) -> Words) -> [Words] {
    isVisible ? parts.enumerated().map { row(self, $1, $0) } : []
  }

  private var conversationWord: UInt64 { UInt64(conversation) }

  /// The entry in `messageIdentifier`.
  package var identifierRow: Words { Words(identifierHash, sequence, conversationWord) }

  /// The entry in `messageRemoteID`.
  package var remoteIDRow: Words? { remoteIDHash.map { Words($0, sequence, conversationWord) } }

  /// The entries in `messageMetadata`, or in `announcementMetadata`.
  package var metadataKeys: [TextKey] { isVisible || isAnnouncement ? metadata.keys(row: sequence) : [] }

  fileprivate var createdRow: Words? { isVisible ? Words(sequence, conversationWord) : nil }

  fileprivate var hiddenRow: Words? { isVisible ? nil : Words(sequence, conversationWord) }

  fileprivate var placeRow: Words {
    let position = KeyWords.words(position: fields.position)
    return Words(
      conversationWord, position.unsent, position.word, sequence, UInt64(fields.sender),
      UInt64(fields.typeSet))
  }

  fileprivate var placeUnreadRow: Words? {
    guard fields.isUnread else { return nil }
    let position = KeyWords.words(position: fields.position)
    return Words(conversationWord, position.unsent, position.word, sequence, UInt64(fields.sender))
  }

  fileprivate var whenRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(fields.sentAt)
    return Words(date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var unreadRow: Words? {
    guard isVisible, fields.isUnread else { return nil }
    let date = KeyWords.words(fields.sentAt)
    return Words(date.presence, date.word, sequence, conversationWord, UInt64(fields.sender))
  }

  fileprivate var senderRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(fields.sentAt)
    return Words(UInt64(fields.sender), date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var placeSenderRow: Words {
    let position = KeyWords.words(position: fields.position)
    return Words(conversationWord, UInt64(fields.sender), position.unsent, position.word, sequence)
  }

  fileprivate var unreadSenderRow: Words? { fields.isUnread ? senderRow : nil }

  fileprivate var unsentRow: Words? {
    isVisible && !fields.isSent ? Words(sequence, conversationWord, UInt64(fields.sender)) : nil
  }

  fileprivate var receivedRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(fields.receivedAt)
    return Words(date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var typesRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(fields.sentAt)
    return Words(UInt64(fields.typeSet), date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var announcementCreatedRow: Words { Words(sequence) }

  fileprivate var announcementWhenRow: Words {
    let date = KeyWords.words(fields.sentAt)
    return Words(date.presence, date.word, sequence)
  }

  fileprivate var announcementUnreadRow: Words? { fields.isUnread ? announcementWhenRow : nil }

  fileprivate var announcementTypesRow: Words {
    let date = KeyWords.words(fields.sentAt)
    return Words(UInt64(fields.typeSet), date.presence, date.word, sequence)
  }
}
