internal import RankedIndex
package import RankedKeys
package import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// Returns the message or announcement of an identifier or a remote identifier, or nil. The indexes hold only hashes; the
  /// record's identifiers are compared.
  package func locateMessage(_ identifier: String) throws -> MessageKey? {
    let bytes = Array(identifier.utf8)
    var others = 0
    return try locateMessage(bytes, hash: KeyWords.identifierHash(bytes), others: &others) { _ in true }
  }

  /// Looks up a message or announcement among the entries for which `isLive` returns true. Adds to `others` how many
  /// others of these have the hash.
  package func locateMessage(
    _ identifier: [UInt8], hash: UInt64, others: inout Int, _ isLive: (Words) -> Bool
  ) throws -> MessageKey? {
    for index in Self.identifierIndexes {
      for row in try forest.rows(index.tree, of: hash) where isLive(row) {
        if let key = try message(of: row, identifier: identifier) { return key }
        others += 1
      }
    }
    return nil
  }

  /// The indexes in which a name of a message is looked up: identifiers and remote identifiers are one space of names.
  private static let identifierIndexes = [
    IndexCatalog.messageIdentifierRecent, IndexCatalog.messageIdentifier, IndexCatalog.messageRemoteID,
  ]

  /// Returns how many identifiers have a hash, of messages and announcements for whose entries `isLive` returns true.
  package func countMessages(ofHash hash: UInt64, _ isLive: (Words) -> Bool) throws -> Int {
    var count = 0
    for index in Self.identifierIndexes {
      for row in try forest.rows(index.tree, of: hash) where isLive(row) { count += 1 }
    }
    return count
  }

  /// Returns the message or announcement of a row of an index of identifiers if it has this name, or nil.
  package func message(of row: Words, identifier: [UInt8]) throws -> MessageKey? {
    let key = IndexCatalog.messageIdentifier.message(of: row)
    let view =
      key.isAnnouncement
      ? try announcement(key.sequence)
      : try message(conversation: key.conversation, sequence: key.sequence)
    guard view.isNamed(identifier) else { return nil }
    if pending == nil { locatedMessage = view }
    return key
  }

  /// Returns the row of the conversation of an identifier or a remote identifier, visible or not, or nil.
  package func locateConversation(_ identifier: String) throws -> UInt32? {
    try conversation(of: Array(identifier.utf8))?.row
  }

  /// Returns the record of the conversation of an identifier or a remote identifier, visible or not, or nil.
  package func conversation(of identifier: [UInt8]) throws -> ConversationView? {
    var others = 0
    return try conversation(of: identifier, others: &others)
  }

  /// Returns the rows of the visible conversations with these identifiers, ascending. One look-up each.
  package func conversationRows(of identifiers: [[UInt8]]) throws -> [UInt32] {
    var rows: [UInt32] = []
    for identifier in identifiers {
      guard let view = try conversation(of: identifier), view.isVisible,
        unsafe view.identifierBytes.elementsEqual(identifier)
      else { continue }
      rows.append(view.row)
    }
    if rows.count > 1 { rows.sort() }
    return rows
  }

  /// As `conversation(of:)`. Adds to `others` how many other conversations have the identifier's hash.
  package func conversation(of identifier: [UInt8], others: inout Int) throws -> ConversationView? {
    let hash = KeyWords.identifierHash(identifier)
    for index in [IndexCatalog.conversationIdentifier, IndexCatalog.conversationRemoteID] {
      for row in try forest.rows(index.tree, of: hash) {
        let view = try conversation(index.object(of: row))
        if view.isNamed(identifier) { return view }
        others += 1
      }
    }
    return nil
  }

  /// Returns the row of a user's identity, or nil if the user has none.
  package func locateIdentity(user: UInt32) throws -> UInt32? {
    let range = KeyRange.prefix(Words(UInt64(user)), columns: 1)
    let index = IndexCatalog.identityUser
    var cursor = try forest.cursor(index.tree)
    try cursor.seek(to: range.lower)
    guard let row = try cursor.next(), range.contains(row) else { return nil }
    return index.object(of: row)
  }

  /// Returns the distinct conversations of exactly these participants. A store of an older version may have several.
  /// - Complexity: O(conversations of these participants).
  package func distinctConversations(participantSet: UInt32) throws -> [UInt32] {
    try forest.rows(IndexCatalog.conversationMemberSet.tree, of: UInt64(participantSet))
      .map { IndexCatalog.conversationMemberSet.object(of: $0) }
      .filter { try conversation($0).isDistinct }
  }

  /// Returns the record of a user's identity, or nil if the user has none.
  package func identity(ofUser user: UInt32) throws -> IdentityView? {
    try locateIdentity(user: user).map { try identity($0) }
  }
}
