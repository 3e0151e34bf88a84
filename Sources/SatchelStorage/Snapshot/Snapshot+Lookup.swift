internal import RankedIndex
package import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// The message or announcement of an identifier, or nil. The index holds hashes; the record decides.
  package func locateMessage(_ identifier: String) throws -> MessageKey? {
    let bytes = Array(identifier.utf8)
    return try locateMessage(bytes, hash: KeyWords.identifierHash(bytes)) { _ in true }
  }

  /// `locateMessage` among the sequences for which `isLive` says so.
  func locateMessage(_ identifier: [UInt8], hash: UInt64, _ isLive: (UInt64) -> Bool) throws -> MessageKey? {
    for tree in [IndexCatalog.messageIdentifierRecent, IndexCatalog.messageIdentifier] {
      for row in try forest.rows(tree, of: hash) where isLive(row[1]) {
        if let key = try message(of: row, identifier: identifier) { return key }
      }
    }
    return nil
  }

  /// The message or announcement of a row of `message.identifier`, if that is its identifier.
  func message(of row: Words, identifier: [UInt8]) throws -> MessageKey? {
    let key = MessageKey(conversation: UInt32(truncatingIfNeeded: row[2]), sequence: row[1])
    let view =
      key.isAnnouncement
      ? try announcement(key.sequence)
      : try message(conversation: key.conversation, sequence: key.sequence)
    guard unsafe view.identifierBytes.elementsEqual(identifier) else { return nil }
    if pending == nil { locatedMessage = view }
    return key
  }

  /// The conversation of an identifier, visible or not, or nil.
  package func locateConversation(_ identifier: String) throws -> UInt32? {
    try conversation(of: Array(identifier.utf8))?.row
  }

  /// The record of the conversation of an identifier, visible or not, or nil.
  package func conversation(of identifier: [UInt8]) throws -> ConversationView? {
    let hash = KeyWords.identifierHash(identifier)
    for words in try forest.rows(IndexCatalog.conversationIdentifier, of: hash) {
      let view = try conversation(UInt32(truncatingIfNeeded: words[1]))
      if unsafe view.identifierBytes.elementsEqual(identifier) { return view }
    }
    return nil
  }

  /// The identity of a user, or nil where nothing is known of the user.
  package func locateIdentity(user: UInt32) throws -> UInt32? {
    let range = KeyRange.prefix(Words(UInt64(user)), columns: 1)
    var cursor = try forest.cursor(IndexCatalog.identityUser)
    try cursor.seek(to: range.lower)
    guard let words = try cursor.next(), range.contains(words) else { return nil }
    return UInt32(truncatingIfNeeded: words[1])
  }
}
