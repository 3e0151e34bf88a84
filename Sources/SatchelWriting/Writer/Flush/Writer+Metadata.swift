internal import RankedIndex
package import SatchelCoding
package import SatchelIndexing
internal import SatchelModel

/// What the indexes are to hold of metadata.
extension Writer {
  /// The creation sequence from which on the index of the metadata of messages and announcements has no entries; 0 if the store has no
  /// such index.
  private func endOfMetadata() throws -> UInt64 {
    if let knownEndOfMetadata { return knownEndOfMetadata }
    let end = try flushed.read { try $0.endOfIndexedMetadata() }
    knownEndOfMetadata = end
    return end
  }

  /// Returns whether the indexes may hold other values of one than of the other. Of equal metadata, too: `[]` equals `{}`, and only
  /// a list has an entry.
  func hasOtherEntries(_ before: Metadata?, _ after: Metadata?) -> Bool {
    guard let before, let after else { return before != after }
    return !before.hasSameBytes(as: after)
  }

  func indexed(_ metadata: Metadata) throws -> [IndexedValue] {
    try IndexedValue.all(metadata, number: interner.intern(path:))
  }

  /// Returns what the indexes are to hold of the metadata of a message or an announcement: nothing in a store without such an index, or
  /// if the index has not got so far yet.
  func indexed(_ metadata: Metadata?, of key: MessageKey) throws -> [IndexedValue] {
    guard let metadata, !metadata.isEmpty else { return [] }
    return try key.sequence < endOfMetadata() ? indexed(metadata) : []
  }

  /// Returns what the indexes hold of an existing message or announcement.
  package func indexed(_ key: MessageKey, isVisible: Bool) throws -> IndexedMessage {
    var (message, metadata) = try flushed.indexed(
      key, isVisible: isVisible, withMetadata: key.sequence < endOfMetadata())
    message.metadata = try indexed(metadata, of: key)
    return message
  }
}
