internal import SatchelBytes

/// The key of a message or an announcement: its conversation's row and its creation sequence.
///
/// A message's record is in the database `messages`, so the messages of a conversation are one range, in the order of
/// their creation. An announcement's record is in `objects`; its conversation row is `announcements`, under which only
/// the contents of its parts are kept.
package struct MessageKey: Sendable, Hashable {
  /// The row that stands for "no conversation".
  package static let announcements: UInt32 = .max

  /// The row of the conversation.
  package let conversation: UInt32
  /// The number that the message got when it was added to the store, unique in the store.
  package let sequence: UInt64

  @inlinable
  package init(conversation: UInt32, sequence: UInt64) {
    self.conversation = conversation
    self.sequence = sequence
  }

  /// Makes the key of an announcement.
  @inlinable
  package init(announcement sequence: UInt64) {
    self.init(conversation: Self.announcements, sequence: sequence)
  }

  @inlinable
  package var isAnnouncement: Bool { conversation == Self.announcements }

  /// The key before all messages of the next conversation; nil after the last possible conversation.
  package var ofNextConversation: MessageKey? {
    conversation < Self.announcements - 1 ? MessageKey(conversation: conversation + 1, sequence: 0) : nil
  }

  /// The bytes of the key, as in `messages`; for an announcement, as in `objects`.
  package var bytes: KeyBytes {
    if isAnnouncement { return ObjectKey.announcement(sequence: sequence).bytes }
    return KeyBytes(conversation, sequence)
  }

  /// Reads a key of the database `messages`.
  package init(messages bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let span = unsafe bytes.bytes
    guard span.byteCount == 12 else { throw CodingError(.message, .key) }
    self.init(conversation: span.be32(0), sequence: span.be64(4))
    guard !isAnnouncement else { throw CodingError(.message, .key) }
  }
}

extension MessageKey: Comparable {
  @inlinable
  package static func < (left: Self, right: Self) -> Bool {
    (left.conversation, left.sequence) < (right.conversation, right.sequence)
  }
}

/// The key of a piece of a part's content, in the database `bodies`.
package struct BodyKey: Sendable, Hashable {
  /// The message or announcement that the part belongs to.
  package let message: MessageKey
  /// The index of the part in its message, from 0.
  package let part: UInt16
  /// The index of the piece in the content, from 0.
  package let piece: UInt32

  package init(message: MessageKey, part: UInt16, piece: UInt32) {
    self.message = message
    self.part = part
    self.piece = piece
  }

  /// The bytes of the key.
  package var bytes: KeyBytes {
    var key = KeyBytes()
    key.append(message.conversation)
    key.append(message.sequence)
    key.append(part)
    key.append(piece)
    return key
  }

  /// Reads a key of the database `bodies`.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let span = unsafe bytes.bytes
    guard span.byteCount == 18 else { throw CodingError(.bodyPiece, .key) }
    self.init(
      message: MessageKey(conversation: span.be32(0), sequence: span.be64(4)), part: span.be16(12),
      piece: span.be32(14))
  }
}
