import RankedIndex
import SatchelCoding
import SatchelPlanning
import SatchelStorage

/// One row while it is tested: what its index entry says, and the records that have been read for it so far.
struct RowContext {
  private(set) var reference = RowReference(sequence: 0)
  /// The entry of the index that the row came from; zeros where it came from none.
  private(set) var words = Words(repeating: 0)
  private var messageRecord: MessageView?
  private var conversationRecord: ConversationView?
  private var identityRecord: IdentityView?

  /// Goes on to the next row.
  mutating func begin(_ reference: RowReference, _ words: Words) {
    self.reference = reference
    self.words = words
    messageRecord = nil
    conversationRecord = nil
    identityRecord = nil
  }

  /// Goes on to the next row, which came without an index entry.
  mutating func begin(_ reference: RowReference) { begin(reference, Words(repeating: 0)) }

  /// Goes on to the next row, a message whose record is there already.
  mutating func begin(_ record: MessageView) {
    begin(RowReference(sequence: record.key.sequence, conversation: record.key.conversation))
    messageRecord = record
  }

  /// Goes on to a part of the message at hand, whose record is kept.
  mutating func enterPart(_ index: Int) { reference.part = UInt32(truncatingIfNeeded: index) }

  /// The record of the row's message, or of the message that the row's part belongs to.
  mutating func message(_ snapshot: Snapshot) throws -> MessageView {
    if let messageRecord { return messageRecord }
    let record = try snapshot.message(conversation: reference.conversation, sequence: reference.sequence)
    messageRecord = record
    return record
  }

  /// The record of the row's announcement.
  mutating func announcement(_ snapshot: Snapshot) throws -> MessageView {
    if let messageRecord { return messageRecord }
    let record = try snapshot.announcement(reference.sequence)
    messageRecord = record
    return record
  }

  /// The record of the row's conversation.
  mutating func conversation(_ snapshot: Snapshot) throws -> ConversationView {
    if let conversationRecord { return conversationRecord }
    let record = try snapshot.conversation(UInt32(truncatingIfNeeded: reference.sequence))
    conversationRecord = record
    return record
  }

  /// The record of the row's identity.
  mutating func identity(_ snapshot: Snapshot) throws -> IdentityView {
    if let identityRecord { return identityRecord }
    let record = try snapshot.identity(UInt32(truncatingIfNeeded: reference.sequence))
    identityRecord = record
    return record
  }
}
