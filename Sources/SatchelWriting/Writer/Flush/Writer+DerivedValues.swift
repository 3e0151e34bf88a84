internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing

/// Updates what a conversation's record says of its messages, as they change.
///
/// A new last message has to be looked up only if the last message was deleted or moved back in the order. The look-up
/// waits for the flush, when the index `message.place` is complete.
extension Writer {
  func noteInsertion(of message: StoredConversation.Last, in row: UInt32) throws {
    let isStale = !overlay.staleLast.isEmpty && overlay.staleLast.contains(row)
    try conversation(row).edit { conversation in
      conversation.messageCount += 1
      if message.isUnread { conversation.unreadCount += 1 }
      if !isStale, conversation.last.map({ $0.orderKey < message.orderKey }) ?? true {
        conversation.last = message
      }
    }
  }

  func noteChange(from old: StoredMessage, to new: StoredMessage, _ key: MessageKey) throws {
    let row = key.conversation
    let state = try conversation(row)
    guard let conversation = state.fields else { return }
    if old.isUnread != new.isUnread {
      state.edit {
        $0.unreadCount = new.isUnread ? $0.unreadCount + 1 : $0.unreadCount - min(1, $0.unreadCount)
      }
    }
    guard !overlay.staleLast.contains(row), let last = conversation.last else { return }
    if last.sequence == key.sequence {
      // If the last message moves forward, it is still the last one; if it moves back, another one may be.
      let new = StoredConversation.Last(new, key.sequence)
      if new.orderKey < last.orderKey { overlay.staleLast.insert(row) }
      if new != last { state.edit { $0.last = new } }
    } else if last.precedes(new, key.sequence) {
      state.edit { $0.last = StoredConversation.Last(new, key.sequence) }
    }
  }

  func noteRemoval(of fields: StoredMessage, _ key: MessageKey) throws {
    let row = key.conversation
    let state = try conversation(row)
    state.edit {
      $0.messageCount -= min(1, $0.messageCount)
      if fields.isUnread { $0.unreadCount -= min(1, $0.unreadCount) }
    }
    if state.fields?.last?.sequence == key.sequence { overlay.staleLast.insert(row) }
  }

  /// Returns the last message of a conversation according to the index `message.place`; nil if there are no messages.
  func findLast(of row: UInt32) throws -> StoredConversation.Last? {
    let index = IndexCatalog.messagePlace
    var cursor = try forest.cursor(index.tree)
    try cursor.seek(to: .after(Words(UInt64(row)), columns: 1))
    guard let last = try cursor.previous(), index.conversation(of: last) == row else { return nil }
    return try flushed.last(MessageKey(conversation: row, sequence: index.sequence(of: last)))
  }

  /// Returns the creation sequences of the unread messages of a conversation according to the indexes.
  func unreadMessages(of row: UInt32) throws -> [UInt64] {
    let range = KeyRange.prefix(Words(UInt64(row)), columns: 1)
    let index = IndexCatalog.messagePlaceUnread
    var cursor = try forest.cursor(index.tree)
    try cursor.seek(to: range.lower)
    var sequences: [UInt64] = []
    _ = try cursor.read(column: index.columnOfObject, into: &sequences, upTo: range.upper, limit: .max)
    return sequences
  }
}

extension StoredConversation.Last {
  init(_ fields: StoredMessage, _ sequence: UInt64) {
    self.init(
      sequence: sequence, position: fields.position, sentAt: fields.sentAt, receivedAt: fields.receivedAt,
      isUnread: fields.isUnread, sender: fields.sender)
  }

  /// The key by which a conversation orders the message: messages with a position by position, then unsent ones; equal
  /// ones by creation.
  package var orderKey: OrderKey { OrderKey(position: position, sequence: sequence) }

  package struct OrderKey: Comparable {
    let position: Int64?
    let sequence: UInt64

    package static func < (left: OrderKey, right: OrderKey) -> Bool {
      switch (left.position, right.position) {
      case (let left?, let right?) where left != right: left < right
      case (nil, .some): false
      case (.some, nil): true
      default: left.sequence < right.sequence
      }
    }
  }

  /// Whether a message comes after this one.
  func precedes(_ fields: StoredMessage, _ sequence: UInt64) -> Bool {
    orderKey < OrderKey(position: fields.position, sequence: sequence)
  }
}
