import RankedIndex
package import SatchelCoding
import SatchelIndexing

extension Snapshot {
  /// The message or announcement of an identifier, or nil. The index holds hashes; the record decides.
  package func locateMessage(_ identifier: String) throws -> MessageKey? {
    let bytes = Array(identifier.utf8)
    let hash = KeyWords.identifierHash(bytes)
    var cursor = forest.cursor(IndexCatalog.messageIdentifier, .prefix(Words(hash), columns: 1))
    while let row = try cursor.next() {
      let key = MessageKey(conversation: UInt32(truncatingIfNeeded: row[2]), sequence: row[1])
      let view =
        key.isAnnouncement
        ? try announcement(key.sequence)
        : try message(conversation: key.conversation, sequence: key.sequence)
      if unsafe view.identifierBytes.elementsEqual(bytes) { return key }
    }
    return nil
  }

  /// The conversation of an identifier, visible or not, or nil.
  package func locateConversation(_ identifier: String) throws -> UInt32? {
    let bytes = Array(identifier.utf8)
    let hash = KeyWords.identifierHash(bytes)
    var cursor = forest.cursor(IndexCatalog.conversationIdentifier, .prefix(Words(hash), columns: 1))
    while let words = try cursor.next() {
      let row = UInt32(truncatingIfNeeded: words[1])
      if unsafe try conversation(row).identifierBytes.elementsEqual(bytes) { return row }
    }
    return nil
  }

  /// The identity of a user, or nil where nothing is known of the user.
  package func locateIdentity(user: UInt32) throws -> UInt32? {
    var cursor = forest.cursor(IndexCatalog.identityUser, .prefix(Words(UInt64(user)), columns: 1))
    return try cursor.next().map { UInt32(truncatingIfNeeded: $0[1]) }
  }

  /// The distinct conversation of exactly these participants, or nil.
  package func locateDistinctConversation(participantSet: UInt32) throws -> UInt32? {
    var cursor = forest.cursor(
      IndexCatalog.conversationMemberSet, .prefix(Words(UInt64(participantSet)), columns: 1))
    while let words = try cursor.next() {
      let row = UInt32(truncatingIfNeeded: words[2])
      if try conversation(row).isDistinct { return row }
    }
    return nil
  }
}
