internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// What the indexes are to hold of metadata.
extension Writer {
  /// Whether the store has the indexes of the metadata of messages and announcements.
  var indexesMessageMetadata: Bool {
    flushed.header.versions.optionalIndexes.contains(.messageMetadata)
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

  /// Returns what the indexes are to hold of the metadata of a message or an announcement; nothing if the store has no such index.
  func indexed(ofMessage metadata: Metadata?) throws -> [IndexedValue] {
    guard let metadata, !metadata.isEmpty, indexesMessageMetadata else { return [] }
    return try indexed(metadata)
  }

  /// Returns what the indexes hold of an existing message or announcement.
  func indexed(_ key: MessageKey, isVisible: Bool) throws -> IndexedMessage {
    var (message, metadata) = try flushed.indexed(
      key, isVisible: isVisible, withMetadata: indexesMessageMetadata)
    message.metadata = try indexed(ofMessage: metadata)
    return message
  }
}
