package import RankedIndex
internal import SatchelCoding

/// The properties of a message or an announcement that the indexes use.
package struct IndexedMessage: Sendable, Hashable {
  /// The conversation's row, or `MessageKey.announcements`.
  package var conversation: UInt32
  /// The creation sequence, unique among messages and announcements.
  package var sequence: UInt64
  package var identifierHash: UInt64
  package var sender: UInt32
  package var position: Int64?
  /// Microseconds since 1970.
  package var sentAt: Int64?
  package var isUnread: Bool
  /// The interned set of the parts' types.
  package var typeSet: UInt32
  /// The type of each part, in order.
  package var partTypes: [UInt32]
  /// Whether queries may return objects of the conversation. Has no meaning for an announcement.
  package var isVisible: Bool

  package init(
    conversation: UInt32, sequence: UInt64, identifierHash: UInt64, sender: UInt32, position: Int64?,
    sentAt: Int64?, isUnread: Bool, typeSet: UInt32, partTypes: [UInt32], isVisible: Bool
  ) {
    self.conversation = conversation
    self.sequence = sequence
    self.identifierHash = identifierHash
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.isUnread = isUnread
    self.typeSet = typeSet
    self.partTypes = partTypes
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
    if (old ?? new)?.isAnnouncement == true {
      change(IndexCatalog.announcementCreated.tree, old?.announcementCreatedRow, new?.announcementCreatedRow)
      change(IndexCatalog.announcementWhen.tree, old?.announcementWhenRow, new?.announcementWhenRow)
      change(IndexCatalog.announcementUnread.tree, old?.announcementUnreadRow, new?.announcementUnreadRow)
      change(IndexCatalog.announcementTypes.tree, old?.announcementTypesRow, new?.announcementTypesRow)
      return
    }
    IndexedMessage.forEachTree { tree, row in change(tree, old.flatMap(row), new.flatMap(row)) }
    change(IndexCatalog.partType.tree, old?.partRows ?? [], new?.partRows ?? [])
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
  }

  /// Returns the entry of the part at `index` in `partType`. Returns nil if there is no such part, or if the message
  /// is not visible.
  package func partRow(_ index: Int) -> Words? {
    guard isVisible, index < partTypes.count else { return nil }
    return Words(UInt64(partTypes[index]), sequence, UInt64(index), conversationWord)
  }

  private var conversationWord: UInt64 { UInt64(conversation) }

  /// The entry in `messageIdentifier`.
  package var identifierRow: Words { Words(identifierHash, sequence, conversationWord) }

  fileprivate var createdRow: Words? { isVisible ? Words(sequence, conversationWord) : nil }

  fileprivate var hiddenRow: Words? { isVisible ? nil : Words(sequence, conversationWord) }

  fileprivate var placeRow: Words {
    let place = KeyWords.words(position: position)
    return Words(conversationWord, place.unsent, place.word, sequence, UInt64(sender), UInt64(typeSet))
  }

  fileprivate var placeUnreadRow: Words? {
    guard isUnread else { return nil }
    let place = KeyWords.words(position: position)
    return Words(conversationWord, place.unsent, place.word, sequence, UInt64(sender))
  }

  fileprivate var whenRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(sentAt)
    return Words(date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var unreadRow: Words? {
    guard isVisible, isUnread else { return nil }
    let date = KeyWords.words(sentAt)
    return Words(date.presence, date.word, sequence, conversationWord, UInt64(sender))
  }

  fileprivate var senderRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(sentAt)
    return Words(UInt64(sender), date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var placeSenderRow: Words {
    let place = KeyWords.words(position: position)
    return Words(conversationWord, UInt64(sender), place.unsent, place.word, sequence)
  }

  fileprivate var unreadSenderRow: Words? { isUnread ? senderRow : nil }

  fileprivate var typesRow: Words? {
    guard isVisible else { return nil }
    let date = KeyWords.words(sentAt)
    return Words(UInt64(typeSet), date.presence, date.word, sequence, conversationWord)
  }

  fileprivate var partRows: [Words] {
    guard isVisible else { return [] }
    return partTypes.indices.compactMap(partRow)
  }

  fileprivate var announcementCreatedRow: Words { Words(sequence) }

  fileprivate var announcementWhenRow: Words {
    let date = KeyWords.words(sentAt)
    return Words(date.presence, date.word, sequence)
  }

  fileprivate var announcementUnreadRow: Words? { isUnread ? announcementWhenRow : nil }

  fileprivate var announcementTypesRow: Words {
    let date = KeyWords.words(sentAt)
    return Words(UInt64(typeSet), date.presence, date.word, sequence)
  }
}
